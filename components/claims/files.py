"""The files that a person takes away: exactly the claims that the filter leaves, with what the filter was."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from components.charts.pick import NO_PICK, ChartPick
from components.claims.claims_filter import ClaimsFilter
from warranty.analysis import Selection
from warranty.export import ClaimsFile, Separator, claims_file, file_stem
from warranty.export.claims_file import Form
from warranty.retrieval import ClaimSet

_COMMA_LANGUAGES = frozenset({"en", "ja", "zh", "ko", "th", "he", "hi", "ms", "fil"})
_COMMA_REGIONS = frozenset({"MX", "US", "GT", "HN", "NI", "SV", "DO", "PA", "PE", "PR"})


@dataclass(frozen=True, slots=True)
class ShownClaims(Selection):
    """A selection, and the bar of a chart that was picked."""

    pick: ChartPick = NO_PICK

    def __bool__(self) -> bool:
        return Selection.__bool__(self) or bool(self.pick)

    def of(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Give the rows that are meant; their index is kept."""
        selected = Selection.of(self, frame)
        return selected[self.pick.of(selected)] if self.pick else selected


def shown_claims(chosen: ClaimsFilter) -> ShownClaims:
    """What the filter leaves of what was read."""
    selection = chosen.selection
    return ShownClaims(selection.statuses, selection.products, selection.text, chosen.pick)


def shown_file_stem(claims: ClaimSet, chosen: ClaimsFilter, *, rows: int) -> str:
    """A file name without its ending: filter, count and completeness; counts nothing itself."""
    return file_stem(claims, shown_claims(chosen), rows=rows, further=_picked(chosen))


def shown_file(
    claims: ClaimSet, chosen: ClaimsFilter, form: Form, *, separator: Separator = ",", bom: bool = False
) -> ClaimsFile:
    """Build a file of all claims that the filter leaves, not of the visible page."""
    return claims_file(
        claims,
        form,
        selection=shown_claims(chosen),
        separator=separator,
        bom=bom,
        further=_picked(chosen),
    )


def _picked(chosen: ClaimsFilter) -> Mapping[str, str]:
    """The bar that was picked, for the file's name, its manifest and its second sheet."""
    return {"bar_of_a_chart": chosen.pick.words} if chosen.pick else {}


def usual_separator(locale: str | None) -> Separator:
    """What a spreadsheet expects between cells: the comma where numbers have a decimal point, else the semicolon."""
    if not locale:
        return ","
    language, *rest = locale.replace("_", "-").split("-")
    region = rest[-1].upper() if rest else ""
    if language.lower() == "en":
        return ";" if region == "ZA" else ","
    return "," if language.lower() in _COMMA_LANGUAGES or region in _COMMA_REGIONS else ";"
