"""The words for people, in the language of who reads them.

A sentence stands in the code in English and is its own key: `_("Order {order} is stored.", order=number)`. Its Spanish
stands in `es/<room>.po`, a gettext catalogue for each room of the house (`make words` adds what is new to them). What a
program reads (CSV, JSON, logs, keys, the service's own words) is never passed through here.

Whose words: inside `speaking("es")` that language, else that of the person whose screen is drawn, as the dashboard
tells it (`use_locale_reader`), else English. docs/decisions/language.md says why so.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final, Literal, get_args
from unicodedata import bidirectional

from babel import Locale, UnknownLocaleError
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import Translations

Language = Literal["en", "es"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
LANGUAGE_NAMES: Final[Mapping[Language, str]] = {"en": "English", "es": "Español"}
"""Each in itself, so that whoever reads no other finds it."""
_TURNING: Final = frozenset({"R", "AL", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Classes of the letters and marks that are written from the right, or have others written so."""
_ISOLATES: Final = frozenset("\u2066\u2067\u2068")
_ISOLATE, _ISOLATE_ENDS = "\u2068", "\u2069"
_COUNTRY: Final = "US"
"""Whose numbers and dates are written where the browser does not name another country of the language."""

_spoken: ContextVar[str] = ContextVar("spoken", default="")
_of_the_reader: list[Callable[[], str]] = []


def use_locale_reader(reader: Callable[[], str]) -> None:
    """Tell who knows the locale of the person that is served now (`es`, `es-MX`; "" where nobody is).

    Asked with every sentence, since the platform calls callbacks and fragments in threads of its own, before or without
    the script that could set a variable.
    """
    _of_the_reader[:] = [reader]


@contextmanager
def speaking(locale: str) -> Iterator[None]:
    """Speak this language meanwhile, whoever is at the screen: a customer's mail, a slip, a command."""
    before = _spoken.set(locale)
    try:
        yield
    finally:
        _spoken.reset(before)


def language() -> Language:
    """The language of what is said now."""
    return language_of(_reader())


def language_of(locale: str) -> Language:
    """The one of our languages that this locale reads; English for one that we do not have."""
    code = locale.replace("_", "-").split("-")[0].lower()
    return next((known for known in LANGUAGES if known == code), "en")


def locale() -> Locale:
    """How numbers and dates are written now: `en_US`, `es_US`, or as the browser's country writes them."""
    return _locale(_reader())


def _(text: str, /, **values: object) -> str:
    """The sentence in the language of its reader, with the values in their places."""
    return _filled(_catalogue(language()).gettext(text), values)


def ngettext(one: str, several: str, number: float, /, **values: object) -> str:
    """The sentence for one or for several of something: `ngettext("{n} claim", "{n} claims", len(claims))`."""
    count = int(number) if number == int(number) else 2  # "1.5 hours" is several in both languages
    values = {"n": format_decimal(count, "#,##0", locale=locale()), **values}
    return _filled(_catalogue(language()).ngettext(one, several, count), values)


def pgettext(context: str, text: str, /, **values: object) -> str:
    """The same for a word that is another one elsewhere: `pgettext("verb", "Order")`."""
    return _filled(str(_catalogue(language()).pgettext(context, text)), values)


def N_(text: str) -> str:  # noqa: N802
    """Mark a sentence that stands in a constant; `_` says it where it is shown."""
    return text


def in_all_languages(words: Mapping[str, str]) -> dict[Language, dict[str, str]]:
    """Sentences marked by `N_`, by language and name, for a page that speaks by itself and fills in their values."""
    by_language: dict[Language, dict[str, str]] = {}
    for code in LANGUAGES:
        with speaking(code):
            by_language[code] = {name: _(sentence) for name, sentence in words.items()}
    return by_language


@dataclass(frozen=True, slots=True, init=False)
class Sentence:
    """A sentence that is kept or handed on, and put into words by `str` where it is read, maybe by several people:
    `Sentence(N_("{n} left"), n=3)`. A value may be a sentence itself; an amount and a moment are written as their
    reader writes them.
    """

    text: str
    values: tuple[tuple[str, object], ...]

    def __init__(self, text: str, /, **values: object) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "values", tuple(values.items()))

    def __str__(self) -> str:
        from warranty.language.written import written  # noqa: PLC0415 - it asks this module for the locale

        return _(self.text, **{name: written(value) for name, value in self.values})

    @property
    def english(self) -> str:
        """As programs and records have it, whoever is at the screen."""
        with speaking("en"):
            return str(self)


def isolated(text: str) -> str:
    """A text of people for a place between others: what is written from the right in it, by its letters or by marks,
    turns nothing around it. Most texts stay as they are.
    """
    if text.isascii() or not any(bidirectional(letter) in _TURNING for letter in text):
        return text
    return "".join(map(_isolated_line, text.splitlines(keepends=True)))


def _isolated_line(line: str) -> str:
    """An isolate ends with its line; an end too many would end ours, a missing one would go on behind it."""
    text = line.rstrip("\r\n")
    letters, open_ = [], 0
    for letter in text:
        if letter == _ISOLATE_ENDS and not open_:
            continue
        open_ += (letter in _ISOLATES) - (letter == _ISOLATE_ENDS)
        letters.append(letter)
    return f"{_ISOLATE}{''.join(letters)}{_ISOLATE_ENDS * (open_ + 1)}{line[len(text) :]}"


def _filled(sentence: str, values: dict[str, object]) -> str:
    if not values:
        return sentence
    return sentence.format(
        **{name: isolated(value) if isinstance(value, str) else value for name, value in values.items()}
    )


def _reader() -> str:
    return _spoken.get() or next((tell() for tell in _of_the_reader), "")


@cache
def _locale(name: str) -> Locale:
    code = language_of(name)
    try:
        found = Locale.parse(name.replace("-", "_"))
    except (ValueError, UnknownLocaleError):
        return Locale(code, _COUNTRY)
    return found if found.language == code and found.territory else Locale(code, _COUNTRY)


@cache
def _catalogue(code: Language) -> Translations:
    """All rooms' sentences in one; made when the language is first spoken (0.2 s), kept for good."""
    whole = Translations()
    if code == "en":
        return whole
    for path in sorted(Path(__file__).parent.joinpath(code).glob("*.po")):
        with path.open("rb") as text:
            catalogue = read_po(text, locale=code)
        compiled = BytesIO()
        write_mo(compiled, catalogue)
        compiled.seek(0)
        whole.merge(Translations(compiled))
    return whole
