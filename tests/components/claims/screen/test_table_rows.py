"""The rows of the table as they are drawn: names, dates and statuses as people read them, and none of it lost."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.claims.charts.colours import pale
from components.claims.screen.charts import CountedClaims
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.columns import written_rows
from components.claims.screen.shown_rows import chips_shown
from components.words.statuses import status_with_its_word, status_words
from tests.builders import MANAGER
from tests.components.claims.screen.conftest import AddClaims
from tests.components.claims.screen.screen import opened
from tests.components.stage import Stage, shown, table
from warranty.claims.readings.readings import KeptClaims


def rows(**columns: object) -> pd.DataFrame:
    return written_rows(pd.DataFrame({"status": ["OPEN"], "product_name": ["TV"], **columns}))


@pytest.mark.parametrize(("word", "said"), [("ON_HOLD", "On hold"), ("RMA", "RMA"), ("", "(empty)")])
def test_a_status_is_told_in_words_and_the_services_word_has_a_column(word: str, said: str) -> None:
    drawn = rows(status=[word]).iloc[0]
    assert (drawn["status"], drawn["status_word"]) == (said, word)


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
    screens = [
        stage.screen("claims", MANAGER, query={"period": "all"}, language=language) for language in ("en", "es", "en")
    ]
    assert [table(screen)["claim_date"].iloc[0] for screen in screens] == [
        "5 Aug 2099, 14:02",
        "5 ago 2099, 14:02",
        "5 Aug 2099, 14:02",
    ]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("AWAITING_PARTS", "Awaiting parts"), ("in-review", "In-review"), ("open", "Open"),
        ("Awaiting customer", "Awaiting customer"), ("RMA", "RMA"), ("OPEN <b>now</b>", "OPEN <b>now</b>"),
        ("已完成", "已完成"), ("____", "____"), ("", "(empty)"),
    ],
)  # fmt: skip
def test_a_status_is_told_in_words_beside_the_services_own_where_it_is_another(word: str, said: str) -> None:
    assert status_words(word) == said
    assert status_with_its_word(word) == (said if word in {said, ""} else f"{said} ({word})")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_word_of_the_service_is_lost(word: str) -> None:
    assert word in status_with_its_word(word)
