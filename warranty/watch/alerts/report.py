"""A month for who reads no screen: what was claimed, against what, what is open, and what the desk itself did.

Made of a complete reading only: a month beside a part of another would mislead.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from functools import partial

from warranty.claims.analysis import Base, ClaimCube, Figure, Period, Selection, Trends
from warranty.claims.analysis.against import Compared, comparable, why_not_comparable
from warranty.claims.analysis.of_claims import base_of
from warranty.claims.analysis.periods import DAY
from warranty.claims.readings.limits import claim_limits
from warranty.claims.retrieval import ClaimSet, retrieve_claims, with_beginning
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState, Journal
from warranty.desk.journal.shift_report import Sold, shift_report
from warranty.files.export import seal
from warranty.files.printing.page import PrintPage
from warranty.insight.history.nights import Nights
from warranty.insight.outlook.forecasts import outlook_days
from warranty.insight.outlook.warnings import product_warnings
from warranty.language import _
from warranty.language.written import dated, number
from warranty.people.tills.tills import shop_now
from warranty.settings import Settings
from warranty.watch.alerts.ways import Letter, moment, one_line

_MOST_NAMED = 10
_LONGEST_SENTENCE = 800


def letter_of_month(settings: Settings, journal: Journal, client: WarrantyClient, month: Period) -> Letter | str:
    """Read what the report on a month needs and write it; where claims are missing, gives how many in words instead."""
    now = shop_now(journal.database)
    here = now.tzinfo or UTC
    compared = comparable(month)
    limits = claim_limits(settings, journal.database, client)
    first = min(compared.last_year.first, outlook_days(month.last).first)
    read = Period(first, now.date())  # what is open may be as young as today
    reader = partial(retrieve_claims, client, limits=limits)
    claims = with_beginning(reader(ClaimQuery(claim_dates=read.times)), reader)
    if not claims.is_whole:
        return seal(claims)
    start, end = month.bounds(here)
    done, unknown = frozenset({AttemptState.DONE}), frozenset({AttemptState.UNKNOWN})
    sales = AttemptFilter(start=start, end=end, operation="record_sale", states=done, limit=None)
    sold = shift_report(journal.attempts(settings.environment, sales), zone=here).sold
    unanswered = journal.attempts(settings.environment, AttemptFilter(states=unknown, limit=None))
    found = product_warnings(claims.frame, days=Period(first, month.last + DAY))
    warnings = tuple(one_line(each.sentence, longest=_LONGEST_SENTENCE) for each in found)
    history = Nights.of(settings)
    by_day = {night.day: night.whole for night in (*history.incomplete, *history.complete)}
    nights = [whole for day, whole in by_day.items() if month.first <= day <= month.last]
    sections = [
        *([Section(_("Products to look at"), warnings)] if warnings else []),
        *of_claims(claims, compared, closed=settings.closed_statuses),
        of_desk(sold, unanswered, nights, month=month),
    ]
    shop, of_month = one_line(settings.shop_name), dated(month.first, "MMMM y")
    title = _("{shop}: warranty claims of {month}", shop=shop, month=of_month)
    return Letter(
        message_id="",
        title=title,
        text=in_text(sections),
        about={"environment": settings.environment, "month": f"{month.first:%Y-%m}"},
        page=on_paper(title, sections, mark=settings.print_mark),
        page_name=f"warranty-claims-{month.first:%Y-%m}.pdf",
    )


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, sentences, and a table (without columns: none) of names and, beside them, numbers."""

    heading: str
    sentences: tuple[str, ...]
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def of_claims(claims: ClaimSet, compared: Compared, *, closed: tuple[str, ...]) -> list[Section]:
    """Count a month that is over beside the days it is compared with; `claims` is whole and has all of these days."""
    cube = ClaimCube.of(claims.frame, codes=claims.table.codes)
    all_days = Period.of(claims.query.claim_dates or compared.month.times)
    periods = [*compared]
    month, *others = (Trends(cube, period, closed=closed) for period in periods)
    counts = [each.claims for each in (month, *others)]
    base = base_of(claims, Selection(), count=len(claims.frame))
    not_compared = [why_not_comparable(each.period, claims.known_from) for each in others]
    figure = Figure(
        name=_("Claims"),
        value=counts[0],
        base=replace(base, of=_("claims dated {days}", days=compared.month.words), count=counts[0]),
        changes=tuple(
            compared.change(counts[0], each.period, n, since=claims.known_from)
            for each, n, why_not in zip(others, counts[1:], not_compared, strict=True)
            if not why_not
        ),
    )
    headings = [period.month for period in periods]
    products = month.by_product(top=_MOST_NAMED)
    named = {name: place for place, name in enumerate(cube.products)}
    by_product = [cube.count_products(cube.rows(period)) for period in periods]
    aged = Trends(cube, all_days, closed=closed).open_by_age(today=claims.as_of.date())
    open_words = ", ".join(one_line(word) for word in aged.statuses) or _("none")
    changed = [figure.how_it_changed] if figure.changes else []
    rest, on = number(products.rest), number(products.other_products)
    others_too = _("{n} more claims are on {products} other products.", n=rest, products=on)
    is_closed = ", ".join(map(one_line, closed))
    is_open = _("Open is any status but {closed}; found: {open}.", closed=is_closed, open=open_words)
    whole = " ".join((_base_words(base), _("Older claims are not in it.")))
    by_age = zip(aged.labels, aged.counts.tolist(), strict=True)
    return [
        Section(
            _("Claims"),
            (*changed, *(f"{why}." for why in not_compared if why), _base_words(figure.base)),
            (_("Dated"), _("Claims")),
            tuple(zip(headings, map(number, counts), strict=True)),
        ),
        Section(
            _("Products with the most claims"),
            (others_too,) if products.rest else (),
            (_("Product"), *headings),
            tuple(
                (one_line(name) or _("(no name)"), *(number(counted[named[name]]) for counted in by_product))
                for name in products.names
            ),
        ),
        Section(
            _("Open claims by age"),
            (is_open, whole),
            (_("Made"), _("Open now")),
            tuple((_("{age} ago", age=age), number(n)) for age, n in by_age),
        ),
    ]


def of_desk(sold: Sold, unknown: Sequence[Attempt], nights: Sequence[bool], *, month: Period) -> Section:
    """Say what this desk sold in the month, what it does not know now, and its nights of the month, whole or not."""
    recorded = _(
        "Plans recorded from {days}: {n}. Plans bought on the customer page and sales recorded elsewhere are "
        "not in it.",
        days=month.words,
        n=number(sold.plans),
    )
    unanswered = [_("Entries without an answer now: {n}.", n=number(len(unknown)))]
    for each in unknown[:_MOST_NAMED]:
        unanswered.append(_("{reference}, since {when}.", reference=each.attempt_id, when=moment(each.deadline)))
    told = {"n": number(month.days), "whole": number(sum(nights)), "other": number(len(nights) - sum(nights))}
    kept = _("History: of the {n} nights, {whole} are kept with every claim, {other} without.", **told)
    return Section(_("This desk"), (recorded, " ".join(unanswered), kept))


def in_text(sections: Sequence[Section]) -> str:
    """The report as plain text."""
    parts = []
    for section in sections:
        lines = [section.heading.upper(), *section.sentences]
        rows = [section.columns, *section.rows] if section.columns else []
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for name, *numbers in rows:
            cells = (cell.rjust(width) for cell, width in zip(numbers, widths[1:], strict=True))
            lines.append("  ".join([name.ljust(widths[0]), *cells]))
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def on_paper(title: str, sections: Sequence[Section], *, mark: str) -> bytes:
    """The report as a PDF of A4; `mark` as in `PrintPage`."""
    page = PrintPage(title=title, size="A4", mark=mark, margin=15)
    page.line(title, 18, below=4)
    for section in sections:
        page.line(section.heading, 13, below=1)
        for sentence in section.sentences:
            page.line(sentence, 10, below=1)
        if section.columns:
            widths = (3, *(2,) * (len(section.columns) - 1))
            page.table(section.columns, section.rows, widths=widths, numbers=True)
        page.line("", 8)
    return page.content()


def _base_words(base: Base) -> str:
    left_out = "".join(f" {sentence}." for sentence in base.leaves_out)
    return _("{claims}, as they stood on {when}.", claims=base.words, when=moment(base.as_of)) + left_out
