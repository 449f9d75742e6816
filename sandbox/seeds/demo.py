"""`demo`: some orders, two of them sold, and 480 claims over 18 months, up to the day of the start."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random

from sandbox.endpoints.orders.endpoint import store_order
from sandbox.endpoints.sales.endpoint import sell
from sandbox.endpoints.sales.request import Identifiers, SaleLine, Selector
from sandbox.seeds.catalogue import catalogue
from sandbox.seeds.claim_maker import ClaimMaker
from sandbox.seeds.people import Customer, customers
from sandbox.service.service import DEMO_CUSTOMER, DEMO_SUBSCRIBER, Service
from sandbox.store.database import Records
from sandbox.store.model import Claim

CLAIMS = 480
DAYS = 548

_DAYS_OF_THE_CUSTOMER = (2, 9, 24, 61, 133, 260, 402)

_BASKETS = (
    (("TV-55-OLED", 1), ("LAMP-ARC", 1)),
    (("LAP-14-16G", 1), ("HEAD-NC", 2)),
    (("SOFA-3S-GRY", 1), ("CHAIR-D4", 4), ("00412", 1)),
    (("BIKE-E", 1),),
    (("WASH-8KG", 1), ("DRY-9KG", 1)),
    (("GIFT-50", 2), ("COFFEE-1KG", 1)),
    (("MAT-Q", 1), ("LAMP-ARC", 2)),
)


@dataclass(frozen=True, slots=True)
class DemoOrder:
    """A demo order and whose it is."""

    order_id: str
    customer: Customer
    titles: tuple[str, ...]


def sow_demo_orders(service: Service, records: Records, random: Random) -> list[DemoOrder]:
    """Write the demo orders, and the sales on the first two."""
    products = {product.sku: product for product in catalogue()}
    people = customers(random, len(_BASKETS))
    people[-1] = Customer("Robin", "Subscriber", DEMO_SUBSCRIBER, 0)
    made = []
    for basket, customer in zip(_BASKETS, people, strict=True):
        order_id = f"{random.getrandbits(112):028x}"
        store_order(
            service,
            records,
            {
                "order_id": order_id,
                "line_items": [products[sku].line_item(quantity=quantity) for sku, quantity in basket],
                "billing_address": {
                    "first_name": customer.first_name,
                    "last_name": customer.last_name,
                    "email": customer.email,
                    "state": "NY",
                    "country": "United States",
                },
            },
        )
        made.append(DemoOrder(order_id, customer, tuple(products[sku].title for sku, _ in basket)))
    for order, sku, price in ((made[0], "TV-55-OLED", "79.99"), (made[2], "SOFA-3S-GRY", "139.00")):
        sell(
            records,
            order.order_id,
            [SaleLine("", products=(Identifiers(sku, None),), selector=Selector(24, Decimal(price)))],
            warranty_order_id=f"{random.getrandbits(96):024x}",
        )
    return made


def demo_claims(random: Random, now: datetime, orders: list[DemoOrder]) -> list[Claim]:
    """480 claims: more of them lately, seven by one customer, two of the demo orders in the small hours of today.

    `now` is that of the service, without its zone; where it is earlier they are of yesterday.
    """
    today = now.date()
    maker = ClaimMaker(random, customers(random, 160), today)
    made = []
    for back in _DAYS_OF_THE_CUSTOMER:
        claimed = maker.in_opening_hours(today - timedelta(days=back))
        made.append(maker.claim(claimed, customer_email=DEMO_CUSTOMER))
    for _ in range(CLAIMS - 2 - len(_DAYS_OF_THE_CUSTOMER)):
        back = 1 + int(DAYS * random.random() ** 1.3)
        day = today - timedelta(days=back)
        made.append(maker.claim(maker.in_opening_hours(day)))
    for number, minutes in enumerate((7, 352)):
        order = orders[number]
        claimed = maker.in_opening_hours(today).replace(hour=minutes // 60, minute=minutes % 60)
        claimed -= timedelta(days=claimed > now)
        made.append(
            maker.claim(
                claimed, order_id=order.order_id, product_name=order.titles[0], customer_email=order.customer.email
            )
        )
    return made
