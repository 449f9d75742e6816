"""Everything sent to the service or received from it (interface: Resources and their fields)."""

from warranty.client.resources.base import LONGEST_TEXT
from warranty.client.resources.claims import ClaimPage, ClaimQuery, ClaimRecord
from warranty.client.resources.money import DecimalMark, PriceProblem, format_price, parse_price
from warranty.client.resources.orders import LineItem, Order, OrderReceipt, order_id_warning
from warranty.client.resources.problems import problems
from warranty.client.resources.purchase_warranties import (
    CarriedWarranty,
    Offer,
    OfferedProduct,
    PurchasableLineItem,
    PurchaseWarranties,
)
from warranty.client.resources.sales import Checkout, CheckoutReceipt, Sale, SaleLineItem, SaleReceipt, WarrantySelector
from warranty.client.resources.words import as_whole
