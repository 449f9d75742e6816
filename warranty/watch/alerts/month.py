"""What a month's report is made of: read from the service, the journal and the history."""

from datetime import UTC, datetime
from functools import partial

from warranty.claims.analysis import Period
from warranty.claims.analysis.against import comparable
from warranty.claims.readings.limits import claim_limits
from warranty.claims.retrieval import retrieve_claims, with_beginning
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.desk.journal import AttemptFilter, AttemptState, Journal
from warranty.desk.journal.shift_report import shift_report
from warranty.files.export import seal
from warranty.insight.history.nights import Nights
from warranty.language import _
from warranty.language.written import dated
from warranty.settings import Settings
from warranty.watch.alerts.letter import Letter, one_line
from warranty.watch.alerts.report import in_text, of_claims, of_desk, on_paper


def letter_of_month(settings: Settings, journal: Journal, client: WarrantyClient, month: Period) -> Letter | str:
    """Read what the report on a month needs and write it; where claims are missing, gives how many in words instead."""
    now = datetime.now().astimezone()
    here = now.tzinfo or UTC
    compared = comparable(month, today=now.date())
    if compared is None or compared.last_year is None:
        raise ValueError("a month that is over has a year before it")
    limits = claim_limits(settings, journal.database, client)
    read = Period(compared.last_year.first, now.date())  # what is open may be as young as today
    reader = partial(retrieve_claims, client, limits=limits)
    claims = with_beginning(reader(ClaimQuery(claim_dates=read.times)), reader)
    if not claims.is_whole:
        return seal(claims)
    start, end = month.bounds(here)
    done = AttemptFilter(
        start=start, end=end, operation="record_sale", states=frozenset({AttemptState.DONE}), limit=None
    )
    sold = shift_report(journal.attempts(settings.environment, done), zone=here).sold
    unknown = AttemptFilter(states=frozenset({AttemptState.UNKNOWN}), limit=None)
    sections = [
        *of_claims(claims, compared, closed=settings.closed_statuses),
        of_desk(
            sold,
            journal.attempts(settings.environment, unknown),
            [night.sealed for night in Nights.of(settings).of_days(month.first, month.last).values()],
            month=month,
        ),
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
