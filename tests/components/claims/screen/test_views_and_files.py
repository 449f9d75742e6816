"""What is shown and what is taken away: the same claims, each row as people read it, and honest about the rest."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.claims.charts.colours import pale
from components.claims.screen.changes import unreadable_words
from components.claims.screen.charts import CountedClaims
from components.claims.screen.claim_details import moment_words
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.columns import SORTINGS, written_rows
from components.claims.screen.export import as_in_the_table, usual_separator
from components.claims.screen.reading import progress_words
from components.claims.screen.seal import read_at, seal_text, short_seal, words_without_claims
from components.claims.screen.shown_rows import chips_shown, days_open, shown_places
from components.words.statuses import status_with_its_word
from sandbox import CLOSED_STATUSES
from tests.builders import MANAGER
from tests.components.claims.screen.conftest import AddClaims
from tests.components.claims.screen.screen import opened
from tests.components.stage import Stage, shown, table
from warranty.claims.analysis import ChartPick, Period
from warranty.claims.readings.readings import KeptClaims
from warranty.claims.retrieval import ClaimSet, Progress, RejectedRecord, retrieve_claims
from warranty.claims.retrieval.columns import ClaimTable
from warranty.client import WarrantyClient
from warranty.client.resources import ClaimQuery
from warranty.files.export import claims_file, seal
from warranty.language import Sentence

NARROWED = ClaimsFilter(statuses=("RESOLVED",), pick=ChartPick(days=Period(date(2026, 1, 1), date(2099, 1, 1))))


def partial(claims: ClaimSet) -> ClaimSet:
    return replace(claims, total=claims.received + 132, reasons=(Sentence("Reading was stopped."),))


@pytest.mark.parametrize("order", SORTINGS)
def test_an_order_is_one_of_the_whole_set_which_stays_as_it_is(kept: KeptClaims, order: str) -> None:
    before = pd.util.hash_pandas_object(kept.claims.frame.astype({"status": "str"})).sum()
    places = shown_places(kept, ClaimsFilter(order=order))
    assert sorted(places) == list(range(len(kept.claims.frame)))
    frame = kept.claims.frame
    frame = frame.assign(days_open=days_open(frame, closed=kept.closed, today=kept.claims.as_of.date()).fillna(-1))
    if SORTINGS[order].name == "open-shortest":  # where closed claims are last as well
        frame = frame.replace({"days_open": -1}, 99_999)
    column = frame[SORTINGS[order].column].iloc[places]
    shown = column if column.dtype.kind in "Mi" else column.astype("str").str.casefold()
    assert shown.is_monotonic_decreasing if SORTINGS[order].descending else shown.is_monotonic_increasing
    assert pd.util.hash_pandas_object(kept.claims.frame.astype({"status": "str"})).sum() == before


def test_what_is_narrowed_keeps_the_order_and_is_worked_out_once(kept: KeptClaims) -> None:
    chosen = replace(NARROWED, order="product")
    places = shown_places(kept, chosen)
    shown = kept.claims.frame.iloc[places]
    assert 0 < len(shown) < 480
    assert set(shown["status"]) == {"RESOLVED"}
    assert shown["product_name"].str.casefold().is_monotonic_increasing
    assert shown_places(kept, replace(chosen, email="x@example.com")) is places


def test_a_file_names_the_picked_bar_or_that_it_is_of_open_claims_and_no_other_file_does(kept: KeptClaims) -> None:
    pick = ChartPick(days=Period(date(2020, 1, 1), date(2099, 1, 1)), status="OPEN")
    words, count = "dated 1 Jan 2020 to 1 Jan 2099, status OPEN", (kept.claims.frame["status"] == "OPEN").sum()
    file = claims_file(kept.claims, "xlsx", selection=ClaimsFilter(pick=pick).selection(closed=kept.closed))
    bar = words.replace(", ", "-").replace(" ", "-")
    assert file.name == f"claims_all_{bar}_{count}-rows-of_480-of-480_complete.xlsx"
    assert json.loads(file.manifest)["filter"]["bar_of_a_chart"] == words
    about = openpyxl.load_workbook(io.BytesIO(file.content))["About"]
    assert ("Filter: bar_of_a_chart", words) in list(about.iter_rows(values_only=True))
    file = claims_file(kept.claims, selection=ClaimsFilter(open_only=True).selection(closed=CLOSED_STATUSES))
    assert "_open-only_" in file.name
    of_open = json.loads(file.manifest)["filter"]
    assert (of_open["open_only"], of_open["closed_statuses"]) == ("yes", list(CLOSED_STATUSES))
    assert "closed_statuses" not in json.loads(claims_file(kept.claims).manifest)["filter"]


def test_a_file_as_in_the_table_has_its_order_and_columns_and_its_manifest_says_so(kept: KeptClaims) -> None:
    chosen = replace(NARROWED, order="product", columns=("product_name", "days_open", "status_word", "status"))
    places = shown_places(kept, chosen)
    selection = chosen.selection(closed=kept.closed)
    arranged = as_in_the_table(chosen, places)
    book = claims_file(kept.claims, "xlsx", selection=selection, arranged=arranged)
    rows = [[cell.value for cell in row] for row in openpyxl.load_workbook(io.BytesIO(book.content))["Claims"].rows]
    expected = kept.claims.table.as_received(kept.claims.frame.iloc[places])[["product_name", "status"]]
    assert rows == [["product_name", "status"], *expected.to_numpy().tolist()]
    file = claims_file(kept.claims, selection=selection, arranged=arranged)
    in_csv = list(csv.reader(io.StringIO(file.content.decode())))
    assert [[cell.removeprefix("'") for cell in row] for row in in_csv] == rows
    told = json.loads(file.manifest)
    assert (told["order"], told["columns"]) == ("product_name, ascending", ["product_name", "status"])
    as_ever = json.loads(claims_file(kept.claims, selection=selection).manifest)
    assert (as_ever["order"], len(as_ever["columns"])) == ("claim_date, newest first", 8)


@pytest.mark.parametrize(("locale", "separator"), [
    (None, ","), ("en", ","), ("en-US", ","), ("en-GB", ","), ("ja", ","), ("es-MX", ","),
    ("de", ";"), ("de-CH", ";"), ("fr-FR", ";"), ("pt-BR", ";"), ("es-ES", ";"), ("en-ZA", ";"),
])  # fmt: skip
def test_the_separator_is_what_the_persons_spreadsheet_expects(locale: str | None, separator: str) -> None:
    assert usual_separator(locale) == separator


def test_a_seal_never_pretends(kept: KeptClaims) -> None:
    whole, part = kept.claims, partial(kept.claims)
    assert seal_text(whole).startswith("complete: 480 of 480, read ")
    assert seal_text(part).startswith("incomplete: 480 of 612, read ")
    assert short_seal(part).startswith("incomplete: 480 of 612, read ")
    too_many = replace(whole, total=173, reasons=(Sentence("Its answers do not fit."),))
    assert seal_text(too_many).startswith("incomplete: 480 shown, 173 counted by the service, read ")
    moved = replace(whole, reasons=(Sentence("The total moved while reading."),))
    assert seal_text(moved).startswith("incomplete: 480 of 480, not proved to be all, read ")
    since = whole.as_of - timedelta(hours=1)
    refreshed = replace(whole, table=ClaimTable(whole.table.arrow(since)))
    assert short_seal(refreshed).endswith(f", closed ones since {read_at(since)}")
    assert seal(refreshed).endswith(f", closed ones since {since:%Y-%m-%dT%H:%M:%SZ}")
    assert json.loads(claims_file(refreshed).manifest)["claims"]["closed_from"] == f"{since:%Y-%m-%dT%H:%M:%SZ}"


def with_unreadable(claims: ClaimSet, count: int) -> ClaimSet:
    missing = (RejectedRecord(1, n, "status", Sentence("is missing"), {}) for n in range(count))
    return replace(claims, rejected=tuple(missing))


def test_seals_names_and_rows_tell_of_unreadable_claims_and_unknown_totals_in_the_same_words(kept: KeptClaims) -> None:
    claims = with_unreadable(kept.claims, 3)
    in_rows = {row["incomplete"] for row in csv.DictReader(io.StringIO(claims_file(claims).content.decode()))}
    assert len(in_rows) == 1
    for said in (seal_text(claims), short_seal(claims), seal(claims), *in_rows):
        assert said.casefold().startswith("incomplete: 477 of 480, 3 unreadable, read ")
    nothing = replace(partial(kept.claims), received=0, total=None)
    assert short_seal(nothing).startswith("incomplete: 0 of unknown, read ")
    file = claims_file(nothing)
    assert "_0-of-unknown_INCOMPLETE" in file.name
    assert json.loads(file.manifest)["claims"]["total"] is None


def test_the_reason_why_there_is_no_claim_is_not_another(kept: KeptClaims, client: WarrantyClient) -> None:
    days = Period(date(1999, 3, 1), date(1999, 3, 31))
    empty = retrieve_claims(client, ClaimQuery(claim_dates=days.times))

    def words(**of: Any) -> str:
        return words_without_claims(replace(empty, **of))

    stopped = ("Somebody stopped the reading.",)
    assert words() == "There are no claims in these days. Choose a longer range."
    assert words(query=ClaimQuery()).startswith("No claims yet.")
    customer = ClaimQuery(claim_dates=days.times, customer_email="ada@example.com")
    assert words(query=customer).endswith("Check the e-mail, or choose other dates.")
    assert "not known" in words(received=0, total=None, reasons=stopped)
    assert "the service counts 480" in words(received=0, total=480, reasons=stopped)
    unreadable = with_unreadable(kept.claims, 3).rejected
    assert "listed above" in words(received=3, total=3, rejected=unreadable)
    for no_reason in (words(received=0, total=None, reasons=stopped), words(received=3, total=3, rejected=unreadable)):
        assert "There are no claims" not in no_reason
    assert words_without_claims(kept.claims).startswith("No claim matches.")
    so_far = replace(partial(kept.claims), still_reading=True)
    assert words_without_claims(so_far) == "No claim read so far matches."


def test_a_time_names_its_day_once_that_is_over_and_days_open_are_whole_days_in_service_time() -> None:
    noon = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    assert read_at(noon, noon + timedelta(hours=1)) == "12:00"
    assert read_at(noon, noon + timedelta(days=1)) == "21 Nov 2026, 12:00"
    assert moment_words("2026-11-21T14:02:08.326687") == "21 Nov 2026, 14:02"
    assert moment_words("2025-09-14T11:49:19-08:00") == "14 Sep 2025, 11:49 (UTC-08:00)"
    assert moment_words("soon") == "soon"
    dates = pd.to_datetime(["2026-11-20T23:59", "2026-11-22T00:01", "2026-11-23T00:30", "2026-01-01T10:00"])
    claims = pd.DataFrame({"claim_date": dates, "status": ["OPEN", "OPEN", "OPEN", "RESOLVED"]})
    counted = days_open(claims, closed=("RESOLVED",), today=date(2026, 11, 22))
    assert counted.tolist() == [2, 0, 0, pd.NA]


def test_progress_is_told_with_share_and_time_left() -> None:
    assert "asking the service" in progress_words(None)
    assert progress_words(None, waiting=True) == "Reading claims: waiting for other readings to end"
    assert progress_words(Progress(0, 480, 1, timedelta(seconds=1))) == "Reading claims: 0 of 480 (0 %)"
    half = Progress(240, 480, 6, timedelta(seconds=10))
    assert progress_words(half) == "Reading claims: 240 of 480 (50 %), about 10 s left"
    slow = Progress(1_100, 10_100, 30, timedelta(seconds=60), at_first=100)
    assert progress_words(slow).endswith("about 9 min left")
    # What comes before the first claims is no speed: from it 22 minutes were guessed of a reading of 50 seconds.
    first = Progress(100, 10_100, 5, timedelta(seconds=3), at_first=50)
    assert progress_words(first) == "Reading claims: 100 of 10,100 (1 %)"


def test_figures_are_told_in_one_line_and_a_claim_that_is_unreadable_now_is_not_called_gone(kept: KeptClaims) -> None:
    still = (kept.claims.frame["status"] != "RESOLVED").sum()
    for chosen, line in (
        (ClaimsFilter(), f"480 claims · {still} open"),
        (ClaimsFilter(open_only=True), f"{still} of 480 claims · {still} open"),
        (ClaimsFilter(words="no claim has this"), "0 of 480 claims · 0 open"),
    ):
        assert CountedClaims(kept, chosen).headline() == line
    spoilt = with_unreadable(kept.claims, 3)
    assert unreadable_words(kept.claims, spoilt) == "; 3 unreadable now, 0 before"
    assert unreadable_words(spoilt, spoilt) == ""


def test_chips_have_the_colours_of_the_chart_of_the_same_claims(kept: KeptClaims) -> None:
    for chosen in (ClaimsFilter(period="all"), ClaimsFilter(period="all", words="water")):
        chips = chips_shown(kept, chosen)
        bars = CountedClaims(kept, chosen).over_time().figure.to_dict()["data"]
        drawn = {bar["meta"]: pale(bar["marker"]["color"]) for bar in bars if "meta" in bar}
        assert set(chips.values()) == set(drawn.values())
        assert {word: chips.get(word, colour) for word, colour in drawn.items()} == drawn


def test_rows_are_as_close_as_the_person_has_them(stage: Stage) -> None:
    test = opened(stage)
    assert table(test).attrs["row"] == 35
    test.session_state["desk.density"] = "compact"
    assert table(shown(test.run())).attrs["row"] == 28


def test_two_people_read_the_same_page_each_in_their_language(stage: Stage, add_claims: AddClaims) -> None:
    add_claims({"claim_date": "2099-08-05T14:02:03.000004"})
    opened(stage)
    for language, month in (("en", "Aug"), ("es", "ago"), ("en", "Aug")):
        screen = stage.screen("claims", MANAGER, query={"period": "all"}, language=language)
        assert table(screen)["claim_date"].iloc[0] == f"5 {month} 2099, 14:02"


@pytest.mark.parametrize(("word", "said"), [
    ("AWAITING_PARTS", "Awaiting parts"), ("ON_HOLD", "On hold"), ("in-review", "In-review"), ("open", "Open"),
    ("Awaiting customer", "Awaiting customer"), ("RMA", "RMA"), ("OPEN <b>now</b>", "OPEN <b>now</b>"),
    ("已完成", "已完成"), ("____", "____"), ("", "(empty)"),
])  # fmt: skip
def test_a_status_is_told_in_words_beside_the_services_own_where_it_is_another(word: str, said: str) -> None:
    drawn = written_rows(pd.DataFrame({"status": [word], "product_name": ["TV"]})).iloc[0]
    assert (drawn["status"], drawn["status_word"]) == (said, word)
    assert status_with_its_word(word) == (said if word in {said, ""} else f"{said} ({word})")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_word_of_the_service_is_lost(word: str) -> None:
    assert word in status_with_its_word(word)
