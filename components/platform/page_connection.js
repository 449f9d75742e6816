// Words for a live connection that is blocked or lost, and what was typed is there after (docs/platform-notes/live-connection.md).
// platform: markup _stcore/stream SEND_APP_HEARTBEAT RERUN_SCRIPT TERMINATE_WEBSOCKET_CONNECTION
// platform: markup RESTART_WEBSOCKET_CONNECTION blockErrorDialogs ENABLE_RELOAD_BASED_ON_HARDCODED_STREAMLIT_VERSION data-live-announcer data-test-script-state
const deskWords = window.deskWords = (name, values = {}) => {
  const all = ALL_WORDS, words = all[document.documentElement.lang] ?? all.en;  // page.py writes them here
  return words[name].replace(/{([a-z]+)}/g, (_, value) => values[value]);  // a value is never looked at as a pattern
};

const base = new URL(".", location.href), stream = new URL("_stcore/stream", base);
// Where the server is: else the platform looks for it below the screen's address first, in vain. With a host's configuration it
// opens its connection at once, without two requests before it; the page is its own host, and tells of errors itself.
window.__streamlit = {
  BACKEND_BASE_URL: base.href,
  ENABLE_RELOAD_BASED_ON_HARDCODED_STREAMLIT_VERSION: true,  // a page that is older than the server is loaded anew
  HOST_CONFIG: { allowedOrigins: [location.origin], useExternalAuthToken: false, blockErrorDialogs: true },
};
const ask = (type) => postMessage({ stCommVersion: 1, type }, location.origin);

// Whether anything was typed nobody knows of a page that never came.
const words = (name) => [
  deskWords(name, { address: stream.href.replace("http", "ws") }),
  deskWords(heard || Object.keys(back).length ? "kept" : "goes_on"),
].join(" ");
const place = Object.assign(document.createElement("div"), { id: "desk-connection", role: "status" });
place.setAttribute("data-live-announcer", "true");  // also heard while a dialog is open
addEventListener("DOMContentLoaded", () => document.body.prepend(place));
const say = (told) => { if (place.textContent !== told) place.textContent = told; };

// What was typed in this tab, by the name of its field: its key without the id of a draft, since one in which nothing was sent
// yet has another id on the next page. It is looked at only when the connection was lost.
const typed = new Set();
const nameOf = (field) => deskPage.placeOf(field)?.replace(/-[0-9a-f]{32}-/, "-");
const fieldOf = (name) =>
  [...document.querySelectorAll('input[type="text"], input:not([type]), textarea')].find((field) => nameOf(field) === name);
const unsent = () => Object.fromEntries(
  [...typed].map((name) => [name, fieldOf(name)?.value]).filter(([, text]) => text !== undefined),
);
addEventListener("input", ({ target, isTrusted }) => {
  const name = isTrusted && nameOf(target);
  if (!name) return;
  typed.add(name);
  delete back[name];
}, true);

// It is put back where the platform draws a field anew, and sent as if the field had been left; for some seconds, since a server
// that knows nothing of this tab may draw the sign-in first. The next page has it when this one is loaded again.
let back = {}, until = 0;
const putBack = () => {
  if (performance.now() > until) back = {};
  if (document.querySelector('input[type="password"]')) {  // whoever signs in next is given nothing of another's
    back = {};
    typed.clear();
  }
  for (const [name, text] of Object.entries(back)) {
    const field = fieldOf(name);
    if (!field || field.disabled) continue;
    const differs = field.value !== text;
    if (differs) {
      delete back[name];
      deskPage.type(field, text);
    }
    if (differs || typed.delete(name)) field.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  }
};
// What the platform locks while the connection is lost goes on being typed into, by the next key already.
const unlock = (changes) => {
  for (const { target } of lost ? changes : []) {
    if (!target.disabled || !target.matches("input, textarea") || locked.has(target)) continue;
    target.disabled = false;
    if (target === focused && document.activeElement === document.body) target.focus({ preventScroll: true });
  }
};
new MutationObserver((changes) => {
  unlock(changes);
  putBack();
}).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
const isOnItsWay = () => lost || performance.now() < until;
const [where, texts] = deskPage.pocket("warranty-desk.typed", () => isOnItsWay() && [location.href, { ...back, ...unsent() }]) ?? [];
if (where === location.href) [back, until] = [texts, performance.now() + 30_000];

let socket = null, tried = 0, heard = 0, asked = 0, failed = 0, lost = false, ended = -Infinity, focused = null, locked = new Set();
// A script of the platform that a lost line cut off this page never fetches again: it shows an error in its place, or nothing.
let cutOff = false;
addEventListener("vite:preloadError", () => { cutOff = true; });
const isBlank = () => document.readyState === "complete" && document.getElementById("root")?.hasChildNodes() === false;
const lose = () => {
  if (lost) return;
  lost = true;
  locked = new Set(document.querySelectorAll(":disabled"));
  deskKeys.held = null;
  const active = document.activeElement;
  focused = active?.shadowRoot?.activeElement ?? active;
};
window.WebSocket = class extends WebSocket {
  constructor(...way) {
    super(...way);
    if (new URL(way[0]).pathname !== stream.pathname) return;
    [socket, tried] = [this, performance.now()];
    this.addEventListener("message", () => { heard = performance.now(); });
    this.addEventListener("open", () => setTimeout(opened));  // the platform hears it first
    this.addEventListener("close", ({ code }) => {
      if (code === 1012) ended = performance.now();  // the server said that it goes
      if (heard < tried) failed += 1;
      lose();
    });
  }
};
// What was entered last may be lost, the server another. While a run that was cut off has no end the platform hears of no other.
const rerun = () => {
  if (lost) return;
  const app = document.querySelector("[data-test-script-state]");
  if (app?.dataset.testScriptState === "notRunning") ask("RERUN_SCRIPT");
  else setTimeout(rerun, 100);
};
const opened = () => {
  heard = performance.now();
  failed = 0;
  say("");
  if (!lost) return;
  lost = false;
  [back, until] = [{ ...back, ...unsent() }, performance.now() + 10_000];
  putBack();
  rerun();
  if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
};

// Whether the desk can be reached without the live connection.
const desk = async () => {
  const way = { cache: "no-store", signal: AbortSignal.timeout(2000) };
  const answer = navigator.onLine && await fetch(new URL("readyz", base), way).catch(() => null);
  if (!answer) return "away";
  const told = await answer.json().catch(() => null);  // a proxy's own page is no JSON
  return !told ? "silent" : told.status === "draining" ? "updated" : "there";
};
let looking = false;
const look = async () => {
  const now = performance.now(), open = socket?.readyState === WebSocket.OPEN;
  if (looking || document.hidden) return;
  if (open && heard >= asked && now - heard > 3000) {
    asked = now;
    ask("SEND_APP_HEARTBEAT");
  }
  const isBroken = now > 5000 && (isBlank() || cutOff && open);  // while the line is away what is there goes on being typed into
  const waits = open ? heard >= asked || now - asked < 3000 : now - Math.max(heard, tried) < 1000;
  if (!isBroken && (!socket || waits && navigator.onLine)) {
    if (open) say("");
    return;
  }
  looking = true;
  const found = await desk();
  looking = false;
  if (isBroken && found === "there") {
    lose();
    location.reload();
    return;
  }
  if (!socket || heard > now) return;
  if (found !== "there") say(words(navigator.onLine && now - ended < 120_000 ? "updated" : found));
  else if (open || failed > 1 || (socket.readyState === WebSocket.CONNECTING && now - tried > 5000)) say(words("blocked"));
  // The platform has given up, waits for an answer that got lost, or holds a connection on which nothing comes.
  if (found === "there" && now - Math.max(tried, heard) > 12_000) {
    tried = now;
    lose();
    ask("TERMINATE_WEBSOCKET_CONNECTION");
    ask("RESTART_WEBSOCKET_CONNECTION");
  }
};
setInterval(look, 1000);
for (const change of ["online", "offline", "visibilitychange"]) addEventListener(change, look, true);
