// The pad of a till: who is there now.
const PREFIX = "WDBQ", APART = 500, LEFT = "warranty-desk.signed-out";
let told = null, failed = "", chosen = null, digits = "", said = "", busy = false, typed = "", typedAt = 0;

const password = make("a", "", "", { href: "./?sign-in=password" });

const people = () => box("people", ...told.people.map((person, place) => {
  const made = button("", () => choose(person));
  made.append(make("span", place < 9 ? String(place + 1) : "", "number"), make("span", person.name));
  return made;
}));
const pad = () => box("pad",
  ..."123456789".split("").map((digit) => button(digit, () => add(digit))),
  button(say("back"), unchoose, "small"),
  button("0", () => add("0")),
  button("⌫", erase, "", { ariaLabel: say("erase") }),
);
const dots = () => {
  const each = Array.from({ length: chosen.digits }, (_, place) => make("i", "", place < digits.length ? "on" : ""));
  return Object.assign(box("dots", ...each), { ariaHidden: "true" });
};

const draw = () => {
  drawAround(told?.shop);
  part("place").textContent = told?.till ?? "";
  password.textContent = say("password");
  part("said").textContent = said && !told?.locked ? say(said, told ?? {}) : "";
  const main = part("main");
  main.className = chosen ? "choose" : "";
  if (busy) main.replaceChildren(make("h1", say("in", { name: busy })));
  else if (failed || !told) main.replaceChildren(make("h1", failed ? say(failed) : ""));
  else if (told.locked) main.replaceChildren(make("h1", say("locked")));
  else if (chosen) main.replaceChildren(make("h1", say("pin", { name: chosen.name })), dots(), pad());
  else if (!told.people.length) main.replaceChildren(make("h1", say("nobody")));
  else main.replaceChildren(make("h1", say("who")), make("p", say("how")), people());
};

const choose = (person) => { chosen = person; digits = ""; said = ""; draw(); };
const unchoose = () => { chosen = null; digits = ""; draw(); };
const erase = () => { if (digits) digits = digits.slice(0, -1); else chosen = null; draw(); };
const add = (digit) => {
  digits += digit;
  said = "";
  if (digits.length < chosen.digits) draw();
  else switchTo({ person: chosen.id, pin: digits }, chosen.name);
};

const switchTo = async (who, name) => {
  if (busy) return;
  busy = name;
  digits = "";
  draw();
  let status = 0;
  try {
    status = (await fetch("till/switch", { method: "POST", body: JSON.stringify(who) })).status;
  } catch { /* the line is away */ }
  if (status === 200) {
    localStorage.setItem(LEFT, Date.now());  // other tabs of this till begin anew
    location.replace("./");
    return;
  }
  busy = false;
  if (status !== 403) chosen = null;  // a wrong PIN is typed again, under the same name
  said = { 403: who.badge ? "wrong_badge" : "wrong", 410: "spent", 423: "", 404: "no_till" }[status] ?? "away";
  await look();
};

const look = async () => {
  try {
    const answer = await fetch("till/now");
    failed = { 200: "", 404: "no_till" }[answer.status] ?? "away";
    told = answer.ok ? await answer.json() : null;
  } catch {
    failed = "away";
  }
  if (told?.locked) chosen = null;
  draw();
};

addEventListener("keydown", (event) => {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || busy) return;
  if (event.timeStamp - typedAt > APART) typed = "";
  // A scanner types a badge whole: its letters choose nobody.
  if (typed.length >= PREFIX.length && key === "Enter") {
    event.preventDefault();
    const badge = typed;
    typed = "";
    switchTo({ badge }, say("badge"));
    return;
  }
  if (key.length !== 1) {
    typed = "";
    if (key === "Backspace" && chosen) erase();
    if (key === "Escape" && chosen) unchoose();
    return;
  }
  typedAt = event.timeStamp;
  const next = (typed + key).toUpperCase();
  typed = next.startsWith(PREFIX) || PREFIX.startsWith(next) ? next : "";
  if (typed.length > 1 || !told?.people?.length || told.locked) return;
  if (chosen) {
    if (/^[0-9]$/.test(key)) add(key);
    return;
  }
  const initial = key.toLocaleUpperCase();
  const fitting = told.people.filter((person) => person.name.toLocaleUpperCase().startsWith(initial));
  const person = told.people["123456789".indexOf(key)] ?? (fitting.length === 1 ? fitting[0] : null);
  if (person) {
    event.preventDefault();
    choose(person);
  }
});
addEventListener("pageshow", look);
setInterval(() => { if (!chosen && !busy) look(); }, 15000);
part("footer").append(password);
draw();
