"""Files of orders: which columns mean what, the rows as orders, and what is wrong with each."""

from warranty.files.order_files.assessment import (
    GUESSABLE,
    SENT_BEFORE,
    Assessed,
    Choices,
    Fault,
    assess,
    has_lost_a_zero,
    without_duplicates,
)
from warranty.files.order_files.layouts import (
    FIELDS,
    Layout,
    fingerprint,
    guess,
    mapped,
    recognise,
    template_csv,
)
from warranty.files.order_files.source import SourceOrder, read_orders

__all__ = [
    "FIELDS",
    "GUESSABLE",
    "SENT_BEFORE",
    "Assessed",
    "Choices",
    "Fault",
    "Layout",
    "SourceOrder",
    "assess",
    "fingerprint",
    "guess",
    "has_lost_a_zero",
    "mapped",
    "read_orders",
    "recognise",
    "template_csv",
    "without_duplicates",
]
