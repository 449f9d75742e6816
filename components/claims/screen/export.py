"""Files that take claims away: exactly those that the filter leaves, each built when its button is pressed."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from components.claims.charts.time_notes import Notes
from components.claims.screen.claims_filter import ClaimsFilter
from components.claims.screen.columns import FIRST_COLUMNS, SORTINGS, field_of
from components.claims.screen.shown_rows import Places
from components.gate import taken_away
from components.platform import session
from warranty.claims.analysis import covered
from warranty.claims.readings.readings import KeptClaims
from warranty.claims.retrieval.columns import FIELDS
from warranty.desk.taking_away import TakenAway, describe_claims
from warranty.files.export import Arrangement, ClaimsFile, Form, Separator, claims_file, file_stem
from warranty.files.export.claims_file import MEDIA_TYPES
from warranty.insight.history.time_notes import notes_for_manifest
from warranty.language import N_, _

_FORMS: Final[dict[Form, str]] = {"csv": N_("Download CSV"), "xlsx": N_("Download XLSX")}
_TAKEN: Final[dict[Form, TakenAway]] = {"csv": TakenAway.CLAIMS_CSV, "xlsx": TakenAway.CLAIMS_XLSX}
_COMMA_LANGUAGES: Final = frozenset({"en", "ja", "zh", "ko", "th", "he", "hi", "ms", "fil"})
_COMMA_REGIONS: Final = frozenset({"MX", "US", "GT", "HN", "NI", "SV", "DO", "PA", "PE", "PR"})
_ARRANGED: Final = "claims-export:arranged"


def export_files(cached: KeptClaims, chosen: ClaimsFilter, *, places: Places, notes: Notes) -> None:
    """Offer all claims that the filter leaves, at these `places`, not the visible page; `notes` stand in manifests."""
    with st.popover(_("Export"), icon=":material/download:", key="claims-export", on_change="rerun") as folded:
        if folded.open:
            _files(cached, chosen, places=places, notes=notes)


def _files(cached: KeptClaims, chosen: ClaimsFilter, *, places: Places, notes: Notes) -> None:
    claims, selection, rows = cached.claims, chosen.selection(closed=cached.closed), len(places)
    arranged = as_in_the_table(chosen, places) if session.recall(_ARRANGED, False) else None
    separator = usual_separator(st.context.locale)
    stem = file_stem(claims, selection, rows=rows)
    days = covered(claims)
    subset = describe_claims(claims.query, selection)
    noted = notes_for_manifest(notes, days.first, days.last)

    def built(form: Form, part: Callable[[ClaimsFile], bytes]) -> Callable[[], bytes]:
        return lambda: part(
            claims_file(
                claims, form, selection=selection, separator=separator, bom=True, notes=noted, arranged=arranged
            )
        )

    with st.container(horizontal=True):
        for form, label in _FORMS.items():
            st.download_button(
                _(label),
                taken_away(_TAKEN[form], built(form, lambda file: file.content), count=rows, subset=subset),
                file_name=f"{stem}.{form}",
                mime=MEDIA_TYPES[form],
                on_click="ignore",
                key=f"claims-export:{form}",
            )
    st.toggle(
        _("As in the table: its columns and its order"),
        value=arranged is not None,
        key=f"{_ARRANGED}:field",
        on_change=_take_arrangement,
        help=_("Else all columns, newest claim first."),
    )
    st.caption(
        _(
            "For Excel take XLSX: it keeps ids such as 00012345 as they are. In CSV a text that looks like a formula "
            "begins with an apostrophe."
        )
    )
    st.download_button(
        _("Download file details"),
        taken_away(TakenAway.CLAIMS_MANIFEST, built("csv", lambda file: file.manifest), count=rows, subset=subset),
        file_name=f"{stem}.csv.manifest.json",
        mime="application/json",
        on_click="ignore",
        key="claims-export:manifest",
        help=_("What the CSV file of this moment holds: filter, counts, as of when, and its SHA-256."),
    )


def usual_separator(locale: str | None) -> Separator:
    """What a spreadsheet expects between cells: the comma where numbers have a decimal point, else the semicolon."""
    if not locale:
        return ","
    language, *rest = locale.replace("_", "-").split("-")
    region = rest[-1].upper() if rest else ""
    if language.lower() == "en":
        return ";" if region == "ZA" else ","
    return "," if language.lower() in _COMMA_LANGUAGES or region in _COMMA_REGIONS else ";"


def _take_arrangement() -> None:
    session.remember(_ARRANGED, session.value_of(f"{_ARRANGED}:field", False))


def as_in_the_table(chosen: ClaimsFilter, places: Places) -> Arrangement:
    """Rows and columns as the table shows them; days open, which are others tomorrow, are in no file."""
    sorting = SORTINGS[chosen.order]
    columns = tuple(dict.fromkeys(map(field_of, chosen.columns or FIRST_COLUMNS)))
    order = f"{sorting.column}, {'descending' if sorting.descending else 'ascending'}"
    return Arrangement(places, tuple(name for name in columns if name in FIELDS) or FIELDS, order)
