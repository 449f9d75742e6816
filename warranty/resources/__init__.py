"""Everything sent to the service or received from it (interface: Resources and their fields)."""

from warranty.resources.base import LONGEST_TEXT
from warranty.resources.checkouts import Checkout, CheckoutReceipt
from warranty.resources.claims import ClaimPage, ClaimQuery, ClaimRecord
from warranty.resources.money import DecimalMark, PriceProblem, format_price, parse_price
from warranty.resources.order_ids import order_id_warning
from warranty.resources.orders import LineItem, Order, OrderReceipt
from warranty.resources.problems import problems
from warranty.resources.purchase_warranties import (
    CarriedWarranty,
    Offer,
    OfferedProduct,
    PurchasableLineItem,
    PurchaseWarranties,
)
from warranty.resources.sales import Sale, SaleLineItem, SaleReceipt, WarrantySelector
from warranty.resources.words import as_whole
