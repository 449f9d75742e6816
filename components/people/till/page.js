// The pad of a till: who is there now.
import "./page_till.js";

let told = null, failed = "", chosen = null, digits = "", said = "", busy = "";

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
const dots = () => make("p", "●".repeat(digits.length).padEnd(chosen.digits, "○"), "dots", { ariaHidden: "true" });

const draw = () => {
  drawAround(told?.shop);
  part("place").textContent = told?.till ?? "";
  password.textContent = say("password");
  part("said").textContent = said && !told?.locked ? say(said, told ?? {}) : "";
  const show = (title, ...parts) => part("main").replaceChildren(make("h1", title), ...parts);
  if (busy) show(say("in", { name: busy }));
  else if (failed || !told) show(failed && say(failed));
  else if (told.locked) show(say("locked"));
  else if (chosen) show(say("pin", { name: chosen.name }), dots(), pad());
  else if (!told.people.length) show(say("nobody"));
  else show(say("who"), make("p", say("how")), people());
};

const choose = (person) => { chosen = person; digits = ""; said = ""; draw(); };
const unchoose = () => { chosen = null; digits = ""; draw(); };
const erase = () => { if (digits) digits = digits.slice(0, -1); else chosen = null; draw(); };
const add = (digit) => {
  digits += digit;
  said = "";
  if (digits.length < chosen.digits) draw();
  else if (!busy) deskTill.switchBy({ person: chosen.id, pin: digits });
};
deskTill.watch({
  path: "till",
  home: "./",
  begins(who) {
    busy = who.badge ? say("badge") : chosen.name;
    digits = "";
    draw();
  },
  refused(status, who) {
    busy = "";
    if (status !== 403) chosen = null;  // a wrong PIN is typed again, under the same name
    said = { 403: who.badge ? "wrong_badge" : "wrong", 410: "spent", 423: "", 404: "no_till" }[status] ?? "away";
    look();
  },
});

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
  if (key === "Backspace" && chosen) erase();
  if (key === "Escape" && chosen) unchoose();
  // A scanner types a badge whole: its letters choose nobody.
  if (key.length !== 1 || deskTill.typed() > 1 || !told?.people?.length || told.locked) return;
  if (chosen) {
    if (/^[0-9]$/.test(key)) add(key);
    return;
  }
  const initial = key.toLocaleUpperCase();
  const fitting = told.people.filter((person) => person.name.toLocaleUpperCase().startsWith(initial));
  const person = told.people["123456789".indexOf(key)] ?? (fitting.length === 1 ? fitting[0] : null);
  if (!person) return;
  event.preventDefault();
  choose(person);
});
addEventListener("pageshow", look);
setInterval(() => { if (!chosen && !busy) look(); }, 15000);
part("footer").append(password);
draw();
