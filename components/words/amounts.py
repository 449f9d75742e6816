"""Money, counts and the terms of plans in words for people: two decimals, the currency behind."""

from decimal import Decimal


def money(amount: Decimal, currency: str) -> str:
    """An amount as people read it: `1,299.00 USD`."""
    return f"{amount:,.2f} {currency}"


def counted(number: float, one: str, several: str = "") -> str:
    """How many there are: `1 second`, `2 seconds`; `several` where it is more than an s behind."""
    return f"{number:,.0f} {one if number == 1 else several or one + 's'}"


def compared(amount: Decimal, usual: Decimal) -> str:
    """How an amount stands to the usual price, which is another, in the same currency."""
    side = "below" if amount < usual else "above"
    return f"{abs(amount - usual):,.2f} {side} the usual price"


def unusual(amount: Decimal, *, product_price: Decimal | None, usual: Decimal | None) -> str:
    """Why a price asks for a second look, also where it is off the usual price by more than a third; else ""."""
    if amount == 0:
        return "0.00 means that the customer got the plan for nothing"
    if amount == 1:
        return "1.00 often stands where a price was not known"
    if product_price is not None and amount > product_price:
        return f"the plan costs more than the product itself ({product_price:,.2f})"
    if usual is not None and not usual * 2 <= amount * 3 <= usual * 4:
        return f"the usual price is {usual:,.2f}"
    return ""


def months_words(months: int) -> str:
    """A term in words: `1 month`, `24 months`."""
    return counted(months, "month")


def plan_words(months: int | None, *more: str | None) -> str:
    """A plan in short, as far as it is known: `24 months, Extended warranty, 79.99 USD`."""
    return ", ".join(filter(None, (months_words(months) if months else "", *more)))


def each_of(units: int | str) -> str:
    """What is said behind a plan that was sold for several units: `, for each of 3 units`."""
    return f", for each of {units} units" if units not in {"", "1", 1} else ""
