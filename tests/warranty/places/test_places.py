"""Countries, states, phone numbers, e-mails and addresses as people write them, and what names somebody."""

import pytest

from components.claims.screen.claims_filter import ClaimsFilter
from warranty.language import speaking
from warranty.places.contact import PhoneProblem, email_hint, read_phone
from warranty.places.countries import (
    countries,
    country_of,
    kind_of_state,
    shown_country,
    state_of,
    state_of_zip,
    states,
)
from warranty.places.network import network
from warranty.places.people_in_text import names_somebody


@pytest.mark.parametrize(("written", "code"), [
    ("US", "US"), ("United States (US)", "US"), ("united states", "US"), ("USA", "US"), ("UK", "GB"), ("France", "FR"),
    ("curacao", "CW"), ("South Korea", "KR"), ("Korea, Republic of", "KR"), ("Deutschland", "DE"), ("España", "ES"),
    ("日本", "JP"), ("Royaume-Uni", "GB"), ("The Netherlands", "NL"), ("Holland", "NL"), ("England", "GB"),
    ("Great Britain (UK)", "GB"), ("Turkey", "TR"), ("Korea", "KR"), ("Hong Kong SAR", "HK"),
    ("Republic of Ireland", "IE"), ("Kosovo", "XK"), ("XK", "XK"), ("U.S.", "US"), ("Atlantis", None), ("", None),
])  # fmt: skip
def test_a_country_is_known_by_any_of_its_names(written: str, code: str | None) -> None:
    assert getattr(country_of(written), "code", None) == code


@pytest.mark.parametrize(("country", "written", "code"), [
    ("US", "NY", "NY"), ("US", "ny", "NY"), ("US", "US-NY", "NY"), ("US", "new york", "NY"), ("US", "N.Y.", "NY"),
    ("US", "N. Y.", "NY"), ("US", "New York (NY)", "NY"), ("US", "Calif.", "CA"), ("US", "Miss.", "MS"),
    ("US", "Washington, D.C.", "DC"), ("US", "AE", "AE"), ("US", "Me", "ME"), ("US", "Virgin Islands", "VI"),
    ("CA", "PQ", "QC"), ("CA", "Québec", "QC"), ("CA", "Newfoundland", "NL"), ("CA", "P.E.I.", "PE"),
    ("AU", "N.S.W.", "NSW"), *(("US", part, None) for part in ("New", "Virg", "York", "Ontario", "")),
])  # fmt: skip
def test_a_state_is_known_by_code_or_name_in_use_not_by_a_part(country: str, written: str, code: str | None) -> None:
    assert getattr(state_of(country, written), "code", None) == code


@pytest.mark.parametrize(("country", "written", "code"), [
    ("US", "10001", "NY"), ("US", " 90210-1234 ", "CA"), ("US", "02139", "MA"), ("US", "20500", "DC"),
    ("US", "09012", "AE"), ("US", "00901", "PR"),
    # In another state than those around them.
    ("US", "83201", "ID"), ("US", "83414", "WY"), ("US", "73001", "OK"), ("US", "73301", "TX"),
    ("US", "1000", ""), ("US", "1000A", ""), ("US", "21300", "MD"), ("US", "09999", "AE"), ("US", "34999", "FL"),
    ("DE", "10001", ""), ("PR", "00901", ""),
])  # fmt: skip
def test_a_zip_lies_in_one_state(country: str, written: str, code: str) -> None:
    assert state_of_zip(country, written) == code


@pytest.mark.parametrize(
    ("country", "kind"), [("US", "State"), ("IE", "County"), ("CA", "Province"), ("HK", ""), ("SG", "")]
)
def test_a_form_can_call_the_parts_of_a_country_by_their_name(country: str, kind: str) -> None:
    assert kind_of_state(country) == kind


def test_countries_without_states_have_an_empty_list_and_every_country_has_a_name() -> None:
    assert not states("HK")
    assert states("NZ")["AUK"].name == "Auckland"
    assert all(country.name for country in countries().values())
    with speaking("es"):
        assert shown_country(countries()["US"]) == "Estados Unidos"
        assert countries()["US"].name == "United States", "it is sent by one name"


@pytest.mark.parametrize(("typed", "country", "sent"), [
    ("212-555-0100", "US", "+12125550100"), ("+1 (212) 555 0100", "FR", "+12125550100"),
    ("06 12 34 56 78", "FR", "+33612345678"), ("0151 23456789", "DE", "+4915123456789"),
])  # fmt: skip
def test_a_phone_number_is_read_by_country_and_sent_in_one_form(typed: str, country: str, sent: str) -> None:
    assert read_phone(typed, country).e164 == sent


@pytest.mark.parametrize(
    ("typed", "why"), [("call me", r"such as \(201\) 555-0123"), ("12", "such as"), ("1-800-FLOWERS", "in digits")]
)
def test_what_cannot_be_a_phone_number_is_refused(typed: str, why: str) -> None:
    with pytest.raises(PhoneProblem, match=why):
        read_phone(typed, "US")


def test_a_number_that_the_plan_does_not_know_and_one_of_a_service_are_taken_with_a_doubt() -> None:
    number = read_phone("555-555-0100", "US")
    assert number.e164 == "+15555550100"
    assert number.doubt
    assert "a text message does not reach" in str(read_phone("1-800-356-9377", "US").doubt)
    assert read_phone("212-736-5000", "US").doubt is None


@pytest.mark.parametrize(("typed", "meant"), [
    ("ada@gmial.com", "ada@gmail.com"), ("ada@gmai.com", "ada@gmail.com"), ("ada@hotmaill.com", "ada@hotmail.com"),
    ("ada@yahoo.con", "ada@yahoo.com"), ("ada@shop.con", "ada@shop.com"), ("ada@gmail.com", None), ("ada@gmx.at", None),
    ("ada@my-own.example", None), ("not an address", None),
])  # fmt: skip
def test_a_mistyped_domain_gets_a_suggestion(typed: str, meant: str | None) -> None:
    assert email_hint(typed) == meant


SOMEBODY = (
    "zeb.quill@example.com", "zeb@", "+1 617 555 0199", "617-555-0199", "(617) 555-0199 lamp", "6175550199",
    "16175550199",
)  # fmt: skip
NOBODY = ("lamp", "1000234567", "W-2026-11-23", "2026-11-01", "12345678", "lamp 3000", "0012345678901234567")


@pytest.mark.parametrize(("text", "named"), [*((each, True) for each in SOMEBODY), *((each, False) for each in NOBODY)])
def test_an_email_or_a_phone_is_in_no_address_an_orders_number_a_day_and_a_word_are(text: str, *, named: bool) -> None:
    assert names_somebody(text) is named
    assert ClaimsFilter(words=text).address().get("words") == (None if named else text)


@pytest.mark.parametrize(("address", "counted"), [
    ("192.0.2.7", "192.0.2.7"), ("2001:db8:0:1:ffff::9", "2001:db8:0:1::"), ("::ffff:192.0.2.7", "192.0.2.7"), ("", ""),
    ("this machine", "this machine"),
])  # fmt: skip
def test_one_address_of_a_network_of_64_bits_counts_as_all_of_them(address: str, counted: str) -> None:
    assert network(address) == counted
