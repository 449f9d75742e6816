"""A confirmation for the customer: what was paid for which plan, and the warranty order's number, as a PDF page of A5.

It is made of the journal's entry, so it holds nothing about the customer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from warranty.files.printing.page import PrintPage
from warranty.language import _
from warranty.language.written import price


@dataclass(frozen=True, slots=True)
class SoldPlan:
    """A plan as the customer reads it; `price` is for one unit, None where it is not known here.

    `members` are the products of a bundle, `covered` says until when.
    """

    product: str
    term: str
    kind: str
    units: int
    price: Decimal | None
    members: tuple[str, ...] = ()
    covered: str = ""


def sale_confirmation(
    *,
    shop: str,
    order_id: str,
    warranty_order_id: str,
    when: str,
    currency: str,
    plans: Sequence[SoldPlan],
    reference: str,
    mark: str = "",
) -> bytes:
    """Make the page; further pages follow where the plans need them, in the language that is spoken.

    `when` is in words, `reference` is for support, `mark` as in `PrintPage`.
    """
    page = PrintPage(title=_("{shop}: confirmation of protection", shop=shop), size="A5", mark=mark)
    page.line(shop, 20)
    page.line(_("Confirmation of protection"), 14)
    page.line(when, 10, below=3)
    for plan in plans:
        paid = "" if plan.price is None else f"{price(plan.price * plan.units)} {currency}"
        page.pair(plan.product or _("Item"), paid, 12)
        page.line(_plan_words(plan), 10, below=0 if plan.members else 2)
        if plan.members:
            page.line(_("Covers {products}", products=", ".join(plan.members)), 10, below=2)
    total = _total(plans)
    if total is not None:
        page.rule()
        page.pair(_("Paid in all"), f"{price(total)} {currency}", 13)
    page.line("", 10)
    page.line(_("Your warranty order"), 10)
    page.line(warranty_order_id or _("The number follows from the shop"), 13, below=2)
    page.line(_("Order {order}", order=order_id), 9)
    page.line(_("Reference {reference}", reference=reference), 9, below=3)
    page.line(_("Keep this page. It is what the shop needs to find your protection again."), 10)
    return page.content()


def _plan_words(plan: SoldPlan) -> str:
    kind = f", {plan.kind}" if plan.kind else ""
    units = _(", for {n} units", n=plan.units) if plan.units > 1 else ""
    covered = f", {plan.covered}" if plan.covered else ""
    return f"{plan.term}{kind}{units}{covered}"


def _total(plans: Sequence[SoldPlan]) -> Decimal | None:
    prices = [plan.price * plan.units for plan in plans if plan.price is not None]
    return sum(prices, Decimal(0)) if len(prices) == len(plans) else None
