"""Plans that a refusal lists are read in several wordings, and nothing is guessed."""

import pytest

from warranty.client.plans import read_plans
from warranty.errors import AvailablePlan

EXTENDED_24 = AvailablePlan(24, "Extended")
ACCIDENT_12 = AvailablePlan(12, "Accident")


@pytest.mark.parametrize(
    "sentence",
    [
        *(f"Term of 18 months is not offered on item TV-55. Available plans: {listed}" for listed in (
            "24 months (Extended), 12 months (Accident)", "24 months (Extended); 12 months (Accident).",
            "24 months - Extended, 12 months - Accident", "24 months – Extended | 12 months – Accident",
            "24 months: Extended, 12 months: Accident", "24-month Extended, 12-month Accident",
            "24-month Extended and 12-month Accident", "24 months Extended or 12 months Accident",
            "months: 24, type: Extended; months: 12, type: Accident",
            "[{'months': 24, 'type': 'Extended'}, {'months': 12, 'type': 'Accident'}]",
            '[{"months": 24, "type": "Extended"}, {"months": 12, "type": "Accident"}]',
            "(months=24, type=Extended), (months=12, type=Accident)",
            "24 months, type Extended; 12 months, type Accident",
            "24 months of type Extended, 12 months of type Accident", "Extended (24 months), Accident (12 months)",
            "Extended [24 months], Accident [12 months]", "24 mo (Extended), 12 mo (Accident)",
        )),
        "24 months is offered by more than one warranty; choose one of: 24 months (Extended), 12 months (Accident)",
        "18 months not offered; options are 24 months (Extended), 12 months (Accident)",
        "Term 18 is not offered. Plans are 24 months (Extended), 12 months (Accident)",
        "No 18: 24 months (Extended), 12 months (Accident)",
    ],
)  # fmt: skip
def test_each_wording_gives_the_same_plans_and_not_the_term_that_was_asked_for(sentence: str) -> None:
    assert read_plans([sentence]) == (EXTENDED_24, ACCIDENT_12)


def test_a_type_may_have_several_words_and_a_plan_that_is_named_twice_is_one() -> None:
    sentence = "Available: 24 months (Extended warranty), 24 months (Accidental damage & theft)"
    assert read_plans([sentence]) == (
        AvailablePlan(24, "Extended warranty"),
        AvailablePlan(24, "Accidental damage & theft"),
    )
    assert read_plans(["Available: 24 months (Extended)"] * 2) == (EXTENDED_24,)


@pytest.mark.parametrize(
    "sentence",
    [
        "18 months is not offered on this item.",
        "The product TV-55 has no unsold offer on the order 24-77.",
        "Available plans: none",
        "quantity must be between 1 and 20",
        "",
    ],
)
def test_a_sentence_without_plans_gives_none(sentence: str) -> None:
    assert read_plans([sentence]) == ()
