"""The rows of the table as they are drawn: names, dates and statuses as people read them, and none of it lost."""

import pandas as pd
import pytest

from components.claims.charts.colours import pale
from components.claims.screen.charts import CountedClaims
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.columns import column_config, drawn_rows
from components.claims.screen.shown_rows import colours_shown
from tests.builders import MANAGER
from tests.components.claims.screen.conftest import AddClaims
from tests.components.claims.screen.screen import opened
from tests.components.stage import Stage
from warranty.claims.readings.readings import KeptClaims


def rows(**columns: object) -> pd.DataFrame:
    return drawn_rows(pd.DataFrame({"status": ["OPEN"], "product_name": ["TV"], **columns}))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Noise-cancelling headphones", "Noise-cancelling headphones"),
        ("Noise-cancelling headphone, black", "Noise-cancelling headphone…"),
        ("a" * 400, "a" * 26 + "…"),
        ("", ""),
    ],
)
def test_a_product_that_its_column_has_no_room_for_ends_with_three_dots(name: str, said: str) -> None:
    assert rows(product_name=[name])["product_name"].iloc[0] == said


@pytest.mark.parametrize(("word", "chips"), [("ON_HOLD", ["On hold"]), ("RMA", ["RMA"]), ("", [])])
def test_a_status_is_a_chip_in_words_and_the_services_word_has_a_column(word: str, chips: list[str]) -> None:
    drawn = rows(status=[word]).iloc[0]
    assert (drawn["status"], drawn["status_word"]) == (chips, word)


def test_chips_have_the_colours_of_the_chart_of_the_same_claims(kept: KeptClaims) -> None:
    for chosen in (ClaimsFilter(period="all"), ClaimsFilter(period="all", words="water")):
        colours = colours_shown(kept, chosen)
        bars = CountedClaims(kept, chosen).over_time().figure.to_dict()["data"]
        drawn = {bar["meta"]: bar["marker"]["color"] for bar in bars if "meta" in bar}
        chips = column_config(colours)["status"]["type_config"]["options"]
        of_chips = {chip["value"]: chip["color"] for chip in chips}
        assert set(of_chips.values()) == {pale(colour) for colour in drawn.values()}
        assert {word: of_chips.get(word, pale(colour)) for word, colour in drawn.items()} == {
            word: pale(colour) for word, colour in drawn.items()
        }


def test_two_people_read_the_same_page_each_in_their_language(stage: Stage, add_claims: AddClaims) -> None:
    add_claims({"claim_date": "2099-08-05T14:02:03.000004"})
    opened(stage)
    screens = [
        stage.screen("claims", MANAGER, query={"period": "all"}, language=language) for language in ("en", "es", "en")
    ]
    assert [screen.dataframe[0].value["claim_date"].iloc[0] for screen in screens] == [
        "5 Aug 2099, 14:02",
        "5 ago 2099, 14:02",
        "5 Aug 2099, 14:02",
    ]
