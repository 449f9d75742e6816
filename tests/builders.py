"""What a shop sends and gets, for all tests of our side: an order, a sale, a checkout, a claim, and who sends them."""

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Never, Protocol
from uuid import uuid4

from sqlalchemy import update

from sandbox import SandboxServer
from tests.journals import journal_in
from warranty.access import Operator, Permission, Role
from warranty.claims.analysis import Base
from warranty.client import Pacing, WarrantyClient
from warranty.client.resources import Checkout, ClaimQuery, Order, Sale
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Attempt, AttemptState, ItemLine, Operation
from warranty.errors import JournalUnavailable
from warranty.people.accounts import account
from warranty.people.accounts.people import People
from warranty.people.accounts.tables import ACCOUNTS
from warranty.people.audit import AuditFilter, AuditKind, AuditTrail

STAFF = Operator("staff", "Sam Counter", Role.STAFF)
MANAGER = Operator("manager", "Maya Office", Role.MANAGER)
ADMINISTRATOR = Operator("administrator", "Alex Admin", Role.ADMINISTRATOR)
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
OFFER = "0b0f2a52-7e0f-4c39-9d0a-3f1f6a1f3f10"
NAMED = {"first_name": "Ada", "last_name": "Brook"}
AT_HOME = {"address1": "12 Mill Lane", "city": "Boston", "state": "MA"}
AT_HOME |= {"zip": "02134", "country": "United States"}
REACHED_BY = {"email": "ada.brook@example.com", "phone": "+1 617 555 0123"}


def exports(data_dir: Path, environment: str = "sandbox") -> list[tuple[str, int]]:
    with journal_in(data_dir) as journal:
        rows = AuditTrail(journal.database, environment).rows(AuditFilter(kind=AuditKind.EXPORT))
    return [(str(row.details["what"]), int(row.details["count"])) for row in rows]


def client_at(sandbox: SandboxServer, base_url: str = "", **given: Any) -> WarrantyClient:
    """A client of the sandbox's account that pauses for no time, unless something else is given."""
    own: dict[str, Any] = {
        "private_token": sandbox.private_token, "public_token": sandbox.public_token, "verify": sandbox.ca_file,
        "pacing": Pacing(sleep=lambda _seconds: None),
    }  # fmt: skip
    return WarrantyClient(base_url or sandbox.base_url, **{**own, **given})


def away(*_: object, **__: object) -> Never:
    """In place of what asks the journal."""
    raise JournalUnavailable("The journal cannot be read.")


def entry_of(operation: Operation, *items: ItemLine, **known: Any) -> Attempt:
    """An entry of the journal: of something that is done, unless something else is known of it."""
    given: dict[str, Any] = {
        "attempt_id": "a" * 32, "draft_id": "d" * 32, "revision": 1, "state": AttemptState.DONE,
        "username": STAFF.username, "operator_name": STAFF.name, "screen": operation, "environment": "sandbox",
        "order_id": "o-1", "started_at": NOON, "deadline": NOON,
    }  # fmt: skip
    return Attempt(operation=operation, items=items, **{**given, **known})


class Guarded(Protocol):
    @property
    def permission(self) -> Permission: ...


def seen_by(operator: Operator) -> Callable[[Guarded], bool]:
    return lambda screen: operator.may(screen.permission)


def item(sku: str, title: str, price: str, *categories: str, **more: Any) -> dict[str, Any]:
    crumbs = [{"category": category} for category in categories]
    return {"product_id": sku, "product_title": title, "product_price": price, "meta": {"breadcrumbs": crumbs}, **more}


TV = item("TV-55", "55in OLED television", "899.00", "Electronics", "Televisions")
TV_OF_THE_SAME_BAND = item("TV-50", "50in LED television", "799.00", "Electronics", "Televisions")
LAMP = item("LAMP", "Arc floor lamp", "89.50", "Furniture", "Lamps")
LAPTOP = item("LT-14", "Laptop 14in", "1200.00", "Electronics", "Laptops")
GIFT_CARD = item("GIFT", "Gift card", "50.00", "Gift cards")
CINEMA = item(
    "CINEMA", "Home cinema set", "1400.00", "Electronics", "Audio",
    products=[
        {"product_id": "AMP", "product_title": "Amplifier", "product_price": "900.00"},
        {"product_id": "SPEAKERS", "product_title": "Speakers", "product_price": "500.00"},
    ],
)  # fmt: skip
STEREO = item(
    "SET-1", "Stereo set", "988.50",
    products=[
        {"product_id": "AMP-1", "product_title": "Amplifier", "product_price": "588.50"},
        {"product_id": "SPK-1", "product_title": "Speakers", "product_price": "400.00"},
    ],
)  # fmt: skip
OF_EVERY_KIND = (item("TV-55", "55in OLED television", "899.00", "Electronics", quantity=2), STEREO)


def order_of(*items: dict[str, Any], order_id: str | None = None, **address: str) -> Order:
    to, lines = {**NAMED, **AT_HOME, **REACHED_BY, **address}, list(items or OF_EVERY_KIND)
    return Order.model_validate({"order_id": order_id or str(uuid4()), "line_items": lines, "billing_address": to})


def sale_of(order_id: str, *lines: tuple[str, int, str], months: int = 24, price: str = "79.99", line: int = 1) -> Sale:
    """Lines as (SKU, months, price); without any, a television as the given line of the order."""
    named = [{"product_id": sku, "warranty": _term(months, price)} for sku, months, price in lines]
    television = {"line_item_id": line, "product_id": "TV-55", "warranty": _term(months, price)}
    return Sale.model_validate({"id": order_id, "line_items": named or [television]})


def _term(months: int, price: str) -> dict[str, Any]:
    return {"warranty_duration": months, "warranty_price": price}


def checkout_of(order_id: str, offer: str = OFFER, **given: Any) -> Checkout:
    """What is given stands over the checkout's own fields, or over those of its billing address."""
    address = {name: value for name, value in given.items() if name not in Checkout.model_fields}
    return Checkout.model_validate(
        {
            "id": order_id, **REACHED_BY, "line_items": [{"warranty_offer_id": offer, "quantity": 1}],
            "billing_address": {**NAMED, **AT_HOME, "country_code": "US", **address},
            **{name: value for name, value in given.items() if name in Checkout.model_fields},
        }
    )  # fmt: skip


def claim_record(claim_date: datetime | str, number: int = 0, **fields: Any) -> dict[str, Any]:
    moment = claim_date if isinstance(claim_date, str) else claim_date.isoformat(timespec="microseconds")
    return {
        "claim_date": moment, "description": "It does not start.",
        "order_date": "2026-01-02T03:04:05.000006+00:00",
        "order_id": f"{number:032x}", "product_name": "Arc floor lamp", "status": "RESOLVED",
        "warranty_id": f"w-{number}",
        "warranty_start_date": "2026-01-04T00:00:00+01:00",
        **fields,
    }  # fmt: skip


def base(of: str = "claims of any date", *, count: int = 46) -> Base:
    return Base(of=of, count=count, as_of=datetime(2026, 11, 22, 12, tzinfo=UTC), leaves_out=())


Call = Callable[[WarrantyClient], object]


def one_of_each(order: Order, sale: Sale, checkout: Checkout, query: ClaimQuery | None = None) -> dict[str, Call]:
    return {
        "verify_credentials": lambda client: client.verify_credentials(),
        "submit_order": lambda client: client.submit_order(order),
        "record_sale": lambda client: client.record_sale(sale),
        "notify_checkout": lambda client: client.notify_checkout(checkout),
        "claims": lambda client: client.claims(query or ClaimQuery()),
    }


def may_sign_in(
    data_dir: Path, username: str, role: Role = Role.STAFF, *, name: str, password: str, ago: timedelta = timedelta(0)
) -> None:
    """Add a person to the journal of a data folder, as of so long `ago`, with a hash that is made quickly."""
    url = f"sqlite:///{data_dir / 'journal.sqlite3'}"
    with closing(open_journal(url)) as journal:
        People(journal.database).put(account(username, name=name, role=role, password=password, rounds=4))
        with journal.database.write() as connection:
            theirs = update(ACCOUNTS).filter_by(username=username)
            connection.execute(theirs.values(changed_at=datetime.now(UTC) - ago))
