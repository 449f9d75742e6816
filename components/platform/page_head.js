// What the desk adds to the platform's page, where the platform has no hook (docs/platform-notes/page-script.md).
// What parts of ours ask of the page, who know nothing of its markup.
const deskPage = window.deskPage = {
  screen: () => document.querySelector('[data-testid="stMain"]'),  // what is scrolled: all but the bar
  field: (label) => document.querySelector(`input[aria-label="${label}"]:not([disabled])`),
  nameOf: (element) => element.tagName === "INPUT" && element.getAttribute("aria-label"),
  placeOf: (element) => element?.closest?.('[class*="st-key-"]')?.className.match(/st-key-\S+/)[0],
  typing: () => document.activeElement?.matches("input, select, iframe, :read-write"),  // somebody types into something
  type: (field, text) => {  // as a hand does, for the platform to hear
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  },
  // Whether the focus stays where somebody put it: they type, or go from part to part by the keyboard and have pressed none yet.
  stays: () => deskPage.typing() || deskPage.walks && document.activeElement !== document.body,
  take: (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  pocket: (name, kept) => {  // what this tab finds again when it is loaded anew: what it `kept`, if anything, as it went
    const found = JSON.parse(sessionStorage.getItem(name));
    sessionStorage.removeItem(name);
    addEventListener("pagehide", () => { if (kept()) sessionStorage.setItem(name, JSON.stringify(kept())); });
    return found;
  },
};

let stepped = false, wanted = null, first = null, lettered = -Infinity;  // ended or begun by whatever a hand does
for (const act of ["wheel", "pointerdown", "keydown"])
  addEventListener(act, ({ key }) => {
    wanted = null;
    if (act === "wheel") return;
    [stepped, first, lettered] = [true, null, key?.length === 1 ? performance.now() : lettered];
    if (key !== "Tab") deskPage.walks &&= /^(Shift|Arrow)/.test(key ?? "");
    else if (!deskPage.typing()) deskPage.walks = true;  // out of a field it ends what was typed there
  }, true);

// One press is one step for Back: what a screen writes into its address by itself belongs to that step.
const pushed = history.pushState;
history.pushState = (...step) => {
  (stepped ? pushed : history.replaceState).apply(history, step);
  stepped = false;
};

// Back and Forward come to where the page was scrolled to, as it is drawn: of a part that scrolls a browser keeps nothing.
const scrolled = new Map();
addEventListener("scroll", ({ target }) => {
  if (wanted === null && target === deskPage.screen()) scrolled.set(location.href, target.scrollTop);
}, true);
addEventListener("popstate", () => { wanted = scrolled.get(location.href) ?? 0; });

// A tab is emptied when another one signs out (sign_in_library.py).
addEventListener("storage", (event) => { if (event.key === "warranty-desk.signed-out") location.reload(); });
let shown = new Set(), pressed = false, looked = null;

// The links of a summary of faults, and the field that each leads to.
const links = (within) => [...within.querySelectorAll('a[href^="#st-key-"]')];
const fieldOf = (link) =>
  document.querySelector(`.${link.hash.slice(1)} :is([role="radiogroup"], [role="spinbutton"], input, textarea)`);
const unfold = (field) => field?.closest("details:not([open])")?.querySelector("summary").click();

// The fields with a fault are marked for screen readers, each described by its line of the summary.
const mark = () => {
  const faulty = new Map(links(document).map((link, number) => [fieldOf(link), link.id = `fault-${number}`]));
  for (const field of document.querySelectorAll('[aria-describedby^="fault-"]'))
    if (!faulty.has(field)) for (const name of ["aria-invalid", "aria-describedby"]) field.removeAttribute(name);
  for (const [field, told] of faulty) {
    field?.setAttribute("aria-invalid", "true");
    field?.setAttribute("aria-describedby", told);
  }
};

// A message in a place `look-…` is scrolled to and focused when it appears after a press, unless somebody types;
// nothing that holds a fault is folded away.
const look = () => {
  const places = [...document.querySelectorAll('[class*="st-key-look-"]:has([data-testid="stAlert"] p)')];
  const place = places.findLast((each) => !shown.has(deskPage.placeOf(each)));
  shown = new Set(places.map(deskPage.placeOf));
  if (!place || !pressed || document.activeElement?.matches("input, textarea")) return;
  pressed = false;
  links(place).forEach((link) => unfold(fieldOf(link)));
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "center" });
  looked = place;
};

// From a message that all is done the button that goes on, in the place `next-step`, takes the focus: Enter is the next customer.
const goOn = () => {
  const next = looked && document.activeElement === looked && document.querySelector(".st-key-next-step button");
  if (!next) return;
  looked = null;
  next.focus({ preventScroll: true });
};

// The field in which a screen begins or goes on (in the last place `begin-…`) has the focus when it appears, unless somebody has
// put it elsewhere already, or reads a message that has it; the sign-in not while somebody types. A place may come with the field of before.
let begun = "", held = null, again = null;
const begin = () => {
  const fields = ':is(input, [role="radiogroup"] button)';
  const place = [...document.querySelectorAll(`[class*="st-key-begin-"]:has(${fields})`)].at(-1);
  const field = place?.querySelector(fields), name = deskPage.placeOf(place);
  if (name === begun && (!first || first.isConnected)) return;
  begun = name;
  first = null;
  if (document.activeElement === looked || deskPage.stays() || name?.endsWith("sign-in") && performance.now() - lettered < 2000) return;
  field?.focus({ preventScroll: true });
  first = field;
};

// What has the focus keeps it where the platform draws it anew, unless somebody presses elsewhere.
addEventListener("pointerdown", () => (held = null), true);
addEventListener("focusin", ({ target }) => {
  const name = deskPage.placeOf(target);
  const parts = () => [...document.querySelectorAll(`.${name} :is(input, textarea, button)`)], place = parts().indexOf(target);
  [held, again] = [target, () => parts()[place]];
});
addEventListener("focusout", ({ target }) => queueMicrotask(() => {
  if (held === target && target.isConnected && target !== document.activeElement) held = null;  // it was left
}));

// The keyboard that a phone shows for a field, which the platform cannot be told.
const fit = () => {
  for (const [part, keyboard] of Object.entries({ price: "decimal", quantity: "numeric", email: "email", phone: "tel" }))
    for (const field of document.querySelectorAll(`[class*="st-key-"][class*="${part}"] input:not([inputmode])`))
      field.inputMode = keyboard;
};

// The page is read in the language of the screen, before that in the browser's, and as closely set (frame/header.py).
const read = () => {
  const place = document.querySelector('.st-key-environment > * > [class*="st-key-read-"]');
  const [, spoken, density] = place?.className.match(/st-key-read-([a-z]+)-([a-z]+)/) ?? [];
  const page = document.documentElement;
  if (!spoken || (page.lang === spoken && page.dataset.density === density)) return;
  page.lang = spoken;
  page.dataset.density = density;
};

new MutationObserver(() => {
  read();
  begin();
  if (held && !held.isConnected && document.activeElement === document.body) again()?.focus({ preventScroll: true });
  fit();
  look();
  goOn();
  mark();
  if (wanted !== null) deskPage.screen()?.scrollTo({ top: wanted });
  // An upload area is a focusable region that says it is only for show: it becomes a group.
  document.querySelectorAll('section[role="presentation"]').forEach((area) => area.setAttribute("role", "group"));
}).observe(document, { childList: true, subtree: true });

addEventListener("click", (event) => {
  if (event.target.closest?.("button")) pressed = true;
  const link = event.target.closest?.('a[href^="#st-key-"]');
  if (!link) return;
  event.preventDefault();
  const field = fieldOf(link) ?? window.deskKeys.field?.input;  // in a shadow root
  unfold(field);
  (field?.querySelector('[aria-checked="true"], button') ?? field)?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: "center" });
}, true);

// Ctrl+Enter is a press of the button that says so, wherever the focus is: it leaves the field as a click does, and neither un-chooses
// what has the focus nor presses it. A key that is still held, or pressed once more, goes past nothing that nobody has read.
addEventListener("keydown", (event) => {
  const isChord = event.ctrlKey || event.metaKey, { target } = event;
  // Ctrl+F is the browser's: a table would take it for a search of its own, which counts one page of many.
  if (isChord && event.key.toLowerCase() === "f") event.stopPropagation();
  if (event.key !== "Enter") return;
  if ((event.repeat || isChord) && target.closest?.(".st-key-next-step")) return deskPage.take(event);
  if (!isChord) return;
  if (target.shadowRoot) {
    const { field } = window.deskKeys;
    if (target !== field?.input.getRootNode().host) return;
    field.enter();  // the code that stands there is taken first
  }
  const button = [...document.querySelectorAll("button:enabled:has(kbd)")].find(
    (found) => found.querySelector("kbd").textContent.includes("Enter"),
  );
  if (!button) return;
  deskPage.take(event);
  if (event.repeat || document.querySelector('[data-testid="stDialog"]')) return;
  document.activeElement?.blur();
  button.click();
}, true);
