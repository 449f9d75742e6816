"""Looks on at every call and every reading: counts in memory, written now and then, so that no call waits for it.

What the document shows of each call's answers stands here, and what an answer shows beside that; never a value of a
customer. A field stands by its path (`data[].status`), with the HTTP status in front where that is no success. Nothing
but the names of fields, types, statuses and status words gets out, each cut to a form that holds no text of a person.
"""

import logging
import re
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final, Self

from pydantic import ValidationError
from pydantic_core import from_json

from warranty.access import Operator, Permission
from warranty.claims.retrieval.answers import Answer
from warranty.claims.retrieval.columns import FIELDS, RejectedRecord
from warranty.claims.retrieval.spans import Bounds
from warranty.client.observer import Try
from warranty.client.resources import Checkout, LineItem, Order, PurchaseWarranties, order_id_warning
from warranty.client.resources.purchase_warranties import PurchasableLineItem
from warranty.database.background import Background
from warranty.errors import JournalUnavailable
from warranty.language import N_
from warranty.settings import Settings
from warranty.watch.observed.observations import BY_ANSWER, Observations, Oddity, Sighting

TEXT, FLAG, NUMBER = N_("text"), N_("true or false"), N_("number")
LIST, OBJECT = N_("list"), N_("object")
"""As the record has them; said with `_`."""
_KINDS: Final = {bool: FLAG, int: NUMBER, float: NUMBER, str: TEXT, list: LIST, dict: OBJECT}
_CLAIMS: Final = {"data": LIST, "page": NUMBER, "per_page": NUMBER, "total_count": NUMBER, "data[]": OBJECT}

_STATUSES: Final[Mapping[str, frozenset[int]]] = {
    "submit_order": frozenset({200, 400, 401, 404}),
    "record_sale": frozenset({200, 400, 401, 404, 500}),
    "claims": frozenset({200}),
}
"""What is documented; of the other calls none is, and neither a 2xx nor a 401 of theirs says anything."""
_NOT_SHOWN: Final = frozenset({*range(200, 300), 401})
_FIELDS: Final[Mapping[tuple[str, int], Mapping[str, str]]] = {
    ("submit_order", 200): {"success": FLAG, "url": TEXT, "warrantable_products": FLAG},
    ("submit_order", 400): {
        "message": OBJECT, "message.validation_errors": LIST, "message.validation_errors[]": TEXT
    },
    ("record_sale", 200): {"id": TEXT},
    ("record_sale", 400): {"error": TEXT},
    ("claims", 200): _CLAIMS | {f"data[].{name}": TEXT for name in FIELDS},
}  # fmt: skip
_MAY_BE_LEFT_OUT: Final = frozenset({"warrantable_products", "data[]"})
_FIELD_NAMES: Final = frozenset(FIELDS)
_WORDS: Final = frozenset({"RESOLVED"})

_MOST_FIELDS: Final = 200
_DEEPEST: Final = 6
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z_-]{0,30}[0-9]{0,2}")
_WORD: Final = re.compile(r"[\w .,/-]{1,40}")
_MANY_DIGITS: Final = re.compile(r"\d{3}")
_MEDIA_TYPE: Final = re.compile(r"[a-z]{1,20}/[a-z0-9.+-]{1,40}")
_HEX: Final = re.compile(r"[0-9a-fA-F-]+")


def status_word(word: object) -> str | None:
    """A status word as it may be written down; None for one that the document shows, or where there is none."""
    if not isinstance(word, str):
        return None
    if not _WORD.fullmatch(word) or _MANY_DIGITS.search(word):
        return "(a text that is no word)"
    return None if word in _WORDS else word


def name_of(field: object) -> str:
    """The name of a field; one that may be a customer's value (an address, a number) stands as `(other)`."""
    return field if isinstance(field, str) and _NAME.fullmatch(field) else "(other)"


def oddities(one: Try) -> Iterator[Oddity]:
    """What one answer shows beside the document."""
    return (Oddity(one.operation, kind, what) for kind, what in _beside_document(one))


def _beside_document(one: Try) -> Iterator[tuple[str, str]]:
    if one.status is None:
        return
    if one.status not in _STATUSES.get(one.operation, _NOT_SHOWN):
        yield "HTTP status", str(one.status)
    media_type = one.content_type.partition(";")[0].strip().lower()
    if media_type != "application/json" and one.body != b"":
        yield "content type", media_type if _MEDIA_TYPE.fullmatch(media_type) else "(none that is known)"
    prefix = "" if 200 <= one.status < 300 else f"{one.status} "
    if one.failure is not None and not prefix and one.body is not None:
        yield "shape", "cannot be read"
    if one.body:
        try:
            yield from _of_content(one, from_json(one.body), prefix)
        except ValueError:
            yield "shape", f"{prefix}not JSON"


def _of_content(one: Try, content: Any, prefix: str) -> Iterator[tuple[str, str]]:
    shown = _FIELDS.get((one.operation, one.status or 0), {})
    seen = _fields(content)
    for path, kinds in seen.items():
        for kind in sorted(kinds):
            if shown.get(path) != kind:
                yield "type" if path in shown else "field", f"{prefix}{path}: {kind}"
    for path in shown.keys() - seen.keys() - _MAY_BE_LEFT_OUT if shown and not prefix else ():
        if not path.startswith("data[]") or "data[]" in seen:
            yield "missing", path
    yield from (("status word", word) for word in sorted(_status_words(content)))
    beside = content if isinstance(content, dict) else {}
    if one.operation == "record_sale" and not _HEX.fullmatch(str(beside.get("id", "0"))):
        yield "form", "id: not hexadecimal"
    if one.operation == "claims":
        yield from _paging(beside)


def _paging(beside: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What stands beside the claims, other than in the document's sample: page 1, and 50 a page."""
    for name, shown in (("page", 1), ("per_page", 50)):
        if isinstance(beside.get(name), int) and beside[name] != shown:
            yield "form", f"{name}: not {shown}"


def claims_oddities(records: list[Any], beside: Mapping[str, Any]) -> Iterator[Oddity]:
    """What an answer with claims shows beside the document, of which the records are at hand already.

    Of each record, for there are many, only the number of its fields; of the first their names. The status words of a
    whole reading are known at its end, as are records that lack a field.
    """
    try:
        is_odd = set(map(len, records)) - {len(FIELDS)} or (records and records[0].keys() != _FIELD_NAMES)
    except (TypeError, AttributeError):  # a record that is no object
        is_odd = True
    yield from (Oddity("claims", *found) for found in _paging(beside))
    if is_odd or beside.keys() - _CLAIMS.keys():
        for path, kinds in _fields({**beside, "data": records}).items():
            if path not in _FIELDS["claims", 200]:
                yield from (Oddity("claims", "field", f"{path}: {kind}") for kind in kinds)


def _fields(content: Any) -> Mapping[str, set[str]]:
    """Each path of a content with the types that stand there."""
    found: dict[str, set[str]] = {}

    def look(value: Any, path: str, depth: int) -> None:
        if path and (path in found or len(found) < _MOST_FIELDS):
            found.setdefault(path, set()).add(_KINDS.get(type(value), "null"))
        if depth < _DEEPEST and isinstance(value, dict):
            for name, each in value.items():
                look(each, f"{path}.{name_of(name)}".removeprefix("."), depth + 1)
        elif depth < _DEEPEST and isinstance(value, list):
            for each in value:
                look(each, f"{path}[]", depth + 1)

    look(content, "", 0)
    return found


def _status_words(content: Any) -> set[str]:
    """The words of every field called `status`, wherever it stands, beside those of the document."""
    if isinstance(content, list):
        return {word for each in content for word in _status_words(each)}
    if not isinstance(content, dict):
        return set()
    word = status_word(content.get("status"))
    return {word} - {None} | _status_words(list(content.values()))  # type: ignore[return-value]


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
        first, last = min(known.first_seen, new.first_seen), max(known.last_seen, new.last_seen)
        self._seen[oddity] = Sighting(oddity, first, last, new.times if known is new else known.times + new.times)

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
