"""Countries and their states as pick lists, and what people write for them (interface: Billing address).

The names and codes are ISO 3166's, from a kept library. `state` goes out as the code without its country
("NY"), `country` as the name that people use, `country_code` as two letters.
"""

import gettext
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pycountry

from warranty.language import language, locale


@dataclass(frozen=True, slots=True)
class Place:
    """A country by its two letters, or a state, province, region or department by its code without the country."""

    code: str
    name: str


_LONGEST_NAME: Final = 200
_SPOKEN: Final = dict.fromkeys(("usa", "u.s.a.", "u.s."), "US") | dict.fromkeys(
    ("uk", "england", "scotland", "wales", "northern ireland", "great britain", "grossbritannien"), "GB"
)


@lru_cache(maxsize=1)
def countries() -> Mapping[str, Place]:
    """All countries by their code, in the order of their names."""
    found = [Place(entry.alpha_2, _name(entry)) for entry in pycountry.countries]
    return MappingProxyType(
        {country.code: country for country in sorted(found, key=lambda c: folded(c.name))}
    )


def shown_country(country: Place) -> str:
    """A country's name for people, in their language; `name` is the one that is sent, whoever is at the screen."""
    return country.name if language() == "en" else str(locale().territories.get(country.code, country.name))


@lru_cache(maxsize=256)
def states(country_code: str) -> Mapping[str, Place]:
    """The states of a country by their code, in the order of their names; empty where the list has none."""
    found = [
        Place(entry.code.partition("-")[2], entry.name)
        for entry in pycountry.subdivisions.get(country_code=country_code) or ()  # type: ignore[no-untyped-call]
    ]
    return MappingProxyType({state.code: state for state in sorted(found, key=lambda s: folded(s.name))})


def country_of(text: str) -> Place | None:
    """The country that a text names: its code, its name in any language of the library, "United States (US)"."""
    written = text.strip()
    in_brackets = re.fullmatch(r".*\(([A-Za-z]{2,3})\)", written)
    words = [folded(word) for word in (written, *([in_brackets[1]] if in_brackets else [])) if word]
    found = [code for names in (_codes, _translated) for word in words if (code := names().get(word))]
    return countries()[found[0]] if found else None


def state_of(country_code: str, text: str) -> Place | None:
    """The state that a text names in this country: its code with or without the country, or its name."""
    known = states(country_code)
    written = text.strip()
    short = written.upper().removeprefix(f"{country_code}-")
    if short in known:
        return known[short]
    wanted = folded(written)
    return next((state for state in known.values() if folded(state.name) == wanted), None)


def folded(text: str) -> str:
    """A text for comparing: no accents, no case, single blanks; of its beginning, since accents are sorted slowly."""
    letters = unicodedata.normalize("NFKD", text[:_LONGEST_NAME])
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(bare.casefold().split())


@lru_cache(maxsize=1)
def _codes() -> Mapping[str, str]:
    codes = dict(_SPOKEN)
    for entry in pycountry.countries:
        for kind in ("alpha_2", "alpha_3", "name", "common_name", "official_name"):
            if name := getattr(entry, kind, ""):
                codes[folded(name)] = entry.alpha_2
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
