"""A claim set, or a selection of it, as a file to take away, whose name and manifest say what it is."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from warranty.claims.analysis import Selection
from warranty.claims.retrieval import ClaimSet
from warranty.claims.retrieval.columns import FIELDS
from warranty.client.resources.claims import TimeRange
from warranty.files.export.csv_file import Separator, claims_csv
from warranty.files.export.xlsx_file import claims_xlsx
from warranty.language import speaking

Form = Literal["csv", "xlsx", "parquet"]
MEDIA_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
}
_LONGEST_PART: Final = 40
_LONGEST_CONDITION: Final = 60
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9.+]+")
_EMPTY: Final = "empty"
"""Stands in a file name for a status or a product without a letter."""
ONE_CUSTOMER: Final = "one customer, not named here"


@dataclass(frozen=True, slots=True)
class ClaimsFile:
    """A file: `name`, `content`, its media type, how many claims it holds, and what `manifest` tells."""

    name: str
    media_type: str
    rows: int
    content: bytes = field(repr=False)
    manifest: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How a file is arranged where it is not as received: `rows` are places in the set, in order; `columns` its fields.

    `order` says by what the rows are sorted.
    """

    rows: npt.NDArray[np.int64] = field(repr=False)
    columns: tuple[str, ...]
    order: str


@speaking("en")  # files are the same whoever takes them
def claims_file(
    claims: ClaimSet,
    form: Form = "csv",
    *,
    selection: Selection | None = None,
    separator: Separator = ",",
    bom: bool = False,
    name: str | None = None,
    notes: Sequence[Mapping[str, str]] | None = (),
    arranged: Arrangement | None = None,
) -> ClaimsFile:
    """Write all claims of the set that are selected: in CSV and XLSX with every text and time exactly as received.

    All eight columns stand in it, newest claim first, unless it is `arranged`: then `selection` only says what was
    selected. Parquet has the typed columns, with zoned times in UTC. `name` is the file's name where one was chosen;
    else it is made by `file_stem`. `notes` on the days of the claims stand in the manifest; None: it is not known which
    there are.

    A set that is not complete, or in which claims repeat another, says so in the name, in the manifest, and in the file
    itself: CSV has a last column
    `incomplete` in every row, XLSX a second sheet, Parquet metadata.
    """
    selection = selection or Selection()
    chosen = _filter(claims, selection)
    picked = claims.frame.iloc[arranged.rows] if arranged else selection.of(claims.frame)
    columns = list(arranged.columns if arranged else FIELDS)
    rows = len(picked)
    if form == "parquet":
        content = _parquet(claims, picked[columns])
    elif form == "xlsx":
        content = claims_xlsx(claims.table.as_received(picked)[columns], about=_about(claims, chosen, rows))
    else:
        partial = None if claims.is_certain else seal(claims)
        content = claims_csv(claims.table.as_received(picked)[columns], separator=separator, bom=bom, partial=partial)
    name = name or f"{file_stem(claims, selection, rows=rows)}.{form}"
    manifest = {
        "file": name,
        "form": form,
        "sha256": hashlib.sha256(content).hexdigest(),
        "rows": rows,
        "filter": chosen,
        "order": arranged.order if arranged else "claim_date, newest first",
        "columns": columns,
        "claims": {
            "complete": claims.is_certain,
            "received": claims.received,
            "total": claims.total,
            "unreadable": len(claims.rejected),
            "repeated": claims.table.repeated,
            "reasons": [reason.english for reason in claims.reasons],
            "as_of": _utc(claims.as_of),
            "closed_from": _utc(claims.closed_from or claims.as_of),
            "range_ends": None if claims.bounds is None else str(claims.bounds),
        },
        **_format(form, separator, bom=bom),
        "notes_on_days": "not known: the journal did not answer" if notes is None else list(notes),
    }
    written = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    return ClaimsFile(name, MEDIA_TYPES[form], rows, content, written)


@speaking("en")
def file_stem(claims: ClaimSet, selection: Selection | None = None, *, rows: int | None = None) -> str:
    """Give a file name without its ending: the filter, the count, and whether the set is complete.

    No e-mail address and no searched word is in it: file names travel further than files.
    """
    selection = selection or Selection()
    query = claims.query
    parts = ["claims", *_range_words(query.claim_dates)]
    if query.warranty_start_dates is not None:
        parts += ["warranty-from", *_range_words(query.warranty_start_dates)]
    if query.customer_email is not None:
        parts.append("one-customer")
    for values in (selection.statuses, selection.products):
        if values:
            parts.append(_name_part("+".join(value or _EMPTY for value in values)))
    conditions = {"searched": selection.text.split(), "open-only": selection.open_only}
    parts += [name for name, applies in conditions.items() if applies]
    if selection.pick:
        parts.append(_name_part(selection.pick.label(), longest=_LONGEST_CONDITION))
    if selection:
        parts.append(f"{len(selection.of(claims.frame)) if rows is None else rows}-rows-of")
    parts.append(claims.count_words.replace(",", "").replace(" ", "-"))
    if claims.is_certain or not claims.is_complete:
        parts.append("complete" if claims.is_complete else "INCOMPLETE")
    if claims.rejected:
        parts.append(f"{len(claims.rejected)}-unreadable")
    if claims.table.repeated:
        parts.append(f"{claims.table.repeated}-repeated")
    return "_".join(parts)


@speaking("en")
def seal(claims: ClaimSet) -> str:
    """Say how complete a set is, loudly where it is not: "INCOMPLETE: 950 of 1,204, read 2026-11-21T14:02:00Z"."""
    since = f", closed ones since {_utc(claims.closed_from)}" if claims.closed_from else ""
    return f"{claims.seal.replace('incomplete', 'INCOMPLETE')}, read {_utc(claims.as_of)}{since}"


def _parquet(claims: ClaimSet, picked: pd.DataFrame) -> bytes:
    """Write the typed columns, with the seal as metadata of the file."""
    import pyarrow as pa  # noqa: PLC0415 - no screen writes Parquet
    import pyarrow.parquet as pq  # noqa: PLC0415

    table = pa.Table.from_pandas(picked, preserve_index=False)
    metadata = {b"claims": seal(claims).encode(), b"complete": str(claims.is_certain).lower().encode()}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({**(table.schema.metadata or {}), **metadata}), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _filter(claims: ClaimSet, selection: Selection) -> dict[str, object]:
    query = claims.query.model_dump(mode="json")
    depends_on_closed = selection.open_only or selection.pick.is_open
    return {
        **query,
        "customer_email": ONE_CUSTOMER if query["customer_email"] else None,
        "statuses": list(selection.statuses),
        "products": list(selection.products),
        "text": selection.text,
        **({"bar_of_a_chart": selection.pick.label()} if selection.pick else {}),
        **({"open_only": "yes"} if selection.open_only else {}),
        **({"closed_statuses": list(selection.closed)} if depends_on_closed else {}),
    }


def _about(claims: ClaimSet, chosen: Mapping[str, object], rows: int) -> dict[str, str]:
    lines = {"Claims": seal(claims), "Rows in this file": f"{rows:,}"}
    for name, value in chosen.items():
        if value:
            lines[f"Filter: {name}"] = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    for reason in claims.reasons:
        lines[f"Reason {len(lines)}"] = str(reason)
    if claims.rejected:
        lines["Unreadable claims, not in this file"] = f"{len(claims.rejected):,}"
    if claims.table.repeated:
        lines["Claims that repeat another in all eight fields"] = f"{claims.table.repeated:,}"
    return lines


def _format(form: Form, separator: Separator, *, bom: bool) -> dict[str, object]:
    if form == "parquet":
        return {}
    if form == "xlsx":
        return {"format": {"cells": "all of them text, as received; a line ends in LF"}}
    return {
        "format": {
            "encoding": "UTF-8 with byte order mark" if bom else "UTF-8",
            "separator": separator,
            "line_ends": "CRLF",
            "formulas": "a text that a spreadsheet would run has an apostrophe before it",
        }
    }


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _range_words(times: TimeRange | None) -> list[str]:
    """Name a range: by its days where these are whole, else by its times; "all" where there is none."""
    if times is None:
        return ["all"]
    first, last = times
    whole = first.time() == time.min and last.time() == time.max
    form = "%Y-%m-%d" if whole else "%Y-%m-%dT%H%M%S"
    if whole and first.date() == last.date():
        return [f"{first:{form}}"]
    return [f"{first:{form}}", "to", f"{last:{form}}"]


def _name_part(text: str, *, longest: int = _LONGEST_PART) -> str:
    return _NOT_IN_A_NAME.sub("-", text)[:longest].strip("-.") or "selected"
