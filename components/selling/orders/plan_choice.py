"""Term and type of the plan that was sold on an item, each with its usual price: the known ones, and another."""

import hashlib
from collections.abc import Callable, Container, Sequence
from decimal import Decimal
from typing import Final

from components.platform.markup import plain
from components.ui.forms.draft_form import DraftForm
from components.words.amounts import months_words
from warranty.desk.sales.plans_known import Plan, SaleItem
from warranty.desk.sales.sale_lines import Naming
from warranty.language import N_, _
from warranty.language.written import price

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
    form.put({f"{name}.term": str(plan.months)})
    if plan.type:
        form.put({f"{name}.type.{plan.months}": plan.type})


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
