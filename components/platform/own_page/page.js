// A page of our own: its words, its languages, and what makes its parts. Every text is set as text, never as markup.
const part = (name) => document.getElementById(name);
const ALL = JSON.parse(part("words").textContent);
let language = localStorage.getItem("language") || navigator.language.slice(0, 2);
if (!(language in ALL)) language = "en";

const say = (name, values = {}) =>
  Object.entries(values).reduce((words, [key, value]) => words.replace(`{${key}}`, value), ALL[language][name]);
const make = (name, text = "", kind = "", more = {}) =>
  Object.assign(document.createElement(name), { textContent: text, className: kind, ...more });
const button = (text, onclick, kind = "", more = {}) => make("button", text, kind, { type: "button", onclick, ...more });
const box = (kind, ...parts) => {
  const made = make("div", "", kind);
  made.append(...parts.filter(Boolean));
  return made;
};

// Each page has a `draw`, and draws this with it.
const drawAround = (shop) => {
  document.documentElement.lang = language;
  part("shop").textContent = shop ?? "";
  if (ALL[language].environment) part("environment").textContent = `${say("environment")}: ${say("environment_means")}`;
  for (const choice of part("languages").children) choice.setAttribute("aria-pressed", String(choice.lang === language));
};
part("languages").append(...Object.keys(ALL).map((code) => button(ALL[code].language, () => {
  language = code;
  localStorage.setItem("language", code);
  draw();
}, "", { lang: code })));
