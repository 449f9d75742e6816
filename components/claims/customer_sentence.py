"""What to tell a customer who asks after a claim: one sentence, true, without a promise. Pure."""

from collections.abc import Collection, Hashable, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any

from components.words.amounts import counted
from warranty.analysis.periods import day_words


def customer_sentence(
    claim: Mapping[Hashable, Any], *, closed: Collection[str], as_of: datetime, now: datetime, zone: tzinfo
) -> str:
    """Say how the claim stands, as of when it was read in the reader's `zone`.

    `claim` has the fields of a frame's row. A status that is not among the `closed` words is quoted: it is the
    service's own word, and what it means is not ours to say. Age counts days of service time.
    """
    status, product = str(claim["status"]).strip(), " ".join(str(claim["product_name"]).split())
    made = claim["claim_date"].date()
    for_what = f" for the {product}" if product else ""
    if status in closed:
        stands = f"is closed at the service, as {status}"
    elif status:
        stands = f"is at the service as “{status}”"
    else:
        stands = "is at the service, which gives it no status"
    read, here = as_of.astimezone(zone), now.astimezone(zone)
    is_today = read.date() == here.date()
    when = f"{read:%H:%M} {'today' if is_today else f'on {day_words(read.date())}'}"
    age = (as_of.astimezone(UTC).date() - made).days
    old = ""
    if age > 0 and status not in closed:
        old = f"; it {'is' if is_today else 'was then'} {counted(age, 'day')} old"
    return f"Your claim of {day_words(made)}{for_what} {stands}, as of {when}{old}."
