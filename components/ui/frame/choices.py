"""How a person has the desk: its language, and how closely it is set; kept in the journal, read once by a tab."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, Literal

import streamlit as st

from components.platform import session
from components.ui.frame.actions import Action
from components.ui.frame.failure_notice import reporting_outage
from warranty.access import Operator
from warranty.database.preferences import Preference
from warranty.errors import JournalUnavailable
from warranty.language import LANGUAGE_NAMES, LANGUAGES, N_, _, language

Density = Literal["comfortable", "compact"]
_DENSITIES: Final[Mapping[Density, str]] = {"comfortable": N_("Comfortable"), "compact": N_("Compact")}
_READ: Final = "choices-of"
_DENSITY: Final = "density"
_ROW_HEIGHTS: Final[Mapping[Density, int]] = {"comfortable": 35, "compact": 28}
"""Those of a table's rows, in pixels; the first is the platform's own."""


def take_up_choices(operator: Operator, preference: Preference) -> None:
    """Speak and set the screens as this person chose, at this desk or another; asked once in a tab."""
    if session.recall(_READ, "") == operator.username:
        return
    try:
        chosen: Any = preference.load()
    except JournalUnavailable:  # the next run asks again; the screen says what is amiss
        return
    session.remember(_READ, operator.username)
    if not isinstance(chosen, dict):
        return
    if chosen.get("language") in LANGUAGES:
        session.choose_language(chosen["language"])
    if chosen.get("density") in _DENSITIES:
        session.remember(_DENSITY, chosen["density"])


def density() -> Density:
    """How closely the person has the screens set."""
    comfortable: Density = "comfortable"
    return session.recall(_DENSITY, comfortable)


def row_height() -> int:
    """The height of a table's row in pixels, as the person has it."""
    return _ROW_HEIGHTS[density()]


def choice_fields(preference: Preference) -> None:
    """Draw the two choices; each holds at once, in this tab even where the journal cannot keep it."""
    keep = reporting_outage(partial(_keep, preference))
    session.fill(_field("language"), language())
    st.segmented_control(
        "Language · Idioma",  # in both: it is looked for by who cannot read the one that is spoken
        list(LANGUAGES),
        required=True,
        format_func=lambda code: LANGUAGE_NAMES[code],
        key=_field("language"),
        on_change=keep,
    )
    session.fill(_field("density"), density())
    st.segmented_control(
        _("Density"),
        list(_DENSITIES),
        required=True,
        format_func=lambda name: _(_DENSITIES[name]),
        key=_field("density"),
        on_change=keep,
    )


def other_choices(preference: Preference) -> list[Action]:
    """The same as actions: to what is not chosen now."""
    return [
        *(
            Action(f"choose-{code}", name, act=partial(_take, preference, code, density()), about="Language · Idioma")
            for code, name in LANGUAGE_NAMES.items()
            if code != language()
        ),
        *(
            Action(f"choose-{name}", _(words), act=partial(_take, preference, language(), name), about=_("Density"))
            for name, words in _DENSITIES.items()
            if name != density()
        ),
    ]


def _field(name: str) -> str:
    return f"choice-{name}"


def _keep(preference: Preference) -> None:
    _take(preference, session.value_of(_field("language"), ""), session.value_of(_field("density"), ""))


def _take(preference: Preference, language: str, density: str) -> None:
    if language:
        session.choose_language(language)
    if density:
        session.remember(_DENSITY, density)
    preference.save({"language": language, "density": density})
