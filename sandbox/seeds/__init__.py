"""What a sandbox holds at first: nothing, a small shop's year and a half, a busy chain's two years, a lemon.

The same clock and the same random seed give the same records.
"""

from random import Random

from sandbox.seeds.busy import busy_claims
from sandbox.seeds.demo import demo_claims, sow_demo_orders
from sandbox.seeds.lemon import lemon_claims
from sandbox.service.service import DEMO_SUBSCRIBER, Seed, Service
from sandbox.store.database import Records


def sow(service: Service, records: Records, seed: Seed) -> None:
    """Write a seed within a transaction; the caller then lets the service read its claims."""
    random = Random(f"{service.random_seed}|{seed}")  # noqa: S311 - demo data, no secret
    records.subscribe(DEMO_SUBSCRIBER)
    now = service.now().replace(tzinfo=None)
    today = now.date()
    if seed == "demo":
        orders = sow_demo_orders(service, records, random)
        records.add_claims(demo_claims(random, now, orders))
    elif seed == "busy":
        records.add_claims(busy_claims(random, today))
    elif seed == "lemon":
        records.add_claims(lemon_claims(random, today))
