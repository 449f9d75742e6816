"""The audit trail as a file to take away: one row each, safe to open in a spreadsheet."""

import json
from collections.abc import Iterable
from typing import Any

import pandas as pd

from warranty.files.export.csv_file import claims_csv
from warranty.people.audit.entries import AuditRow
from warranty.people.audit.tables import AUDIT
from warranty.people.audit.trail import items


def audit_csv(rows: Iterable[AuditRow]) -> bytes:
    """All columns as texts, in the order of the table; moments in ISO form, UTC; details as one JSON object."""
    columns = [column.name for column in AUDIT.c]
    return claims_csv(pd.DataFrame([_texts(row) for row in rows], columns=columns, dtype="str"))


def _texts(row: AuditRow) -> dict[str, Any]:
    return {
        name: json.dumps(value, ensure_ascii=False) if name == "details" else str(value) for name, value in items(row)
    }
