"""Money, counts and the terms of plans in words for people: two decimals, the currency behind."""

from decimal import Decimal

from warranty.language import _, ngettext
from warranty.language.written import number, price


def money(amount: Decimal, currency: str) -> str:
    """An amount as people read it: `1,299.00 USD`."""
    return f"{price(amount)} {currency}"


def compared(amount: Decimal, usual: Decimal) -> str:
    """How an amount stands to the usual price, which is another, in the same currency."""
    apart = price(abs(amount - usual))
    if amount < usual:
        return _("{apart} below the usual price", apart=apart)
    return _("{apart} above the usual price", apart=apart)


def unusual(amount: Decimal, *, product_price: Decimal | None, usual: Decimal | None) -> str:
    """Why a price asks for a second look, also where it is off the usual price by more than a third; else ""."""
    if amount == 0:
        return _("{price} means the customer got the plan for free", price=price(amount))
    if amount == 1:
        return _("{price} often stands where a price was not known", price=price(amount))
    if product_price is not None and amount > product_price:
        return _("the plan costs more than the product itself ({price})", price=price(product_price))
    if usual is not None and not usual * 2 <= amount * 3 <= usual * 4:
        return _("the usual price is {price}", price=price(usual))
    return ""


def months_words(months: int) -> str:
    """A term in words: `1 month`, `24 months`."""
    return ngettext("{n} month", "{n} months", months, n=number(months))


def plan_words(months: int | None, *more: str | None) -> str:
    """A plan in short, as far as it is known: `24 months, Extended warranty, 79.99 USD`."""
    return ", ".join(filter(None, (months_words(months) if months else "", *more)))


def each_of(units: int | str) -> str:
    """What is said behind a plan that was sold for several units: `, for each of 3 units`."""
    return _(", for each of {units} units", units=units) if units not in {"", "1", 1} else ""
