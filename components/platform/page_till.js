// A registered till: a scanned badge switches from any screen and from its pad, and a screen that nobody touches locks.
const PREFIX = "WDBQ", APART = 2500, LEFT = "warranty-desk.signed-out", TOUCHED = "warranty-desk.till-touched";
let till = { path: "" }, sold = "", told = "", going = false, leaves = false, touched = Date.now();
const post = (what, more) => fetch(`${till.path}/${what}`, { method: "POST", ...more }).then((answer) => answer.status, () => 0);
const leaveFor = (where) => {
  localStorage.setItem(LEFT, Date.now());  // other tabs of this till begin anew
  location.replace(where);
};
const lock = async () => {
  if (going || !till.path) return;
  going = true;
  document.body.style.visibility = "hidden";  // also while the line is away
  const status = await post("lock", { keepalive: true });
  if (status && status !== 503) return leaveFor(till.path);
  going = false;
  setTimeout(lock, 2000);
};
// A tab that is worked at keeps those beside it open.
const touch = ({ type }) => {
  if (type === "keydown") sold = "";
  if (Date.now() - touched < 500) return;
  touched = Date.now();
  localStorage.setItem(TOUCHED, touched);
};
for (const act of ["pointerdown", "keydown", "wheel", "touchmove"]) addEventListener(act, touch, true);
setInterval(() => {
  const last = Math.max(touched, Number(localStorage.getItem(TOUCHED)) || 0);
  const seconds = sold ? Math.min(till.after, till.idle || till.after) : till.idle;
  if (till.path && seconds && Date.now() - last >= seconds * 1000) lock();
}, 500);
addEventListener("click", ({ target }) => { if (target.closest?.(".st-key-switch-person button")) deskTill.leave(); }, true);

// The letters before it is known for a badge went where they were typed: they are taken out again.
const takeBack = (count) => {
  let field = document.activeElement;
  while (field?.shadowRoot?.activeElement) field = field.shadowRoot.activeElement;
  if (!field?.matches("input, textarea") || field.selectionStart === null) return;
  const end = field.selectionStart, text = field.value;
  if (text.slice(end - count, end).toUpperCase() !== PREFIX.slice(0, count)) return;
  deskPage.type(field, text.slice(0, end - count) + text.slice(end));
};
let code = "", at = 0, early = "";
addEventListener("keydown", (event) => {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // A badge has time, if its scanner stalls or the page is busy: what is left of one would go into a field, for all to read.
  if (event.timeStamp - at > APART) code = "";
  if (key.length === 1) {
    const next = [code + key, key].map((text) => text.toUpperCase());
    code = next.find((text) => text.startsWith(PREFIX) || PREFIX.startsWith(text)) ?? "";
    at = event.timeStamp;
    if (code.length === PREFIX.length) takeBack(PREFIX.length - 1);
  }
  const isBadge = code.length >= PREFIX.length;
  if (!isBadge || (key.length !== 1 && key !== "Enter" && key !== "Tab")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (key.length === 1) return;
  const badge = code;
  code = "";
  if (!till.path) early = badge;  // the screen is still being drawn
  else if (!going) switchBy({ badge });
}, true);
const switchBy = async (who) => {
  going = true;
  till.begins?.(who);
  const status = await post("switch", { body: JSON.stringify(who) });
  going = false;
  if (status === 200) leaveFor(till.home ?? location.pathname);
  else if (till.refused) till.refused(status, who);
  else if ([403, 404, 423].includes(status)) lock();
};
window.deskTill = {
  leave() {
    leaves = !till.path;  // the screen is still being drawn
    lock();
  },
  watch(data) {
    if (data.sold && data.sold !== told) sold = told = data.sold;
    till = data;
    const badge = early;
    early = "";
    if (badge && till.path) switchBy({ badge });
    if (leaves) lock();
  },
  typed: () => code.length,  // of a badge
  switchBy,
};
