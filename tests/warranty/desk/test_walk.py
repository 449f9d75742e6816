"""A long seeded walk with faults at random: in the end the journal and the service tell the same story."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from functools import partial
from random import Random
from typing import Any, Final

import pytest

from sandbox import SandboxServer
from tests.builders import checkout_of, order_of, sale_of
from warranty.access import Operator
from warranty.client import WarrantyClient
from warranty.client.resources import Order
from warranty.desk import Desk, EarlierSending, Verdict
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState
from warranty.desk.sending import Resource

DONE: Final = AttemptState.DONE
FAULTS: Final[tuple[dict[str, Any], ...]] = (
    {"kind": "status", "status": 500}, {"kind": "status", "status": 500, "after_write": True},
    {"kind": "status", "status": 503}, {"kind": "status", "status": 401}, {"kind": "drop_before_write"},
    {"kind": "drop_after_write"}, {"kind": "truncated_body"}, {"kind": "not_json"}, {"kind": "extra_field"},
)  # fmt: skip
ENDS: Final = {DONE, AttemptState.REFUSED, AttemptState.NOT_RECORDED}
SLOW: Final = {"kind": "delay", "seconds": 30}


class Walk:
    """People at a counter: they sell, click twice, correct what was refused, and settle what is unknown."""

    def __init__(self, *, desk: Desk, operator: Operator, sandbox: SandboxServer) -> None:
        self.random, self.desk, self.operator, self.sandbox = Random(), desk, operator, sandbox
        self.orders, self.checkouts = list[str](), list[str]()
        self.sales: dict[str, tuple[str, Decimal]] = {}
        """The order and the price of each sale's draft; no two have the same price, so a warranty tells its sale."""

    def step(self) -> None:
        self.sandbox.clear_faults()
        if self.random.random() < 0.5:
            for _ in range(self.random.choice([1, 1, 2, 3])):
                fault = SLOW if self.random.random() < 0.01 else self.random.choice(FAULTS)
                for operation in ("submit_order", "record_sale", "notify_checkout", "purchase_warranties"):
                    self.sandbox.add_fault(operation, **fault)
        acts = [self.order, self.sale, self.sale, self.checkout, self.click_again, self.correct, self.settle]
        self.random.choice(acts)()

    def order(self) -> None:
        self.orders.append(f"order-{len(self.orders)}")
        self.send(self.orders[-1])

    def sale(self) -> None:
        if not self.orders:
            return
        # Also on orders that may not have arrived, and with terms that are not offered.
        order = self.random.choice(self.orders[-5:])
        draft = f"sale-{len(self.sales)}"
        self.sales[draft] = (order, Decimal(5000 + len(self.sales)) / 100)
        self.send(draft, months=self.random.choice([24, 24, 24, 7]))

    def checkout(self) -> None:
        self.checkouts.append(f"checkout-{len(self.checkouts)}")
        self.send(self.checkouts[-1])

    def click_again(self) -> None:
        if drafts := [*self.orders, *self.sales, *self.checkouts]:
            self.send(self.random.choice(drafts))

    def correct(self) -> None:
        """Correct something, mostly what may be corrected; twice, as from two tabs."""
        for attempt in self.found(self.random.choice([AttemptState.REFUSED, AttemptState.NOT_RECORDED, None])):
            for _ in range(2):
                self.send(attempt.draft_id, corrects=attempt.attempt_id)

    def send(self, draft: str, *, months: int = 24, corrects: str | None = None) -> None:
        """What a draft is of stands in its id."""
        resource: Resource = checkout_of(draft)
        if draft in self.orders:
            resource = roomy_order(draft)
        if draft in self.sales:
            order, price = self.sales[draft]
            resource = sale_of(order, months=months, price=f"{price:.2f}")
        send = partial(self.desk.send, self.operator, resource, draft_id=draft, screen="s", corrects=corrects)
        try:
            send()
        except EarlierSending as asked:
            if self.random.random() < 0.5:
                send(acknowledged=[one.attempt_id for one in asked.earlier])

    def settle(self) -> None:
        for attempt in self.found(AttemptState.UNKNOWN):
            if attempt.operation == "submit_order":
                self.desk.send_order_again(self.operator, attempt.attempt_id)
            elif attempt.operation == "record_sale":
                self.desk.look_up_sale(self.operator, attempt.attempt_id)
            elif self.random.random() < 0.5:
                note = "the customer has the e-mail"
                self.desk.settle(self.operator, attempt.attempt_id, recorded=True, note=note)

    def found(self, state: AttemptState | None) -> list[Attempt]:
        states = frozenset() if state is None else frozenset({state})
        some = self.desk.activity.attempts(self.operator, AttemptFilter(states=states, limit=20))
        return [self.random.choice(some)] if some else []


def roomy_order(order_id: str) -> Order:
    """Twenty units of the product that is sold: a sale that is sent twice finds another unit to buy."""
    order = order_of(order_id=order_id)
    first, *others = order.line_items
    return order.model_copy(update={"line_items": (first.model_copy(update={"quantity": 20}), *others)})


@pytest.fixture
def patience() -> timedelta:
    return timedelta(seconds=0.5)


@pytest.fixture
def walk(desk: Desk, clerk: Operator, sandbox: SandboxServer) -> Walk:
    return Walk(desk=desk, operator=clerk, sandbox=sandbox)


@pytest.mark.parametrize(
    ("seed", "actions"), [(1, 40), *(pytest.param(seed, 500, marks=pytest.mark.long) for seed in (2, 3))]
)
def test_after_many_actions_with_faults_journal_and_service_tell_the_same_story(
    *, seed: int, actions: int, walk: Walk, client: WarrantyClient, manager: Operator, sandbox: SandboxServer
) -> None:
    walk.random.seed(seed)
    everything = AttemptFilter(limit=None)
    for taken in range(12 * actions):  # what silence becomes goes by the clock: on, until each end was met
        if taken >= actions and {one.state for one in walk.desk.activity.attempts(manager, everything)} >= ENDS:
            break
        walk.step()
    sandbox.clear_faults()
    attempts = walk.desk.activity.attempts(manager, everything)
    assert {attempt.state for attempt in attempts} >= ENDS
    assert sum(call["fault"] is not None for call in sandbox.calls()) > actions / 10
    writes = [call for call in sandbox.calls() if call["written"]]
    may_have_written = {(one.operation, one.order_id) for one in attempts if not one.state.nothing_written}
    written = {(call["operation"], call["order_id"]) for call in writes}
    assert written <= may_have_written
    returned = {call["returned_id"] for call in writes if call["operation"] == "record_sale"}
    for attempt in attempts:
        if attempt.state is DONE and attempt.settled is None:
            assert (attempt.operation, attempt.order_id) in written
            assert attempt.operation != "record_sale" or attempt.result.returned_id in returned
    mailed = Counter(call["order_id"] for call in writes if call["operation"] == "notify_checkout")
    assert set(mailed.values()) == {1}, "no customer is mailed twice"
    paid = prices_paid(client, {call["order_id"] for call in writes if call["operation"] == "submit_order"})
    no_sale_twice(walk, paid)
    what_is_looked_up_is_so(walk, manager, paid)


def prices_paid(client: WarrantyClient, orders: set[str]) -> Counter[Decimal | None]:
    paid: Counter[Decimal | None] = Counter()
    for order in orders:
        for item in client.purchase_warranties(order).line_items:
            paid.update(warranty.warranty_price for warranty in item.warranties)
    return paid


def no_sale_twice(walk: Walk, paid: Counter[Decimal | None]) -> None:
    assert set(paid.values()) == {1}
    for draft, (_, price) in walk.sales.items():
        attempt = walk.desk.activity.attempt_of(walk.operator, draft)
        if attempt is not None and attempt.state is DONE:
            assert paid[price] == 1, attempt
        if attempt is None or attempt.state.nothing_written:
            assert paid[price] == 0, attempt


def what_is_looked_up_is_so(walk: Walk, manager: Operator, paid: Counter[Decimal | None]) -> None:
    unknown = AttemptFilter(operation="record_sale", states=frozenset({AttemptState.UNKNOWN}), limit=None)
    for attempt in walk.desk.activity.attempts(manager, unknown):
        found = walk.desk.look_up_sale(manager, attempt.attempt_id).verdict
        if found is not Verdict.UNCLEAR:
            assert (found is Verdict.RECORDED) == (paid[walk.sales[attempt.draft_id][1]] == 1)
