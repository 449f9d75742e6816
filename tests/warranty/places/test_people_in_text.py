"""What may be somebody's e-mail or phone stands in no address of a page and in no saved view."""

import pytest

from components.claims.screen.claims_filter import ClaimsFilter
from warranty.places.people_in_text import names_somebody

SOMEBODY = (
    "zeb.quill@example.com", "zeb@", "+1 617 555 0199", "617-555-0199", "(617) 555-0199 lamp", "6175550199",
    "16175550199",
)  # fmt: skip
NOBODY = ("lamp", "1000234567", "W-2026-11-23", "2026-11-01", "12345678", "lamp 3000", "0012345678901234567")


@pytest.mark.parametrize(("text", "named"), [*((each, True) for each in SOMEBODY), *((each, False) for each in NOBODY)])
def test_an_email_or_a_phone_is_in_no_address_an_orders_number_a_day_and_a_word_are(text: str, *, named: bool) -> None:
    assert names_somebody(text) is named
    assert ClaimsFilter(words=text).address().get("words") == (None if named else text)
