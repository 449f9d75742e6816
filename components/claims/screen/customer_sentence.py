"""What to tell a customer who asks after a claim: one sentence, true, without a promise. Pure."""

from collections.abc import Collection, Hashable, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any

from warranty.claims.analysis.periods import day_words
from warranty.language import _, ngettext
from warranty.language.written import CLOCK, dated, number


def customer_sentence(
    claim: Mapping[Hashable, Any], *, closed: Collection[str], as_of: datetime, now: datetime, zone: tzinfo
) -> str:
    """Say how the claim stands, as of when it was read in the reader's `zone`.

    `claim` has the fields of a frame's row. A status that is not among the `closed` words is quoted: it is the
    service's own word, and what it means is not ours to say. Age counts days of service time.
    """
    status, product = str(claim["status"]).strip(), " ".join(str(claim["product_name"]).split())
    made = claim["claim_date"].date()
    if product:
        claimed = _("Your claim of {day} for the {product}", day=day_words(made), product=product)
    else:
        claimed = _("Your claim of {day}", day=day_words(made))
    if status in closed:
        stands = _("is closed at the service, as {status}", status=status)
    elif status:
        stands = _("is at the service as “{status}”", status=status)
    else:
        stands = _("is at the service, which gives it no status")
    read, here = as_of.astimezone(zone), now.astimezone(zone)
    is_today = read.date() == here.date()
    clock = dated(read, CLOCK)
    if is_today:
        when = _("as of {time} today", time=clock)
    else:
        when = _("as of {time} on {day}", time=clock, day=day_words(read.date()))
    age = (as_of.astimezone(UTC).date() - made).days
    old = ""
    if age > 0 and status not in closed:
        old = (
            ngettext("; it is {n} day old", "; it is {n} days old", age, n=number(age))
            if is_today
            else ngettext("; it was then {n} day old", "; it was then {n} days old", age, n=number(age))
        )
    return f"{claimed} {stands}, {when}{old}."
