"""Claim records that hang together: a product, an order, a warranty, a claim, in this order in time."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from itertools import accumulate
from random import Random
from typing import Any

from sandbox.endpoints.claims.records import claim
from sandbox.endpoints.claims.request import timestamp
from sandbox.seeds.catalogue import catalogue
from sandbox.seeds.people import Customer, description
from sandbox.store.model import Claim, Product
from sandbox.store.plans import is_eligible
from sandbox.wire.fields import amount

# Assumption claims.statuses
_OPEN = ("OPEN", "IN_REVIEW", "AWAITING_PARTS", "Awaiting customer")
CLOSED_STATUSES = ("RESOLVED", "DENIED", "REPLACED", "CANCELLED_BY_CUSTOMER")
_CLOSED = (*["RESOLVED"] * 3, *CLOSED_STATUSES)


class ClaimMaker:
    """Makes claims for a pool of customers; the same random numbers give the same claims."""

    def __init__(self, random: Random, customers: list[Customer], today: date) -> None:
        self._random = random
        self._customers = customers
        self._today = datetime.combine(today, time())
        self._titles = [product.title for product in catalogue() if _is_protected(product.price, product.category)]
        # Some things break more often than others.
        self._weights = list(accumulate(1 + 30 / (place + 3) for place in range(len(self._titles))))

    def claim(self, claimed: datetime, **fixed: str) -> Claim:
        """A claim made at `claimed` (no zone); `fixed` sets fields of the record, and `customer_email`."""
        random = self._random
        customer = random.choice(self._customers)
        zone = timezone(timedelta(minutes=customer.offset))
        # Half the claims come in the first five months of a warranty, the last ones after three years.
        age = timedelta(days=3 + min(1100, random.expovariate(1 / 210)), seconds=random.randrange(86_400))
        started = (claimed - age).replace(tzinfo=UTC, microsecond=0).astimezone(zone)
        ordered = started - timedelta(days=random.choice((0, 0, 0, 2, 5, 14)), hours=random.randrange(12))
        email = fixed.pop("customer_email", customer.email)
        record: dict[str, Any] = {
            "claim_date": timestamp(claimed),
            "description": description(random),
            "order_date": ordered.isoformat(),
            "order_id": f"{random.getrandbits(112):028x}",
            "product_name": random.choices(self._titles, cum_weights=self._weights)[0],
            "status": self._status(claimed),
            "warranty_id": f"{random.getrandbits(96):024x}",
            "warranty_start_date": started.isoformat(),
            **fixed,
        }
        return claim(record, customer_email=email)

    def _status(self, claimed: datetime) -> str:
        """Young claims are mostly open, old ones mostly closed."""
        days = max(0.0, (self._today - claimed) / timedelta(days=1))
        is_open = self._random.random() < max(0.03, 0.9 - days / 45)
        return self._random.choice(_OPEN if is_open else _CLOSED)

    def in_opening_hours(self, day: date) -> datetime:
        """A moment when shops are open, most of them after work; online claims come at any hour."""
        random = self._random
        hour = random.randrange(24) if random.random() < 0.08 else min(20, max(9, int(random.gauss(15.2, 3))))
        return datetime.combine(day, time(hour)) + timedelta(microseconds=random.randrange(3_600_000_000))


def _is_protected(price: str, category: str) -> bool:
    value = amount(price)
    return value is not None and is_eligible(Product("", "", value, breadcrumbs=tuple(category.split(" > "))), value)
