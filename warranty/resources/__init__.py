"""Everything sent to the service or received from it (interface: Resources and their fields)."""

from warranty.resources.base import LONGEST_TEXT
from warranty.resources.checkouts import Checkout, CheckoutLineItem, CheckoutReceipt, CustomerAddress
from warranty.resources.claims import ClaimPage, ClaimQuery, ClaimRecord, TimeRange
from warranty.resources.money import DecimalMark, PriceProblem, format_price, parse_price
from warranty.resources.order_ids import order_id_warning
from warranty.resources.orders import (
    BillingAddress,
    Breadcrumb,
    Detail,
    Image,
    LineItem,
    Meta,
    Order,
    OrderReceipt,
    Product,
)
from warranty.resources.problems import FieldProblem, field_name, problems
from warranty.resources.purchase_warranties import (
    CarriedWarranty,
    CoveredProduct,
    Offer,
    OfferedProduct,
    PurchasableLineItem,
    PurchaseWarranties,
)
from warranty.resources.sales import Sale, SaleLineItem, SaleProduct, SaleReceipt, WarrantySelector
from warranty.resources.words import as_whole

__all__ = [
    "LONGEST_TEXT",
    "BillingAddress",
    "Breadcrumb",
    "CarriedWarranty",
    "Checkout",
    "CheckoutLineItem",
    "CheckoutReceipt",
    "ClaimPage",
    "ClaimQuery",
    "ClaimRecord",
    "CoveredProduct",
    "CustomerAddress",
    "DecimalMark",
    "Detail",
    "FieldProblem",
    "Image",
    "LineItem",
    "Meta",
    "Offer",
    "OfferedProduct",
    "Order",
    "OrderReceipt",
    "PriceProblem",
    "Product",
    "PurchasableLineItem",
    "PurchaseWarranties",
    "Sale",
    "SaleLineItem",
    "SaleProduct",
    "SaleReceipt",
    "TimeRange",
    "WarrantySelector",
    "as_whole",
    "field_name",
    "format_price",
    "order_id_warning",
    "parse_price",
    "problems",
]
