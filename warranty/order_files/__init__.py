"""Files of orders: which columns mean what, the rows as orders, and what is wrong with each."""

from warranty.order_files.assessment import Assessed, Choices, Fault, assess, assess_all, without_twins
from warranty.order_files.layouts import FIELDS, Field, Layout, fingerprint, guess, mapped, recognise
from warranty.order_files.source import SourceLine, SourceOrder, read_orders
from warranty.order_files.template import template_csv

__all__ = [
    "FIELDS",
    "Assessed",
    "Choices",
    "Fault",
    "Field",
    "Layout",
    "SourceLine",
    "SourceOrder",
    "assess",
    "assess_all",
    "fingerprint",
    "guess",
    "mapped",
    "read_orders",
    "recognise",
    "template_csv",
    "without_twins",
]
