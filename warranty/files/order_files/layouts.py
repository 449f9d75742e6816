"""Which column means what: our own template and the shop platform's export are known by their headers.

Headers are compared without case, blanks and signs, so "Lineitem SKU", "lineitem_sku" and "LINEITEM SKU" are one.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel

from warranty.files.table_files import Table, bare


@dataclass(frozen=True, slots=True)
class Field:
    """Something that an order file can say: its name here, what people call it, and spellings of its header."""

    name: str
    label: str
    spellings: tuple[str, ...] = ()
    of_line: bool = False
    needed: bool = False


FIELDS: Final[Mapping[str, Field]] = MappingProxyType(
    {
        field.name: field
        for field in (
            Field("order_id", "Order id", ("orderid", "ordernumber", "orderno", "order", "id", "name"), needed=True),
            Field("sku", "SKU", ("sku", "lineitemsku", "productid", "articlenumber", "article", "itemnumber"),
                  of_line=True, needed=True),
            Field("title", "Title", ("title", "lineitemname", "producttitle", "productname", "product", "item"),
                  of_line=True, needed=True),
            Field("price", "Price", ("price", "lineitemprice", "productprice", "unitprice"), of_line=True, needed=True),
            Field("quantity", "Quantity", ("quantity", "lineitemquantity", "qty", "units"), of_line=True),
            Field("category", "Category", ("category", "categorypath", "lineitemcategory", "productcategory"),
                  of_line=True),
            Field("image", "Image address", ("image", "imageurl", "imageaddress"), of_line=True),
            Field("delivery_date", "Delivery date", ("deliverydate", "productdeliverydate", "delivered"), of_line=True),
            Field("discount", "Discount of the line", ("discount", "lineitemdiscount"), of_line=True),
            Field("first_name", "First name", ("firstname", "billingfirstname", "givenname")),
            Field("last_name", "Last name", ("lastname", "billinglastname", "surname", "familyname")),
            Field("full_name", "Full name", ("billingname", "customername", "customer", "fullname")),
            Field("email", "E-mail", ("email", "emailaddress", "customeremail", "mail")),
            Field("phone", "Phone", ("billingphone", "phone", "phonenumber", "telephone", "shippingphone")),
            Field("address1", "Street", ("billingaddress1", "address1", "street", "billingstreet", "address")),
            Field("address2", "Second address line", ("billingaddress2", "address2")),
            Field("city", "City", ("billingcity", "city", "town")),
            Field("zip", "Postal code", ("billingzip", "zip", "zipcode", "postalcode", "postcode")),
            Field("state", "State", ("billingprovince", "state", "province", "region", "billingprovincename",
                                     "billingstate")),
            Field("country", "Country", ("billingcountry", "country", "countrycode", "billingcountrycode")),
            Field("merchant", "Merchant", ("merchant", "merchantexternalid", "merchantid")),
            Field("cancelled", "Cancelled at", ("cancelledat", "canceledat", "cancelled")),
        )
    }
)  # fmt: skip

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

    def label(self, field: str) -> str:
        """What the file calls a field; our own word where the file has no column for it."""
        places = self.columns.get(field, ())
        return self.names[places[0]] if places else FIELDS[field].label


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
    found = {
        field.name: tuple(places[spelling][0] for spelling in field.spellings if spelling in places)
        for field in FIELDS.values()
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
        names=tuple(name or f"Column {place}" for place, name in enumerate(table.columns, start=1)),
    )
