"""Which column means what: our own template and the shop platform's export are known by their headers.

Headers are compared without case, blanks and signs, so "Lineitem SKU", "lineitem_sku" and "LINEITEM SKU" are one.
"""

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Final

from pydantic import TypeAdapter

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
_TEMPLATE_COLUMNS: Final = tuple(
    name for name in FIELDS if name not in {"discount", "full_name", "cancelled"}
)
_EXAMPLES: Final = (
    (
        "3f8a1c52-6f0e-4b7f-9a55-2f1a7c0d9e11", "TV-55-OLED", '55" OLED television', "899.99", "1",
        "Electronics > Televisions", "https://shop.example.com/tv.jpg", "2026-11-28", "Ada", "Byron",
        "ada@example.com", "", "1 Main St", "Apt 3F", "Brooklyn", "11231", "NY", "US", "",
    ),
    (
        "3f8a1c52-6f0e-4b7f-9a55-2f1a7c0d9e11", "LAMP-ARC", "Arc floor lamp", "89.50", "2",
        "Furniture > Lighting", "", "", "", "", "", "", "", "", "", "", "", "", "",
    ),
    (
        "b2d9e7a0-11c4-4f53-8a0b-6a1f3c9d7e22", "SOFA-3S-GRY", "Linden 3-seat sofa", "1299.00", "1",
        "Furniture > Sofas", "", "", "Björk", "Guðmundsdóttir", "", "+33 6 12 34 56 78", "9 Rue de la Paix", "",
        "Paris", "75002", "IDF", "FR", "",
    ),
)  # fmt: skip
_TEMPLATE: Final = frozenset({"orderid", "sku", "title", "price", "firstname", "country"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Columns by field (several where the first that is filled counts), and the column that holds orders together.

    `id_columns` are the columns that may be chosen as the order id, the first one being our choice.
    """

    kind: str
    columns: Mapping[str, tuple[int, ...]]
    group: int
    id_columns: tuple[int, ...]
    names: tuple[str, ...]

    def label(self, field: str) -> str:
        """What the file calls a field; our own word where the file has no column for it."""
        places = self.columns.get(field, ())
        return self.names[places[0]] if places else FIELDS[field].label

    def as_json(self) -> dict[str, Any]:
        """The layout for the journal."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "Layout":
        """The layout from the journal, where more may stand beside it."""
        return TypeAdapter(Layout).validate_python(content)


def recognise(table: Table) -> Layout | None:
    """The layout of a file that we know by its headers; None for any other."""
    names = [bare(name) for name in table.columns]
    if set(names) >= _SHOP_EXPORT:
        group = names.index("name")
        ids = tuple(names.index(name) for name in ("id", "name") if name in names)
        return _layout(table, "shop export", guess(table.columns), group=group, id_columns=ids)
    if set(names) >= _TEMPLATE:
        group = names.index("orderid")
        return _layout(table, "template", guess(table.columns), group=group, id_columns=(group,))
    return None


def template_csv() -> bytes:
    """Our own template with its examples, in UTF-8 with a byte order mark, by which spreadsheets know it."""
    text = io.StringIO()
    csv.writer(text).writerows([_TEMPLATE_COLUMNS, *_EXAMPLES])
    return text.getvalue().encode("utf-8-sig")


def mapped(table: Table, chosen: Mapping[str, int]) -> Layout:
    """The layout that a person made by choosing a column for each field."""
    group = chosen["order_id"]
    columns = {field: (place,) for field, place in chosen.items()}
    return _layout(table, "other", columns, group=group, id_columns=(group,))


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
    table: Table,
    kind: str,
    columns: Mapping[str, tuple[int, ...]],
    *,
    group: int,
    id_columns: tuple[int, ...],
) -> Layout:
    return Layout(
        kind=kind,
        columns={**columns, "order_id": id_columns},
        group=group,
        id_columns=id_columns,
        names=tuple(name or f"Column {place}" for place, name in enumerate(table.columns, start=1)),
    )
