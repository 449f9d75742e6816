"""Overview, where a manager begins: what stands, is open, came, was sold and needs a person; then three charts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Final

import streamlit as st

from components.claims.charts.figure import Chart
from components.claims.screen import tab_filter
from components.claims.screen.chart_view import chart_that_opens_claims
from components.claims.screen.charts import CountedClaims
from components.claims.screen.claims_filter import OPEN_OLDEST_FIRST, ClaimsFilter
from components.claims.screen.figure_view import Press, figure_tiles
from components.claims.screen.reading import reading_with_head
from components.claims.screen.seal import words_without_claims
from components.claims.screen.standing_warnings import standing_warnings
from components.claims.trends.notes import notes_panel
from components.claims.trends.rates import plans_by_files, products_chart
from components.claims.trends.starts import ReadStarts
from components.claims.trends.tabs import ask_administrator
from components.navigation import go_to
from components.wiring import Runtime
from components.words.amounts import money
from components.words.attempts import clock_of, here, moment, today
from components.words.days import service_today
from warranty.access import Operator, Permission
from warranty.claims.analysis import Base, Figure, comparable, why_not_comparable
from warranty.claims.analysis.periods import Period, day_words
from warranty.claims.analysis.starts import starts_back
from warranty.claims.readings.readings import KeptClaims
from warranty.client.resources import ClaimQuery
from warranty.desk.journal import AttemptFilter, AttemptState
from warranty.insight.outlook.forecasts import STARTS
from warranty.language import N_, _, ngettext
from warranty.language.written import number

_ROLE: Final = "overview"
_EVERY: Final = ClaimQuery()
_ALL: Final = ClaimsFilter(period="all")
_OLD: Final = 30
_YEAR: Final = 12
_MOST_NAMED: Final = 3
_LATE: Final = timedelta(hours=50)
"""Where one nightly copy was missed, the newest is 49 hours old at most."""
_TO_CHECK: Final = frozenset({AttemptState.UNKNOWN, AttemptState.QUEUED})


_Answer = tuple[Figure[Any], Sequence[Press]]
"""A figure, and what opens what it counts."""


def overview(runtime: Runtime, operator: Operator) -> None:
    """Draw the page; what the desk knows itself does not wait for the claims."""
    readings, warned = runtime.claims.of(operator), st.container()
    cached = reading_with_head(readings, _EVERY, role=_ROLE)
    if cached is not None:
        with warned:
            standing_warnings(readings, operator, after=cached.claims)
    of_claims = [] if cached is None else [_open(cached), _of_month(cached, starts_back(service_today(), 1))]
    failed = list(_failed_jobs(runtime, operator))
    answers = [*of_claims, *_of_desk(runtime, operator, [press for _sentence, press in failed])]
    figure_tiles([figure for figure, _presses in answers], presses=[presses for _figure, presses in answers])
    for sentence, _press in failed:
        ask_administrator(sentence)
    if cached is None:
        return
    came = of_claims[1][0]
    if came.changes:
        # The one before stands in its tile.
        st.text(_("Claims last month: {changed}.", changed=came.changes[-1].words))
    if came.no_change:
        st.caption(f"{came.no_change}.")
    notes = runtime.insight.time_notes(operator)
    if cached.claims.frame.empty:
        st.info(words_without_claims(cached.claims))
    else:
        over_time, by_product, open_by_age = CountedClaims(cached, _ALL).every_chart(today=service_today())
        others = _by_rate(cached, runtime, operator) or by_product, open_by_age
        chart_that_opens_claims(over_time, cached.claims, notes=notes)
        for place, chart in zip(st.columns(2, gap="medium"), others, strict=True):
            with place:
                chart_that_opens_claims(chart, cached.claims)
    notes_panel(notes, runtime.insight, operator)


def _open(cached: KeptClaims) -> _Answer:
    counted, now = CountedClaims(cached, _ALL), service_today()
    ages = counted.open_by_age(now)
    still = cached.claims.frame[~cached.claims.frame["status"].isin(cached.closed)]
    more = ""
    if len(still):
        days = max(0, (now - still["claim_date"].min().date()).days)
        old = number(ages.counts[1:].sum())
        more = _("{old} over {than} days, the oldest {n}", old=old, than=_OLD, n=number(days))
    figure = replace(counted.open_claims(), more=more)
    return figure, [(_("List them, oldest first"), partial(_open_claims, OPEN_OLDEST_FIRST))]


def _of_month(cached: KeptClaims, month: Period) -> _Answer:
    """The claims of a month that is over against the month before and the same month last year, all of one reading."""
    counted, compared, claims = CountedClaims(cached, _ALL), comparable(month), cached.claims
    count, changes, why_not = counted.claims_on(month), [], []
    if not claims.is_certain:
        why_not.append(_("Not all claims are here, so there is no comparison"))
    else:
        for against in (compared.before, compared.last_year):
            if why := why_not_comparable(against, claims.known_from):
                why_not.append(why)
            else:
                before, since = counted.claims_on(against), claims.known_from
                changes.append(compared.change(count, against, before, since=since))
    of = _("claims dated {days}", days=month.words)
    figure = Figure(
        name=N_("Claims last month"),
        value=count,
        base=replace(counted.base, of=of, count=count),
        changes=tuple(changes),
        no_change=". ".join(why_not),
    )
    return figure, [(_("List them"), partial(_open_claims, ClaimsFilter(period="last-month")))]


def _failed_jobs(runtime: Runtime, operator: Operator) -> Iterator[tuple[str, Press]]:
    """What is wrong with each nightly job, and what shows more of it."""
    if missed := runtime.insight.past(operator).missed():
        yield missed[1], (_("See the nights"), partial(go_to, "claim_trends", view="Resolution"))
    copied = runtime.desk.journal_facts(operator).copied_at
    # A database server has backups of its own: there a copy may have been made by hand, once.
    if copied and runtime.settings.journal_url.startswith("sqlite") and runtime.desk.now() - copied > _LATE:
        sentence = _("The newest copy of this desk's records is of {when}: no later one came.", when=moment(copied))
        yield sentence, (_("Open Connection"), partial(go_to, "connection"))


def _of_desk(runtime: Runtime, operator: Operator, jobs: Sequence[Press]) -> Iterator[_Answer]:
    """What was sold today, and what needs a person; `jobs` open what tells of nightly jobs that failed."""
    now = runtime.desk.now()
    with clock_of(runtime.staff.tills.time_zone(operator)):
        zone, day = here(), Period(today(now), today(now))
    if operator.may(Permission.SEE_SHIFT_REPORT):
        report = runtime.desk.activity.shift_report(operator, *day.bounds(zone), zone=zone)
        sold = report.sold if report else None
        people, products = Counter[str](), Counter[str]()
        for line, each in report.sold_by_line.items() if report else ():
            people[line.person] += each.plans
            products[line.product] += each.plans
        parts = [f"{name} {number(n)}" for name, n in (*people.most_common(), *products.most_common(_MOST_NAMED))]
        yield (
            Figure(
                name=N_("Plans sold today"),
                value=sold.plans if sold else 0,
                base=Base(
                    of=_("sales recorded at this desk on {day}", day=day_words(day.first)),
                    count=report.sales if report else 0,
                    as_of=now,
                    leaves_out=(_("plans that customers bought on the customer page"),),
                ),
                more=", ".join([money(sold.revenue, runtime.settings.currency), *parts]) if sold and sold.plans else "",
            ),
            [(_("Open the shift report"), partial(go_to, "shift_report"))],
        )
    of_desk = runtime.desk.activity.attempts
    waiting = of_desk(operator, AttemptFilter(states=_TO_CHECK, limit=None))
    unknown = sum(each.state is AttemptState.UNKNOWN for each in waiting)
    refused = len(of_desk(operator, AttemptFilter(came_back=True, limit=None)))
    entries, count = len(waiting) + refused, len(waiting) + refused + len(jobs)
    by_state = _(
        "{n} unknown, {waiting} waiting, {refused} refused",
        n=number(unknown),
        waiting=number(len(waiting) - unknown),
        refused=number(refused),
    )
    failed = ngettext("{n} nightly job failed", "{n} nightly jobs failed", len(jobs), n=number(len(jobs)))
    if entries:
        failed += ", " + ngettext("{n} entry", "{n} entries", entries, n=number(entries))
    of = _("entries of this desk without an end, and nightly jobs that failed or did not come")
    base = Base(of=of, count=count, as_of=now, leaves_out=())
    yield (
        Figure(
            name=N_("To check"),
            value=count,
            base=base,
            more=failed if jobs else by_state if count else "",
            about=by_state,
        ),
        [(_("Open Activity"), partial(go_to, "activity")), *jobs],
    )


def _by_rate(cached: KeptClaims, runtime: Runtime, operator: Operator) -> Chart | None:
    """Products by their claims a plan, of starts of three years; None where the plans sold are not known."""
    started = starts_back(service_today(cached.claims.as_of), STARTS)
    sold = plans_by_files(runtime.insight.plans_sold(operator))
    read = ReadStarts.of(cached, first=started.first)
    age = min(_YEAR, len(read.seen_from_start) // 2)
    return products_chart(read, sold, age=age) if sold and sold.plans and read.seen_from_start else None


def _open_claims(chosen: ClaimsFilter) -> None:
    tab_filter.fill_fields(chosen)
    go_to("claims")
