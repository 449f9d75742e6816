// The customer's screen: asks what it shows, twice a second, and draws that.
const EVERY = 400, PATIENCE = 4000, GIVE_UP = 60000, MOST = 14;
const main = part("main");
let told = null, heardAt = Date.now(), isAway = false;

const money = (amount, currency) => {
  if (amount === null || amount === undefined) return "";
  const region = navigator.language.startsWith(language) ? navigator.language : `${language}-US`;
  try {
    return new Intl.NumberFormat(region, { style: "currency", currency }).format(Number(amount));
  } catch {
    return `${amount} ${currency}`;
  }
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
const total = (shown) => {
  if (shown.total === null || shown.total === undefined) return null;
  return box("total", make("span", say("total")), make("span", money(shown.total, shown.currency)));
};

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
    const code = shown.picture && Object.assign(make("img"), { src: shown.picture, alt: say("alt") });
    return [box("sides",
      box("scan", make("h1", say(code ? "scan" : "no_code")), code, shown.later && make("p", say("later"))),
      box("", make("h2", say(shown.plans.length ? "offers" : "basket")),
        list(itemRows(shown, (item) => shown.plans.filter(isOf(item)))), total(shown),
        others.length && list(planRows({ ...shown, plans: others }))))];
  },
};

function draw() {
  drawAround(told?.shop);
  const shown = told?.shown, drawing = shown && drawings[shown.kind];
  let parts = [make("h1", say(told && !isAway ? "welcome" : "away"))];
  if (told?.code && !isAway) {
    const code = make("div", `${told.code.slice(0, 3)} ${told.code.slice(3)}`, "code");
    parts = [make("h1", say("connect")), code, make("p", say("how"))];
  } else if (drawing && !isAway) parts = drawing(shown);
  main.className = drawing && !isAway ? "wide" : "middle";
  main.replaceChildren(...parts.filter(Boolean));
  if (told?.shop) document.title = told.shop;
  leave.textContent = say("leave");
  leave.hidden = !told || Boolean(told.code);
}

async function ask() {
  try {
    const seen = told ? `?seen=${told.version}` : "";
    const answer = await fetch(`customer/now${seen}`, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok) {
      heardAt = Date.now();
      const fresh = answer.status === 200 ? await answer.json() : null;
      if (fresh || isAway) {
        told = fresh ?? told;
        isAway = false;
        draw();
      }
    }
  } catch {
    // a replica has gone, or the network: the next one answers
  }
  if (!isAway && Date.now() - heardAt > GIVE_UP) {
    isAway = true;  // what a customer bought does not stand there for who comes next
    draw();
  }
  setTimeout(ask, EVERY);
}

main.setAttribute("aria-live", "polite");
main.tabIndex = 0;  // what does not fit is reached by keyboard, too
part("footer").append(leave);
draw();
ask();
