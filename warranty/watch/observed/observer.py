"""Looks on at every call and every reading: counts in memory, written now and then, so that no call waits for it."""

import logging
import re
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final, Self

from pydantic import ValidationError

from warranty.access import Operator, Permission
from warranty.claims.retrieval.answers import Answer
from warranty.claims.retrieval.columns import RejectedRecord
from warranty.claims.retrieval.spans import Bounds
from warranty.client.observer import Try
from warranty.client.resources import Checkout, LineItem, Order, PurchaseWarranties, order_id_warning
from warranty.client.resources.purchase_warranties import PurchasableLineItem
from warranty.database.background import Background
from warranty.errors import JournalUnavailable
from warranty.settings import Settings
from warranty.watch.observed.assumptions import BY_ANSWER
from warranty.watch.observed.document import claims_oddities, oddities, status_word
from warranty.watch.observed.observations import Observations, Oddity, Sighting

EVERY: Final = timedelta(minutes=1)
_MOST: Final = 500
"""Of different things counted between two writings: a service that makes up names fills no memory and no table."""
_MANY: Final = "(others)"
_log = logging.getLogger("warranty.observed")
_CHEAPEST, _DEAREST = Decimal(10), Decimal(20_000)
_BANDS: Final = tuple(map(Decimal, (10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)))
_NAMES_ORDER_ID: Final = re.compile(r"order.?id", re.IGNORECASE)
_NAMES_OFFER: Final = re.compile(r"offer", re.IGNORECASE)


class ServiceSeen:
    """What this process sees of the service, added to what the shop's other desks saw. Thread-safe.

    `tried` is for the client, `claims_answer` and `claims_read` are for a retrieval with it.
    """

    def __init__(
        self, observations: Observations, settings: Settings, *, now: Callable[[], datetime], every: timedelta = EVERY
    ) -> None:
        self._observations = observations
        self._settings = settings
        self.now = now
        self._lock = threading.Lock()
        self._seen: dict[Oddity, Sighting] = {}
        fault = "what was seen of the service is not written yet"
        self._writer = Background("observed", self.write, every=every, log=_log, fault=fault)
        self._writer.start()

    def tried(self, one: Try) -> None:
        """Note what the answer of a try shows beside the document."""
        with self._looking_on("a call"):
            against = (Oddity(one.operation, BY_ANSWER, name) for name in contradictions(one))
            self._note([*oddities(one), *self._link(one), *against])

    def claims_answer(self, answer: Answer) -> None:
        """Note what an answer with claims shows beside the document."""
        with self._looking_on("an answer with claims"):
            self._note(claims_oddities(answer.records, answer.beside))

    @contextmanager
    def _looking_on(self, what: str) -> Iterator[None]:
        try:
            yield
        except Exception as fault:  # noqa: BLE001 - whatever is wrong with looking on, the call is none the worse
            _log.error("%s was not looked at: %s", what, type(fault).__name__)

    def claims_read(self, statuses: Iterable[str], rejected: Iterable[RejectedRecord], bounds: Bounds | None) -> None:
        """Note the status words, which fields could not be read, and how ranges are counted where not as assumed."""
        found = {Oddity("claims", "status word", word) for each in statuses if (word := status_word(each))}
        found |= {Oddity("claims", "form", f"data[].{each.field}: {each.reason.english}") for each in rejected}
        if bounds is not None and bounds != Bounds():
            found.add(Oddity("claims", "form", f"range: {bounds}"))
        self._note(found)

    def of(self, operator: Operator) -> Self:
        """The same, for a person who may read it; raises `PermissionDenied` for others."""
        operator.require(Permission.SEE_SERVICE_DRIFT)
        return self

    def drift(self) -> Sequence[Sighting]:
        """What was seen beside the document, the newest first; may raise `JournalUnavailable`."""
        self.write()
        return self._observations.drift()

    def write(self) -> None:
        """Write down what was counted since; raises `JournalUnavailable`, and then the counts are kept."""
        with self._lock:
            seen, self._seen = self._seen, {}
        try:
            if seen:
                self._observations.add(seen.values())
        except JournalUnavailable:
            with self._lock:
                for sighting in seen.values():
                    self._merge(sighting)
            raise

    def close(self) -> None:
        """Write what is left, and end."""
        self._writer.stop(timeout=15)
        try:
            self.write()
        except JournalUnavailable as problem:
            _log.warning("what was seen of the service at the end is lost: %s", problem)

    def _note(self, found: Iterable[Oddity]) -> None:
        all_found = list(found)
        if not all_found:  # as nearly always, and then nothing is waited for
            return
        now = self.now()
        with self._lock:
            for oddity in all_found:
                self._merge(Sighting(oddity, now, now, 1))

    def _merge(self, new: Sighting) -> None:
        oddity = new.oddity
        if oddity not in self._seen and len(self._seen) >= _MOST:
            oddity = Oddity(oddity.operation, oddity.kind, _MANY)
        known = self._seen.get(oddity, new)
        self._seen[oddity] = Sighting(
            oddity,
            min(known.first_seen, new.first_seen),
            max(known.last_seen, new.last_seen),
            new.times if known is new else known.times + new.times,
        )

    def _link(self, one: Try) -> Iterator[Oddity]:
        """A landing page's link that is not the one that the document builds."""
        built = self._settings.landing_page
        if built is None or not isinstance(one.sent, Order) or one.failure is not None or not one.body:
            return
        if f'"{built(one.sent.order_id)}"'.encode() not in one.body.replace(rb"\/", b"/"):
            yield Oddity(one.operation, "link", "not the one that is built of the order id")


def contradictions(one: Try) -> Iterator[str]:
    """Give the ids of the assumptions (sandbox/ASSUMPTIONS.md) that this answer contradicts, by what was asked.

    Those that a field of it alone contradicts are told elsewhere.
    """
    match one.sent:
        case Order() as order:
            yield from _of_order(order, one)
        case Checkout() if one.status == 400 and _is_named(_NAMES_OFFER, one):
            yield "checkout.offer-ids"
    if one.operation == "purchase_warranties" and one.failure is None and one.body:
        with suppress(ValidationError):
            yield from _of_plans(PurchaseWarranties.model_validate_json(one.body))


def _of_order(order: Order, one: Try) -> Iterator[str]:
    if one.status == 400 and _is_named(_NAMES_ORDER_ID, one):
        is_guessable = order_id_warning(order.order_id) is not None
        yield "carts.sequential-order-ids" if is_guessable else "carts.order-id-form"
    is_offered = one.status == 200 and re.search(rb'"warrantable_products"\s*:\s*true', one.body or b"")
    if is_offered and not any(_CHEAPEST <= _price(line) <= _DEAREST for line in order.line_items):
        yield "plans.eligibility"


def _price(line: LineItem) -> Decimal:
    members = line.products or ()
    return sum((each.product_price for each in members), Decimal()) if line.is_bundle else line.product_price


def _of_plans(read: PurchaseWarranties) -> Iterator[str]:
    bands: dict[str, int] = {}
    for line in read.line_items:
        yield from _of_line(line)
        if line.product_price is not None:
            band = bisect_right(_BANDS, line.product_price)
            if any(bands.setdefault(offer.warranty_offer_id, band) != band for offer in line.offers):
                yield "plans.shared-offers"


def _of_line(line: PurchasableLineItem) -> Iterator[str]:
    units, carried = line.quantity or 1, len(line.warranties)
    terms = [offer.warranty_duration for offer in line.offers]
    found: Mapping[str, bool] = {
        "plans.terms-and-prices": bool(terms) and (24 not in terms or not 2 <= len(terms) <= 4),
        "sale.further-sales": bool(terms) and carried < units and all(each.is_bought for each in line.offers),
        "sale.one-offer-per-unit": carried > units,
    }
    yield from (name for name, is_so in found.items() if is_so)


def _is_named(what: re.Pattern[str], one: Try) -> bool:
    return one.failure is not None and any(what.search(sentence) for sentence in one.failure.service_words)
