"""What was seen of the service, told: its drift as JSON for support, its record as a page for the vendor."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Final

from warranty import VERSION
from warranty.journal.shared.observations import Sighting
from warranty.language import N_, _, pgettext
from warranty.language.written import CLOCK, DAY, MONTH, dated, number
from warranty.observed.assumptions import ASSUMPTIONS, contradicted
from warranty.observed.record import UNREACHED, Month
from warranty.printing.page import PrintPage
from warranty.settings import Settings

CALLS: Final = {
    "submit_order": N_("Orders"),
    "record_sale": N_("Sales"),
    "notify_checkout": N_("Checkouts"),
    "claims": N_("Claims"),
    "purchase_warranties": N_("Plans"),
    "offers": N_("Offers"),
    "verify_credentials": N_("Tokens"),
}
"""Each call in a word of the shop."""
COLUMNS: Final = (
    N_("Month"),
    N_("Calls"),
    N_("Reached"),
    N_("Refused"),
    N_("Failed"),
    N_("Unknown"),
    N_("Not sent"),
)
"""Said with `_`, as all words here."""
_PRINTED: Final = ("submit_order", "record_sale", "notify_checkout", "claims")
_MOST_SENTENCES: Final = 8
COUNTED: Final = N_(
    "As this shop's desks saw it, each try counted, months in UTC. Reached means answered "
    "and not by a failure of the service (5xx), unknown means sent without a usable answer, "
    "and not sent means no connection, which may be the shop's own network."
)
BOUND: Final = N_("95 %: 95 of 100 tries took no longer than this, answered or not; it is an upper bound.")


def drift_json(seen: Sequence[Sighting], settings: Settings, *, made: datetime) -> bytes:
    """All that was seen beside the document, and what became of each assumption; no value of a customer is in it."""
    first = {name: moment.isoformat() for name, moment in contradicted(seen).items()}
    report = {
        "program": f"Warranty Desk {VERSION}",
        "environment": settings.environment,
        "made": made.isoformat(),
        "seen": [
            {
                **asdict(each.oddity),
                "first_seen": each.first_seen.isoformat(),
                "last_seen": each.last_seen.isoformat(),
                "answers": each.times,
            }
            for each in seen
        ],
        "assumptions": {
            one.name: {"cannot_be_seen_because": one.unseen}
            if one.unseen
            else {"first_contradicted": first.get(one.name)}
            for one in ASSUMPTIONS
        },
    }
    return json.dumps(report, indent=1, ensure_ascii=False).encode()


def month_cells(month: Month) -> tuple[str, ...]:
    """A month in the columns of `COLUMNS`."""
    counts = (month.refused, *(month.outcomes[each] for each in UNREACHED))
    return (
        month_words(month),
        number(month.outcomes.total()),
        month.reached,
        *(number(each) for each in counts),
    )


def month_words(month: Month) -> str:
    """A month as people write it: `Nov 2026`."""
    return dated(datetime.fromisoformat(f"{month.name}-01"), MONTH)


def p95_words(month: Month, operation: str) -> str:
    """How long 95 of 100 tries of a call took at most: `0.3 s`; a dash where there was none."""
    bound = month.p95.get(operation)
    return "–" if bound is None else f"{bound / 1000:g} s"


def sentences(months: Sequence[Month]) -> list[tuple[str, str, str]]:
    """What was refused, the most frequent first: the service's sentence, how often, and in which months."""
    counts = sum((month.sentences for month in months), Counter[str]())
    found = []
    for sentence, count in counts.most_common():
        said = [month_words(month) for month in months if sentence in month.sentences]
        months_said = said[0] if len(said) == 1 else _("{first} to {last}", first=said[0], last=said[-1])
        found.append((sentence, number(count), months_said))
    return found


def record_pdf(months: Sequence[Month], settings: Settings, *, made: datetime) -> bytes:
    """The record as one page of A4, however wide the service's sentences are: those that find no room are counted."""
    refused = sentences(months)
    for shown in range(min(len(refused), _MOST_SENTENCES), -1, -1):
        page = _record_page(months, settings, made, refused[:shown], left_out=len(refused) - shown)
        if page.pages == 1:
            break
    return page.content()


def _record_page(
    months: Sequence[Month],
    settings: Settings,
    made: datetime,
    refused: Sequence[tuple[str, str, str]],
    *,
    left_out: int,
) -> PrintPage:
    shop = settings.shop_name
    page = PrintPage(
        title=_("{shop}: the warranty service", shop=shop), size="A4", margin=14, mark=settings.print_mark
    )
    page.line(shop, 16)
    page.line(_("The warranty service, by month"), 13)
    page.line(
        _(
            "Made {when} UTC. {environment}: {address}",
            when=dated(made, f"{DAY}, {CLOCK}"),
            environment=settings.environment,
            address=settings.base_url or _("not set"),
        ),
        9,
        below=2,
    )
    page.line(_(COUNTED), 8, below=3)
    page.table(
        (*(_(name) for name in COLUMNS), *(f"95 % {_(CALLS[each])}" for each in _PRINTED)),
        [(*month_cells(month), *(p95_words(month, each) for each in _PRINTED)) for month in months],
        widths=(19, 17, 18, 17, 14, 18, 14, 15, 15, 20, 15),
        numbers=True,
    )
    page.line(_(BOUND), 8, below=3)
    if refused or left_out:
        page.line(_("Refused, in the service's words"), 12)
        page.line(_("What names an order, a product or a person is left out."), 8, below=1)
    if refused:
        page.table(
            (_("Sentence"), _("Times"), pgettext("which months", "In")),
            refused,
            widths=(110, 16, 40),
            numbers=False,
        )
    if left_out:
        page.line(_("And {n} other sentences.", n=left_out), 8)
    return page
