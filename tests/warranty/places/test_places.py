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
    ("Republic of Ireland", "IE"), ("Kosovo", "XK"), ("XK", "XK"), ("U.S.", "US"), ("EE. UU.", "US"), ("EEUU", "US"),
    ("Inglaterra", "GB"), ("Méjico", "MX"), ("GER", "DE"), ("EL", "GR"), ("Ireland (Republic)", "IE"),
    ("Netherlands The", "NL"), ("Netherlands, The", "NL"), ("Atlantis", None), ("", None),
])  # fmt: skip
def test_a_country_is_known_by_any_of_its_names(written: str, code: str | None) -> None:
    assert getattr(country_of(written), "code", None) == code


STATES_IN_USE = (
    "US-NY NY, ny, US-NY, new york, N.Y., N. Y., New York (NY); US-CA Calif.; US-MS Miss.; US-AE AE; US-ME Me; US-VI "
    "Virgin Islands; CA-QC PQ, Québec; CA-NL Newfoundland; CA-PE P.E.I.; AU-NSW N.S.W.; ES-B Barcelona, ES-B; ES-GI "
    "Girona, Gerona; ES-C A Coruña, La Coruña; ES-PM Baleares, Balears, Illes Balears; ES-BI Vizcaya, Bizkaia; ES-SS "
    "Guipúzcoa, Gipuzkoa; ES-VI Álava, Araba; ES-L Lérida, Lleida; ES-OR Orense, Ourense; ES-TF Tenerife; ES-GC Las "
    "Palmas, Gran Canaria; ES-NA Navarra, Nafarroa; ES-CT Cataluña, Catalunya, Catalonia; ES-PV País Vasco, Euskadi; "
    "ES-CS Castelló; ES-A Alacant; ES-V València; ES-M Madrid, Provincia de Madrid; ES-AS Principado de Asturias; "
    "ES-AN Andalusia; ES-GA Galiza; MX-AGU AGS; MX-BCN BC; MX-CHP CHIS; MX-CMX DF, CDMX, Distrito Federal, Mexico "
    "City; MX-ROO Q ROO; MX-MIC MICH; MX-COA COAH; MX-MEX Estado de México, Edomex; MX-QUE Querétaro, QRO; MX-VER "
    "Veracruz; MX-NLE N.L.; MY-01 JHR; MY-07 PNG, Penang; MY-14 KUL; MY-04 Malacca (Melaka); MY-16 PJY; ZA-GP GT; "
    "ZA-KZN NL, KwaZulu Natal; JP-13 JP13, JP-13, Tokyo Prefecture; JP-01 1; CN-HI CN22; CN-BJ CN2, Beijing; CN-SH "
    "Shanghai; CN-NM Inner Mongolia; TR-34 TR34, Istanbul; TR-21 Diyarbakir; AE-DU Dubai; AE-AZ Abu Dhabi, Emirate of "
    "Abu Dhabi; AE-SH Sharjah; KR-11 Seoul; KR-26 Busan, Busan Metropolitan City; TH-10 Bangkok; ID-JK Jakarta; ID-JB "
    "West Java; VN-HN Hanoi; VN-SG Ho Chi Minh City; VN-DN Da Nang; CO-DC Bogotá, Bogota D.C.; AR-C CABA; PH-00 Metro "
    "Manila, NCR; GB-ENG London, Greater London; GB-WLS Wales; GB-DUR County Durham, Co. Durham; GB-HAM Hants; GB-NIR "
    "Co. Antrim; GB-BST Bristol; IE-D Co. Dublin, Dublin 4; IE-CO County Cork; FR-75C 75; FR-IDF Ile de France; FR-PAC "
    "PACA; FR-06 6; IN-TS TG; IN-OD Orissa; DE-NW NRW; DE-BY Bavaria; DE-BW Baden-Wuerttemberg, Baden Württemberg; "
    "DE-SN Saxony; DE-ST Saxony-Anhalt; DE-NI Lower Saxony; CH-BE Bern; CH-ZH Zurich, Kanton Zürich; CH-SG St. Gallen; "
    "SE-AB Stockholm, Stockholm County; SE-M Skåne; BE-BRU Brussel; BE-VAN Antwerp; US-NC N. Carolina; US-WV W. "
    "Virginia; US-SD S. Dakota; US-NY NY - New York, NY 10001, State of New York; US-WA Washington State; IT-MI Milan; "
    "PT-11 Lisbon; US- New, Virg, York, Ontario, West, N, NYC, New York City, Nevada County, NY / CA, Paris / Texas; "
    "CH- Basel, Chur; CA- Cape; PH- -; ES- N/A, Castilla; CN- CN-22; MX- MX"
)


@pytest.mark.parametrize(("country", "written", "code"), [
    ("US", "Washington, D.C.", "DC"), ("US", "", None),
    *(
        (code[:2], name.strip(), code[3:] or None)
        for code, names in (each.split(" ", 1) for each in STATES_IN_USE.split("; ")) for name in names.split(",")
    ),
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
