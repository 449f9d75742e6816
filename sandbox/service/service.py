"""What all endpoints of a sandbox stand on: its identity, store, clock, claims, faults and ledger."""

import secrets
import uuid
from datetime import UTC, datetime
from typing import Literal

from sandbox.service.clock import Clock
from sandbox.service.faults import FaultQueues
from sandbox.service.landing_address import landing_page_address
from sandbox.service.ledger import Ledger
from sandbox.store.claim_book import ClaimBook, ClaimsOrder
from sandbox.store.database import Store
from sandbox.store.model import Claim

Seed = Literal["empty", "demo", "busy", "lemon"]

# Assumption carts.merchants
MERCHANTS = ("north-store", "harbour-outlet")
DEMO_SUBSCRIBER = "subscriber@example.com"
DEMO_CUSTOMER = "ada.byron@example.com"
"""A customer with several claims in the `demo` seed, for whoever wants to look claims up by e-mail."""


class Service:
    """One sandbox from within. Used by the server's loop only, hence without locks."""

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        claims_order: ClaimsOrder,
        random_seed: int,
        public_token_header: str,
        tokens: str = "sandbox",
    ) -> None:
        self.store = store
        self.clock = clock
        self.random_seed = random_seed
        self.public_token_header = public_token_header
        self.claims = ClaimBook(order=claims_order, random_seed=random_seed)
        self.faults = FaultQueues()
        self.landing_url = ""
        self.retailer_uuid = self._stored("retailer_uuid", str(uuid.uuid4()))
        self.private_token = self._stored("private_token", f"{tokens}-private-{secrets.token_urlsafe(24)}")
        self.public_token = self._stored("public_token", f"{tokens}-public-{secrets.token_urlsafe(24)}")
        self.ledger = Ledger(secrets=(self.private_token, self.public_token))

    def _stored(self, name: str, new: str) -> str:
        """A part of the identity: as the data file has it, else new and kept from now on."""
        with self.store.transaction() as records:
            known = records.setting(name)
            if known is None:
                records.keep_setting(name, new)
            return known or new

    def landing_page(self, order_id: str) -> str:
        """The landing-page URL of an order (section "POST /api/carts")."""
        return landing_page_address(self.landing_url, self.retailer_uuid, order_id)

    def now(self) -> datetime:
        """The sandbox's time, in UTC."""
        return self.clock.now().astimezone(UTC)

    def add_claims(self, claims: list[Claim]) -> None:
        """Store claims and serve them from now on."""
        with self.store.transaction() as records:
            records.add_claims(claims)
        self.claims.add(claims)

    def read_claims(self) -> None:
        """Serve what the store holds."""
        with self.store.transaction() as records:
            self.claims.replace(records.claims())
