"""What the journal holds, as plain frozen values. Nothing here says who a customer is."""

from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, Literal

from warranty.access import AWAY, Station
from warranty.errors import Failure
from warranty.language import N_

Operation = Literal["submit_order", "record_sale", "notify_checkout"]


class AttemptState(StrEnum):
    """How far a draft has come.

    `DRAFT` is the state of a draft without an attempt. An attempt without an answer reads as `SENDING` while its
    call may still run, and as `UNKNOWN` from then on. What was sent and settled as not recorded reads as
    `NOT_RECORDED`; in the tables it stands as `NOT_SENT` with a settlement, and as itself once it is dropped. An order
    that is `QUEUED` waits for the service and is sent by itself (`warranty.outbox`).
    """

    DRAFT = "draft"
    SENDING = "sending"
    QUEUED = "queued"
    DONE = "done"
    REFUSED = "refused"
    NOT_SENT = "not_sent"
    NOT_RECORDED = "not_recorded"
    UNKNOWN = "unknown"

    @property
    def nothing_written(self) -> bool:
        """Whether the service certainly did nothing, so that the draft may be corrected and sent again."""
        return self in NOTHING_WRITTEN

    @property
    def is_open(self) -> bool:
        """Whether it is still unsettled: on its way, waiting for the service, or without an answer."""
        return self in OPEN


NOTHING_WRITTEN: Final = frozenset({AttemptState.REFUSED, AttemptState.NOT_SENT, AttemptState.NOT_RECORDED})
"""The states after which the same draft may be corrected and sent again."""
OPEN: Final = frozenset({AttemptState.SENDING, AttemptState.QUEUED, AttemptState.UNKNOWN})
"""The states that are not settled: what was sent is kept."""


LOOKED_UP: Final = N_("Looked up at the service.")
FOUND_BY_READING: Final = N_("Found when the order was read.")
"""The notes of settlements by what the service shows."""


@dataclass(frozen=True, slots=True)
class ItemLine:
    """One line of what was sent: a product, and on sales the warranty that was bought for it.

    `line_item_id` numbers the order's line items from 1 in their order (our assumption about the service);
    `members` are the product ids of a bundle, empty for a single product. `price` is that of the product,
    `warranty_price` what the customer paid for one warranty, on a checkout as the price of the plan that was chosen.
    """

    title: str
    product_id: str
    quantity: int
    price: Decimal | None = None
    term_months: int | None = None
    warranty_price: Decimal | None = None
    warranty_type: str | None = None
    line_item_id: int | None = None
    warranty_offer_id: str | None = None
    members: tuple[str, ...] = ()

    @property
    def is_bundle(self) -> bool:
        """Whether two or more products share this line (Resources, line item of an order)."""
        return len(self.members) >= 2

    def covered_until(self, sold: date) -> date | None:
        """The last day of its plan by this desk's record: a term from the day of the sale on; None without one."""
        year, month = divmod(sold.year * 12 + sold.month - 1 + (self.term_months or 0), 12)
        if not self.term_months or year > date.max.year:
            return None
        return date(year, month + 1, min(sold.day, monthrange(year, month + 1)[1]))


@dataclass(frozen=True, slots=True)
class Settlement:
    """What was found out about an attempt that had no answer, by whom, and when; `seen` where the service showed it.

    One that `drops` says of an attempt that wrote nothing that it is not needed any more.
    """

    recorded: bool
    username: str
    operator_name: str
    settled_at: datetime
    note: str = ""
    seen: bool = False
    drops: bool = False

    @property
    def is_hearsay(self) -> bool:
        """Whether it was recorded by a person's word alone: neither an answer nor a look-up has shown it."""
        return self.recorded and not self.seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of it: an order's link and whether it offers plans, or the service's number of a sale or a checkout.

    `landing_url` is the service's; that of one that is open was built here and handed out before the service has it.
    `already_known` is None also for an order whose first sending had no answer: the service may know it from that.
    """

    landing_url: str | None = None
    warrantable_products: bool | None = None
    already_known: bool | None = None
    returned_id: str | None = None


NO_RESULT: Final = Result()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try to send one draft, as the journal tells it. Times are aware, in UTC.

    `revision` counts the tries of a draft from 1: a draft is sent again only as the correction of an attempt
    that wrote nothing. `deadline` is when a call without an answer is taken for unknown. `journalled` is False
    only when the answer is known here and could not be written down: a restart would read it as unknown.
    `acknowledged` are the ids of the attempts on this order that the person was asked about, and sent it all the same.
    `customer_mark` says of two sendings of one order id whether they are for the same customer, and nothing else.
    """

    attempt_id: str
    draft_id: str
    revision: int
    operation: Operation
    state: AttemptState
    username: str
    operator_name: str
    screen: str
    environment: str
    order_id: str
    started_at: datetime
    deadline: datetime
    finished_at: datetime | None = None
    items: tuple[ItemLine, ...] = ()
    result: Result = NO_RESULT
    failure: Failure | None = None
    settled: Settlement | None = None
    acknowledged: tuple[str, ...] = ()
    customer_mark: str | None = field(default=None, repr=False)
    at: Station = AWAY
    journalled: bool = True

    @property
    def is_unanswered(self) -> bool:
        """Whether its call is on its way, or was cut off with its desk: nothing is known of how it ended."""
        return self.state.is_open and self.state is not AttemptState.QUEUED and self.failure is None

    @property
    def is_promised(self) -> bool:
        """Whether its link was handed out although it is still open."""
        return self.state.is_open and self.result.landing_url is not None

    @property
    def waits(self) -> bool:
        """Whether its link was handed out and it is sent by itself; also while a try runs, or was cut off."""
        return self.is_promised and (self.state is not AttemptState.UNKNOWN or self.failure is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent(Attempt):
    """What is written before the first byte leaves: an attempt to be, and what it takes to settle it.

    `body` is the JSON that is sent. It may hold personal data, is kept apart, and is erased once settled. `customer`
    is what the attempt's mark is made of; it is not kept at all.
    """

    revision: int = 1
    state: AttemptState = AttemptState.SENDING
    body: Mapping[str, Any] = field(default_factory=dict, repr=False)
    customer: str = field(default="", repr=False)

    def attempt(self, revision: int = 1, *, mark: str | None = None) -> Attempt:
        """The attempt that begins with this intent."""
        same = {one.name: getattr(self, one.name) for one in fields(Attempt)}
        return Attempt(**{**same, "revision": revision, "customer_mark": mark})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of an attempt: an answer, silence, a wait, a repeat that is on its way, or a settlement.

    The newest outcome of an attempt decides. `deadline` is given for a repeat (state `SENDING`) only.
    """

    state: AttemptState
    recorded_at: datetime
    deadline: datetime | None = None
    result: Result = NO_RESULT
    failure: Failure | None = None
    settled: Settlement | None = None

    def applied_to(self, attempt: Attempt) -> Attempt:
        """The attempt with this outcome as its newest."""
        found_out = self.settled is not None and not self.settled.drops
        not_recorded = self.state is AttemptState.NOT_SENT and found_out
        return replace(
            attempt,
            state=AttemptState.NOT_RECORDED if not_recorded else self.state,
            deadline=self.deadline or attempt.deadline,
            finished_at=None if self.state is AttemptState.SENDING else self.recorded_at,
            result=self.result,
            failure=self.failure,
            settled=self.settled,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptFilter:
    """Which attempts are asked for; everything that is None or empty does not narrow.

    `start` and `end` are aware moments: started at or after `start`, before `end`. `text` is looked for in order ids,
    titles and product ids, whatever the case; a whole reference for support finds its attempt. `unknown_first` puts
    what needs a person on top; otherwise, and among equals, the newest comes first. `came_back` asks for orders that
    waited and did not end as their customers were told. `limit` None gives all.
    """

    start: datetime | None = None
    end: datetime | None = None
    username: str | None = None
    operation: Operation | None = None
    states: frozenset[AttemptState] = frozenset()
    order_id: str | None = None
    text: str = ""
    came_back: bool = False
    unknown_first: bool = False
    limit: int | None = 200
    offset: int = 0

    def __post_init__(self) -> None:
        if any(moment is not None and moment.tzinfo is None for moment in (self.start, self.end)):
            raise ValueError("start and end need a zone: without one they could be any moment")


@dataclass(frozen=True, slots=True)
class Draft:
    """What a person has typed on a screen and not settled yet; `waits` where it was sent and is sent again by itself.

    `content` may hold personal data.
    """

    draft_id: str
    content: dict[str, Any] = field(repr=False)
    updated_at: datetime
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Queue:
    """The orders that wait for the service: how many, and since when the oldest was meant to be sent (aware, UTC)."""

    length: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class Purged:
    """How many were removed: settled attempts, drafts, imports, and what was kept to settle an attempt."""

    attempts: int = 0
    drafts: int = 0
    imports: int = 0
    bodies: int = 0
