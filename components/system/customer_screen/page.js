// The customer's screen: asks what it shows, twice a second, and draws that.
const EVERY = 400, PATIENCE = 4000, GIVE_UP = 60000, MOST = 14;
const main = part("main");
let told = null, heardAt = Date.now(), isAway = false, drawn = "";

const money = (amount, currency) => {
  const region = navigator.language.startsWith(language) ? navigator.language : `${language}-US`;
  return amount == null ? "" : new Intl.NumberFormat(region, { style: "currency", currency }).format(amount);
};
const term = (months) => (months === null ? say("plan") : months === 1 ? say("month") : say("months", { n: months }));

const list = (rows) => {
  const made = make("ul", "", rows.length > 7 ? "many" : "");
  const left = Math.max(0, rows.length - MOST);
  if (left) made.append(make("li", say("more", { n: left })));
  made.append(...rows.slice(left).map((cells) => {
    const row = make("li");
    row.append(...cells.filter(([, what]) => what).map(([kind, what]) => (what instanceof Node ? what : make("span", what, kind))));
    return row;
  }));
  return made;
};
const itemRows = (shown, plansOf = () => []) => shown.items.map((item) => [
  ["units", `${item.units} ×`], ["name", item.name || "–"], ["price", money(item.price, shown.currency)],
  ["terms", terms(plansOf(item), shown.currency)],
]);
// The plans on one product, side by side; of what kind, where there are several kinds.
const terms = (plans, currency) => {
  const isOfKinds = new Set(plans.map((plan) => plan.kind)).size > 1;
  return plans.length && box("terms", ...plans.map((plan) => {
    const words = [term(plan.months), isOfKinds && plan.kind].filter(Boolean).join(", ");
    const made = make("span", `${words} `);
    made.append(make("b", money(plan.price, currency)));
    return made;
  }));
};
const planRows = (shown) => shown.plans.map((plan) => [
  ["units", plan.units > 1 ? `${plan.units} ×` : ""], ["name", plan.name || say("plan")],
  ["about", [term(plan.months), plan.kind].filter(Boolean).join(", ")], ["price", money(plan.price, shown.currency)],
]);
const total = (shown) =>
  shown.total != null && box("total", make("span", say("total")), make("span", money(shown.total, shown.currency)));

const leave = button("", async () => {
  if (confirm(say("sure"))) await fetch("customer/leave", { method: "POST" });
});

const drawings = {
  basket: (shown) => [make("h1", say("basket")), list(itemRows(shown)), total(shown)],
  plans: (shown) => [make("h1", say(shown.kind)), list(planRows(shown)), total(shown)],
  sold: (shown) => drawings.plans(shown),
  link: (shown) => {
    const isOf = (item) => (plan) => plan.name === item.name;
    const others = shown.plans.filter((plan) => !shown.items.some((item) => isOf(item)(plan)));
    const code = shown.picture && make("img", "", "", { src: shown.picture, alt: say("alt") });
    return [box("sides",
      box("scan", make("h1", say(code ? "scan" : "no_code")), code, shown.later && make("p", say("later"))),
      box("", make("h2", say(shown.plans.length ? "offers" : "basket")),
        list(itemRows(shown, (item) => shown.plans.filter(isOf(item)))), total(shown),
        others.length && list(planRows({ ...shown, plans: others }))))];
  },
};

const draw = () => {
  const now = isAway ? null : told, drawing = drawings[now?.shown?.kind];
  drawAround(told?.shop);
  document.title = told?.shop || document.title;
  let parts = [make("h1", say(now ? "welcome" : "away"))];
  if (now?.code) parts = [make("h1", say("connect")), make("div", now.code.replace(/^.../, "$& "), "code"), make("p", say("how"))];
  else if (drawing) parts = drawing(now.shown);
  main.className = drawing ? "wide" : "middle";
  main.replaceChildren(...parts.filter(Boolean));
  leave.textContent = say("leave");
  leave.hidden = !told || Boolean(told.code);
};

const ask = async () => {
  try {
    const seen = told ? `?seen=${told.version}` : "";
    const answer = await fetch(`customer/now${seen}`, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status === 200) told = await answer.json();
    if (answer.ok) heardAt = Date.now();
  } catch { /* a replica has gone, or the network: the next one answers */ }
  isAway = Date.now() - heardAt > GIVE_UP;  // what a customer bought does not stand there for who comes next
  const asNow = `${told?.version} ${isAway}`;
  if (drawn !== asNow) draw();
  drawn = asNow;
  setTimeout(ask, EVERY);
};

main.setAttribute("aria-live", "polite");
main.tabIndex = 0;  // what does not fit is reached by keyboard, too
part("footer").append(leave);
draw();
ask();
