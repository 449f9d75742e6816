// One router for the keys of all screens (docs/platform-notes/keys.md).
// A scanner's keys are a few milliseconds apart, a person's more than FAST, by the middle gap: a busy page may be told of one late.
const FAST = 50, APART = 1000, LONE = 250, SHORTEST = 3, LONGEST = 254;
const silent = new Set(["Shift", "AltGraph", "CapsLock", "NumLock", "Process", "Dead", "Unidentified"]);

// What components/keys and the scan field have of it. Whatever is `asked` for, and each code in `scans` for the basket of a draft
// (without one: of the next that is drawn), has a number and stays here until the server says that it has it; also over a reload.
const found = deskPage.pocket("warranty-desk.scans", () => desk.scans.length && [mount, desk.last, desk.scans]);
const [mount, last, scans] = found ?? [Math.random().toString(36).slice(2), 0, []];
const desk = window.deskKeys = {
  mount,
  last,
  scans,
  asked: [],
  screens: SCREENS_BY_KEY,  // platform/page.py writes them here: a key is heard from the first moment
  field: null,
  given: 0,
  held: null,
  ask(kind, text) {
    desk.close?.();
    desk.last += 1;
    desk.asked = [...desk.asked, [desk.last, kind, text.slice(0, LONGEST)]];
    if (kind === "scan") desk.tell?.(deskWords("looking", { code: text }), true);
    desk.changed?.();
  },
  isOrderLike: (code) => /^https?:|^\S{20,}$/i.test(code),
  atHome: () => Boolean(desk.field?.input.isConnected),
  // What may be an order's is asked about first, and comes back where it is a product's.
  scan(code) {
    if (desk.atHome() && !desk.isOrderLike(code)) desk.add(code);
    else desk.ask("scan", code);
  },
  add(code) {
    desk.last += 1;
    desk.scans.push([desk.last, code, desk.atHome() ? desk.field.draft : ""]);
    if (desk.atHome()) desk.field.hand();
    else setTimeout(desk.tellNext, 3000);
  },
  give(codes) {
    for (const [number, code] of codes.filter(([number]) => number > desk.given)) {
      desk.given = number;
      desk.add(code);
    }
  },
  // An order that is done has no scan field: what is scanned there is for the next one.
  tellNext() {
    const codes = desk.scans.filter(([, , draft]) => !draft).map(([, code]) => code).join(", ");
    if (codes) desk.tell?.(deskWords("next", { codes }));
  },
  // Nothing is sent without what was scanned for it: a press that sends waits for that.
  isAdding: () => desk.atHome() && (desk.asked.some(([, kind]) => kind === "scan")
    || desk.scans.some(([, , draft]) => draft === desk.field.draft)),
  added() {
    const { held } = desk;
    if (!held || desk.isAdding()) return;
    desk.held = null;
    // The screen may have been drawn anew since it was pressed.
    setTimeout(() => (held.isConnected ? held : document.querySelector(".st-key-main-action button"))?.click());
  },
};

const isAsked = () => document.querySelector('[data-testid="stDialog"]');
let text = "", gaps = [], at = 0, lone = 0;
addEventListener("keydown", (event) => {
  const { key } = event, chord = event.ctrlKey || event.metaKey || event.altKey;
  if (silent.has(key)) return;
  desk.held = null;
  if (!document.querySelector(".st-key-who")) {
    desk.scans = desk.scans.filter(([, , draft]) => draft);  // nobody finds another person's codes
    return;
  }
  clearTimeout(lone);
  desk.tell?.("");
  const gap = event.timeStamp - at, goesOn = text && gap <= APART;
  if (!goesOn) [text, gaps] = ["", []];
  else gaps.push(gap);
  const isScan = goesOn && [...gaps].sort((a, b) => a - b)[(gaps.length - 1) >> 1] <= FAST;
  const isPlain = !chord && !event.shiftKey, screen = isPlain && desk.screens[key];
  const isFind = chord && !event.altKey && !event.shiftKey && key.toLowerCase() === "k";
  const opens = isFind ? "find" : isPlain && key === "F1" && "keys";
  if (opens || screen) {
    deskPage.take(event);
    if (event.repeat || isAsked()) return;
    if (opens) return desk.open?.(opens);
    document.activeElement?.blur();  // as a click on the menu leaves a field
    return desk.ask("go", screen);
  }
  // A scan ends here also where a field has got the focus meanwhile.
  if (!isScan && event.composedPath()[0].matches?.(":read-write, select")) {
    text = "";
    return;
  }
  if (key.length === 1 && (!chord || event.getModifierState("AltGraph"))) {
    if (key === " " && !goesOn) return;  // presses what has the focus
    deskPage.take(event);
    text += key;
    at = event.timeStamp;
    // Alone it asks for the keys; at the head of a code it is its first letter.
    if (text === "?" && !isAsked()) lone = setTimeout(() => { text = ""; desk.open?.("keys"); }, LONE);
    return;
  }
  if (key === "Enter" && !chord && goesOn && text.length >= SHORTEST) {
    deskPage.take(event);
    const code = text.trim();
    if (isScan && isAsked()) desk.tell?.(deskWords("question"));
    else if (isScan && code) desk.scan(code);
  }
  text = "";
}, true);
addEventListener("click", (event) => {
  desk.tell?.("");
  desk.held = null;
  const send = event.target.closest?.(".st-key-main-action button");
  if (send && desk.isAdding()) {
    deskPage.take(event);
    desk.held = send;
    return;
  }
  for (const what of ["keys", "find"]) if (event.target.closest?.(`.st-key-open-${what} button`)) desk.open?.(what);
  // What an action of the person's menu opens is not covered by the menu.
  const action = event.target.closest?.(".st-key-own-actions button");
  if (action) setTimeout(() => action.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })));
}, true);
