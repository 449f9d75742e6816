"""The row of an item, and term and type of the plan that was sold on it, each with its usual price: that of the shop's
own price list first, else what the service names for it.
"""

import hashlib
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Final

import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.platform.serving.jobs import JobRegistry
from components.ui.forms.draft_form import DraftForm
from components.ui.frame.polling import poll
from components.words.amounts import months_words
from warranty.client.resources import PurchaseWarranties
from warranty.client.resources.orders import category_steps
from warranty.clock import utc_now
from warranty.desk.sales.plans_known import Plan, SaleItem
from warranty.desk.sales.sale_lines import Naming
from warranty.errors import Failure, WarrantyError
from warranty.files.catalogue import Catalogue
from warranty.files.price_list import PriceList
from warranty.files.shop_files import ShopFiles
from warranty.language import N_, _, ngettext
from warranty.language.written import number, price

OTHER: Final = "other"
_NO_TYPE: Final = N_("No type named")


ChosenPlan = tuple[int | str, Plan | None]
"""A term in months, or the text typed for one; the plan where it means exactly one."""


def item_name(order_id: str, item_key: str) -> str:
    """What the draft's fields of an item begin with, for each order its own: a look at another order loses nothing."""
    return f"item.{hashlib.sha256(order_id.encode()).hexdigest()[:8]}.{item_key}"


def plan_choice(
    form: DraftForm, item: SaleItem, name: str, usual: Callable[[Plan], Decimal | None], *, offered_only: bool = False
) -> ChosenPlan | None:
    """Draw the choice; None while nothing is chosen, which leaves the item out of the sale.

    `name` gives the draft's name of a field of this item, `usual` the usual price of a plan. With `offered_only` there
    is no other term, and what is chosen is changed but not taken back here.
    """
    words = {
        str(months): _priced(months_words(months), [usual(plan) for plan in item.plans_of(months)])
        for months in item.terms
    }
    if not offered_only:
        words |= {OTHER: _("Other")}
        _keep_other_term(form, name, words)
    chosen = form.choice(f"{name}.term", _("Term"), words, None, as_buttons=True, required=offered_only)
    if chosen is None:
        return None
    if chosen == OTHER:
        typed = form.text(f"{name}.other_term", _("Other term in months"))
        form.faults.draw(f"{name}.term", at=f"{name}.other_term")
        months: int | str = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else typed
        return months, None
    form.faults.draw(f"{name}.term")
    plans = item.plans_of(int(chosen))
    if len(plans) < 2 or not item.can_choose(int(chosen)):  # a type that cannot be sent is not offered
        return int(chosen), plans[0] if len(plans) == 1 else None
    by_type, field = {plan.type or _NO_TYPE: plan for plan in plans}, f"{name}.type.{chosen}"
    words = {kind: _priced(plain(plan.type or _(_NO_TYPE)), [usual(plan)]) for kind, plan in by_type.items()}
    kind = form.choice(field, _("Type"), words, None, as_buttons=True)
    form.faults.draw(f"{name}.type", at=field)
    return int(chosen), by_type.get(kind) if kind else None


def choose(form: DraftForm, name: str, plan: Plan) -> None:
    """Choose a plan, as a click on its term would; for callbacks."""
    kind = {f"{name}.type.{plan.months}": plan.type} if plan.type else {}
    form.put({f"{name}.term": str(plan.months), **kind})


def term_of(form: DraftForm, name: str) -> str:
    """The term that is chosen or typed, in months; "" for none."""
    term = form.content.get(f"{name}.term") or ""
    return str(form.content.get(f"{name}.other_term", "")) if term == OTHER else term


def leave_out(form: DraftForm, name: str) -> None:
    """Take the item out of the sale, with what was entered for it; for callbacks."""
    form.put(
        {
            f"{name}.term": None,
            f"{name}.other_term": "",
            f"{name}.price": "",
            f"{name}.quantity": "1",
            f"{name}.naming": Naming.AUTOMATIC.value,
        },
        **{f"{name}.suggested": "", f"{name}.priced": ["", 0]},
    )


def _priced(words: str, prices: Sequence[Decimal | None]) -> str:
    """A choice with what it usually costs, `24 months · 74.99`, where that is known of all its plans."""
    known = sorted({amount for amount in prices if amount is not None})
    if not known or None in prices:
        return words
    lowest = price(known[0])
    return f"{words} · " + (_("from {price}", price=lowest) if len(known) > 1 else lowest)


def _keep_other_term(form: DraftForm, name: str, offered: Container[str]) -> None:
    """Make a term that was chosen before and is no longer in the list another term, never lost."""
    field = f"{name}.term"
    held: str | None = form.content.get(field)
    if held is not None and held not in offered:
        form.put({f"{name}.other_term": held, field: OTHER})


@dataclass(frozen=True, slots=True)
class UsualPrices:
    """Usual prices by item and plan; `problem` says why the shop's list cannot be used, if it cannot."""

    prices: PriceList
    catalogue: Catalogue
    problem: str

    def of(self, item: SaleItem, plan: Plan) -> Decimal | None:
        """The usual price of one unit's plan, in the order's currency; None where nobody says it."""
        product = self.catalogue.find(item.product_id) if item.product_id else None
        listed = self.prices.usual(
            sku=item.product_id,
            months=plan.months,
            plan_type=plan.type,
            categories=(product.category, *reversed(category_steps(product.category))) if product else (),
        )
        return plan.price if listed is None else listed

    def named(self, item: SaleItem, sku: str) -> SaleItem:
        """An item that is entered by hand, as the catalogue names it, if it has its SKU."""
        product = self.catalogue.find(sku) if sku else None
        return replace(item, product_id=sku, title=product.title) if product else item


def usual_prices(files: ShopFiles) -> UsualPrices:
    """The shop's prices; a list that cannot be read is told, and does not stop a sale."""
    prices = files.price_list.in_use()
    faults = prices.remarks[len(prices.remarks) - prices.left_out :] if prices.size else prices.remarks
    problem = "".join(map(str, faults[:1]))
    if problem and prices.size:
        left_out = ngettext(
            "{n} row of the price list was left out.",
            "{n} rows of the price list were left out.",
            len(faults),
            n=number(len(faults)),
        )
        problem = f"{left_out} {problem}."
    return UsualPrices(prices, files.catalogue.in_use(), problem)


def item_head(
    form: DraftForm, name: str, title: str, *, amount: str = "", remove: Callable[[], None] | None = None
) -> None:
    """Draw what it is, in markup, and at the other side the amount and the button, where it can be removed."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(title, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            if amount:
                st.text(amount, width="content")
            if remove:
                remove_button(form, name, remove)


def remove_button(form: DraftForm, name: str, remove: Callable[[], None]) -> None:
    """Draw the button that takes out what the form calls `name`, by a callback."""
    st.button(_("Remove"), key=f"remove-{name}", icon=":material/close:", disabled=form.is_locked, on_click=remove)


_POLL_SECONDS: Final = 0.3
_PATIENCE: Final = timedelta(seconds=2)
_NAME: Final = "plan-reading"


@dataclass(frozen=True, slots=True)
class PlanReading:
    """The last word on an order's plans: an answer, or why there is none newer; `read_at` is in UTC.

    `awaited` is true for the first moments of the first reading: it is not worth drawing what will be replaced at once.
    """

    order_id: str
    answer: PurchaseWarranties | None = None
    failure: Failure | None = None
    read_at: datetime | None = None
    awaited: bool = False

    @property
    def order_is_unknown(self) -> bool:
        """Whether the service says that it has no such order."""
        return self.failure is not None and self.failure.kind == "OrderNotFound"


def plan_reading(
    jobs: JobRegistry, order_id: str, read: Callable[[str], PurchaseWarranties], *, after: str = "", name: str = _NAME
) -> PlanReading:
    """Give what is known now, and start reading where nothing is known.

    `after` names the last thing that may have changed the order; a tab has one reading of each `name`. The answer of a
    read that is under way comes with a rerun of its own; until then an older answer on the same order stands.
    """
    job = f"plans:{session.tab_name()}:{order_id}:{after}"
    wait = st.container()  # always there: what stands below stays mounted, and keeps the focus, when the answer comes
    if jobs.finished(job):
        session.remember(name, (job, jobs.take(job)))
    known: tuple[str, PlanReading] | None = session.recall(name, None)
    if known is not None and known[0] == job:
        return known[1]
    jobs.start_once(job, partial(_read, order_id, read))
    awaited = jobs.age(job) < _PATIENCE
    with wait:
        _wait(jobs, job, awaited=awaited)
    if known is not None and known[1].order_id == order_id:
        return known[1]
    return PlanReading(order_id, awaited=awaited)


def read_plans_again() -> None:
    """Read again at the next run; for callbacks. What was read stays on the screen until then."""
    known: tuple[str, PlanReading] | None = session.recall(_NAME, None)
    if known is not None:
        session.remember(_NAME, ("", known[1]))


def _read(order_id: str, read: Callable[[str], PurchaseWarranties]) -> PlanReading:
    try:
        answer = read(order_id)
    except WarrantyError as error:
        return PlanReading(order_id, failure=error.failure, read_at=utc_now())
    return PlanReading(order_id, answer=answer, read_at=utc_now())


def _wait(jobs: JobRegistry, job: str, *, awaited: bool) -> None:
    def draw() -> bool:
        if not jobs.running(job) or awaited != (jobs.age(job) < _PATIENCE):
            return False
        st.caption(_("Asking the service for the plans…"))
        return True

    poll(draw, every=_POLL_SECONDS)
