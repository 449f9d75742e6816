"""Countries, states, phone numbers, e-mails and addresses as people write them, and what names somebody."""

import pytest

from components.claims.screen.claims_filter import ClaimsFilter
from warranty.language import speaking
from warranty.places.contact import PhoneProblem, email_doubt, email_hint, read_phone
from warranty.places.countries import (
    countries,
    country_of,
    kind_of_state,
    shown_country,
    state_of,
    state_of_zip,
    states,
    zip_with_zeros,
)
from warranty.places.network import network
from warranty.places.people_in_text import names_somebody


@pytest.mark.parametrize(("written", "code"), [
    ("US", "US"), ("United States (US)", "US"), ("united states", "US"), ("USA", "US"), ("UK", "GB"), ("France", "FR"),
    ("curacao", "CW"), ("South Korea", "KR"), ("Korea, Republic of", "KR"), ("Deutschland", "DE"), ("España", "ES"),
    ("日本", "JP"), ("Royaume-Uni", "GB"), ("The Netherlands", "NL"), ("Holland", "NL"), ("England", "GB"),
    ("Great Britain (UK)", "GB"), ("Turkey", "TR"), ("Korea", "KR"), ("Hong Kong SAR", "HK"),
    ("Republic of Ireland", "IE"), ("Kosovo", "XK"), ("XK", "XK"), ("U.S.", "US"), ("EE. UU.", "US"), ("EEUU", "US"),
    ("Inglaterra", "GB"), ("Méjico", "MX"), ("GER", "DE"), ("EL", "GR"), ("Ireland (Republic)", "IE"),
    ("Netherlands The", "NL"), ("Netherlands, The", "NL"), ("Atlantis", None), ("", None),
])  # fmt: skip
def test_a_country_is_known_by_any_of_its_names(written: str, code: str | None) -> None:
    assert getattr(country_of(written), "code", None) == code


STATES_IN_USE = (
    "US-DC Washington,D.C.; US-NY NY, ny, US-NY, new york, N.Y., N. Y., New York (NY), NY - New York, State of New "
    "York; US-CA Calif.; US-MS Miss.; US-AE AE; US-ME Me; US-VI Virgin Islands; US-NC N. Carolina; US-WV W. Virginia; "
    "CA-QC PQ, Québec; CA-NL Newfoundland; CA-PE P.E.I.; AU-NSW N.S.W.; ES-B Barcelona; ES-GI Gerona; ES-C A Coruña, "
    "La Coruña; ES-PM Baleares; ES-BI Vizcaya; ES-SS Guipúzcoa; ES-VI Álava; ES-L Lérida; ES-OR Orense; ES-TF "
    "Tenerife; ES-GC Las Palmas; ES-NA Navarra; ES-CT Cataluña; ES-PV País Vasco; ES-M Madrid, Provincia de Madrid; "
    "MX-AGU AGS; MX-BCN BC; MX-CHP CHIS; MX-CMX DF, CDMX, Mexico City; MX-ROO Q ROO; MX-MIC Michoacán; MX-COA "
    "Coahuila; MX-MEX Estado de México; MX-QUE Querétaro; MX-VER Veracruz; MY-01 JHR; ZA-GP GT; ZA-KZN NL; JP-13 JP13; "
    "CN-HI CN22; CN-BJ Beijing; TR-34 TR34; AE-DU Dubai; AE-AZ Emirate of Abu Dhabi; KR-11 Seoul; KR-26 Busan "
    "Metropolitan City; TH-10 Bangkok; ID-JK Jakarta; CO-DC Bogotá; AR-C CABA; PH-00 Metro Manila; GB-ENG London; "
    "GB-WLS Wales; GB-DUR County Durham; GB-HAM Hants; GB-NIR Co. Antrim; IE-D Co. Dublin, Dublin 4; IE-CO County "
    "Cork; FR-75C 75; FR-IDF Ile de France; FR-PAC PACA; DE-NW NRW; DE-BY Bavaria; DE-BW Baden-Wuerttemberg; CH-BE "
    "Bern; SE-AB Stockholm; BE-BRU Brussel; BE-VAN Antwerp; US- , New, Virg, York, Ontario, West, NYC, New York City, "
    "Nevada County, NY / CA; CH- Basel, Chur; CA- Cape; PH- -; ES- N/A, Castilla; CN- CN-22; MX- MX"
)


@pytest.mark.parametrize(("country", "written", "code"), [
    *((code[:2], name, code[3:] or None) for code, names in (each.split(" ", 1) for each in STATES_IN_USE.split("; "))
      for name in names.split(", ")),
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


@pytest.mark.parametrize(("country", "written", "whole"), [
    ("DE", "1067", "01067"), ("ES", "8001", "08001"), ("IT", "187", "00187"), ("US", "2108-1234", "02108-1234"),
    ("NO", "150", "0150"), ("DE", "106", ""), ("DE", "10115", ""), ("AT", "101", ""), ("", "1067", ""),
])  # fmt: skip
def test_a_zip_gets_back_the_zeros_that_a_spreadsheet_dropped(country: str, written: str, whole: str) -> None:
    assert zip_with_zeros(country, written) == whole


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
    ("491701234567", "DE", "+491701234567"), ("3934712345", "IT", "+393934712345"),
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
    assert (
        number.doubt == read_phone("491701234567", "DE").doubt == "This number is unusual: read it back to the customer"
    )
    assert "a text message does not reach" in str(read_phone("1-800-356-9377", "US").doubt)
    assert read_phone("212-736-5000", "US").doubt is None


@pytest.mark.parametrize(("typed", "meant"), [
    ("ada@gmial.com", "ada@gmail.com"), ("ada@gmai.com", "ada@gmail.com"), ("ada@hotmaill.com", "ada@hotmail.com"),
    ("ada@yahoo.con", "ada@yahoo.com"), ("ada@shop.con", "ada@shop.com"), ("ada@gmail.com", None), ("ada@gmx.at", None),
    ("ada@my-own.example", None), ("not an address", None),
    ("Mara <mara@example.com>", "mara@example.com"), ("mailto:mara@example.com", "mara@example.com"),
    *((f"{made_up}.com", "") for made_up in ("none@none", "noemail@noemail", "test@test", "na@na", "no@email", "x@x")),
])  # fmt: skip
def test_a_mistyped_domain_gets_a_suggestion_and_a_made_up_address_a_doubt(typed: str, meant: str | None) -> None:
    assert (email_hint(typed), bool(email_doubt(typed))) == (meant or None, meant == "")


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
