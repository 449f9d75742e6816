"""Which column means what: our own template and the shop platform's export are known by their headers.

Headers are compared without case, blanks and signs, so "Lineitem SKU", "lineitem_sku" and "LINEITEM SKU" are one.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel

from warranty.files.encodings import bare
from warranty.files.table_files import Table
from warranty.language import N_, _


@dataclass(frozen=True, slots=True)
class Field:
    """Something that an order file can say: its name here, what people call it, and spellings of its header.

    `needed` is what a file has to say of every order, `wanted` what the service needs too: in one column or another, or
    typed for each order.
    """

    name: str
    label: str
    spellings: tuple[str, ...] = ()
    of_line: bool = False
    needed: bool = False
    wanted: bool = False


FIELDS: Final[Mapping[str, Field]] = MappingProxyType(
    {
        field.name: field
        for field in (
            Field("order_id", N_("Order id"), ("orderid", "ordernumber", "orderno", "order", "id", "name", "pedido"),
                  needed=True),
            Field("sku", N_("SKU"), ("sku", "lineitemsku", "productid", "articlenumber", "article", "itemnumber"),
                  of_line=True, needed=True),
            Field("title", N_("Title"), ("title", "lineitemname", "producttitle", "productname", "product", "item",
                                         "producto"), of_line=True, needed=True),
            Field("price", N_("Price"), ("price", "lineitemprice", "productprice", "unitprice", "precio"),
                  of_line=True, needed=True),
            Field("quantity", N_("Quantity"), ("quantity", "lineitemquantity", "qty", "units", "cantidad"),
                  of_line=True),
            Field("category", N_("Category"), ("category", "categorypath", "lineitemcategory", "productcategory"),
                  of_line=True),
            Field("image", N_("Image address"), ("image", "imageurl", "imageaddress"), of_line=True),
            Field("delivery_date", N_("Delivery date"), ("deliverydate", "productdeliverydate", "delivered"),
                  of_line=True),
            Field("discount", N_("Discount of the line"), ("discount", "lineitemdiscount"), of_line=True),
            Field("first_name", N_("First name"), ("firstname", "billingfirstname", "givenname", "nombre"),
                  wanted=True),
            Field("last_name", N_("Last name"), ("lastname", "billinglastname", "surname", "familyname", "apellidos")),
            Field("full_name", N_("Full name"), ("billingname", "customername", "customer", "fullname", "cliente"),
                  wanted=True),
            Field("email", N_("E-mail"), ("email", "emailaddress", "customeremail", "mail", "correo"), wanted=True),
            Field("phone", N_("Phone"), ("billingphone", "phone", "phonenumber", "telephone", "shippingphone",
                                         "teléfono"), wanted=True),
            Field("address1", N_("Street"), ("billingaddress1", "address1", "street", "billingstreet", "address",
                                             "dirección")),
            Field("address2", N_("Second address line"), ("billingaddress2", "address2")),
            Field("city", N_("City"), ("billingcity", "city", "town", "ciudad")),
            Field("zip", N_("Postal code"), ("billingzip", "zip", "zipcode", "postalcode", "postcode", "códigopostal")),
            Field("state", N_("State"), ("billingprovince", "state", "province", "region", "billingprovincename",
                                         "billingstate", "provincia"), wanted=True),
            Field("country", N_("Country"), ("billingcountry", "country", "countrycode", "billingcountrycode", "país"),
                  wanted=True),
            Field("merchant", N_("Merchant"), ("merchant", "merchantexternalid", "merchantid")),
            Field("cancelled", N_("Cancelled at"), ("cancelledat", "canceledat", "cancelled", "canceled", "cancelado")),
            Field("status", N_("Status"), ("financialstatus", "orderstatus", "paymentstatus", "status")),
            Field("currency", N_("Currency"), ("currency", "currencycode", "moneda")),
            Field("refunded", N_("Amount refunded"), ("refundedamount", "amountrefunded", "refundtotal")),
            Field("total", N_("Total"), ("total", "ordertotal")),
        )
    }
)  # fmt: skip

_OF_ORDER: Final = {field.name for field in FIELDS.values() if not field.of_line} - {"order_id"}
NAMES: Final = frozenset(spelling for field in FIELDS.values() for spelling in field.spellings)
"""Bare names of columns of orders, by which their table is found in a file."""
NAME: Final = ("full_name", "first_name", "last_name")
ADDRESS: Final = (*NAME, "address1", "address2", "city", "zip", "state", "country")
"""What may stand in columns of the shipping address, called `shipping_` and the field here."""
_SHOP_EXPORT: Final = frozenset({"name", "lineitemquantity", "lineitemname", "lineitemprice", "lineitemsku"})
_TEMPLATE: Final = frozenset({"orderid", "sku", "title", "price", "firstname", "country"})
TEMPLATE: Final = Path(__file__).with_name("template.csv")
"""Our own template with examples; it has the byte order mark by which spreadsheets know UTF-8."""


class Layout(BaseModel, frozen=True):
    """Columns by field, several where the first that is filled counts; the journal keeps it, with more beside it.

    `id_columns` are the columns that may be chosen as the order id, the first one being our choice; the last one holds
    the rows of an order together.
    """

    kind: str
    columns: Mapping[str, tuple[int, ...]]
    id_columns: tuple[int, ...]
    names: tuple[str, ...]

    @cached_property
    def ids(self) -> dict[str, tuple[int, ...]]:
        """The columns of ids by their names."""
        return {self.names[place]: (place,) for place in self.id_columns}

    @cached_property
    def of_order(self) -> dict[str, tuple[int, ...]]:
        """The columns that say something of the order as a whole."""
        return {name: self.columns[name] for name in FIELDS if name in self.columns and name in _OF_ORDER}

    @cached_property
    def of_line(self) -> dict[str, tuple[int, ...]]:
        """The columns that say something of a line: also what a shop says of an order, or of each line of it."""
        of_line = {"cancelled", "status"} | FIELDS.keys() - _OF_ORDER - {"order_id"}
        return {name: self.columns[name] for name in FIELDS if name in self.columns and name in of_line}

    def label(self, field: str) -> str:
        """What the file calls a field; our own word where the file has no column for it."""
        places = self.columns.get(field, ())
        return self.names[places[0]] if places else _(FIELDS[field].label) if field in FIELDS else field


def recognise(table: Table) -> Layout | None:
    """The layout of a file that we know by its headers; None for any other."""
    names = [bare(name) for name in table.columns]
    if set(names) >= _SHOP_EXPORT:
        ids = tuple(names.index(name) for name in ("id", "name") if name in names)
        return _layout(table, "shop export", guess(table.columns), ids)
    if set(names) >= _TEMPLATE:
        return _layout(table, "template", guess(table.columns), (names.index("orderid"),))
    return None


def mapped(table: Table, chosen: Mapping[str, int]) -> Layout:
    """The layout that a person made by choosing a column for each field."""
    columns = {field: (place,) for field, place in chosen.items()}
    return _layout(table, "other", columns, columns["order_id"])


def guess(names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """The columns that each field may be in, the likeliest first."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(bare(name), []).append(place)
    spellings = {field.name: field.spellings for field in FIELDS.values()}
    for name in ADDRESS:
        shipping = (f"shipping{spelling.removeprefix('billing')}" for spelling in FIELDS[name].spellings)
        spellings[f"shipping_{name}"] = tuple(dict.fromkeys(shipping))
    found = {
        name: tuple(places[spelling][0] for spelling in known if spelling in places)
        for name, known in spellings.items()
    }
    return {field: columns for field, columns in found.items() if columns}


def fingerprint(names: Sequence[str]) -> str:
    """What files of one layout share: a digest of their headers."""
    return hashlib.sha256("\n".join(bare(name) for name in names).encode()).hexdigest()[:16]


def _layout(
    table: Table, kind: str, columns: Mapping[str, tuple[int, ...]], id_columns: tuple[int, ...]
) -> Layout:
    return Layout(
        kind=kind,
        columns={**columns, "order_id": id_columns},
        id_columns=id_columns,
        names=tuple(name or _("Column {n}", n=place) for place, name in enumerate(table.columns, start=1)),
    )
