"""Looks on at every call and every reading: counts in memory, written now and then, so that no call waits for it."""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, Self

from warranty.access import Operator, Permission
from warranty.client.observer import Try
from warranty.errors import JournalUnavailable
from warranty.journal.shared.observations import Observations, Oddity, Sighting, Tries
from warranty.observed.assumptions import BY_ANSWER
from warranty.observed.contradictions import contradictions
from warranty.observed.document import claims_oddities, oddities, status_word
from warranty.observed.record import BUCKETS, Month, months
from warranty.observed.sentences import scrubbed
from warranty.resources import Order
from warranty.retrieval.answers import Answer
from warranty.retrieval.columns import RejectedRecord
from warranty.retrieval.spans import Bounds
from warranty.settings import Settings

EVERY: Final = timedelta(minutes=1)
_MOST: Final = 500
"""Of different things counted between two writings: a service that makes up names fills no memory and no table."""
_MOST_SENTENCES: Final = 40
_MANY: Final = "(others)"
_log = logging.getLogger("warranty.observed")


class ServiceSeen:
    """What this process sees of the service, added to what the shop's other desks saw. Thread-safe.

    `tried`, `claims_answer` and `claims_read` are the client's observer.
    """

    def __init__(
        self,
        kept: Observations,
        settings: Settings,
        *,
        now: Callable[[], datetime],
        every: timedelta = EVERY,
    ) -> None:
        self._kept = kept
        self._settings = settings
        self.now = now
        self._lock = threading.Lock()
        self._seen: dict[Oddity, Sighting] = {}
        self._tries: Counter[Tries] = Counter()
        self._sentences: set[str] = set()
        self._month = ""
        self._over = threading.Event()
        self._writer = threading.Thread(target=self._write_on, args=(every,), name="observed", daemon=True)
        self._writer.start()

    def tried(self, one: Try) -> None:
        """Count a try, and what its answer shows beside the document."""
        try:
            against = (Oddity(one.operation, BY_ANSWER, name) for name in contradictions(one))
            self._note([*oddities(one), *self._link(one), *against])
            self._count(one)
        except Exception as fault:  # noqa: BLE001 - whatever is wrong with looking on, the call is none the worse
            _log.error("a call was not looked at: %s", type(fault).__name__)

    def claims_answer(self, answer: Answer) -> None:
        """Note what an answer with claims shows beside the document."""
        try:
            self._note(claims_oddities(answer.records, answer.beside))
        except Exception as fault:  # noqa: BLE001 - as above
            _log.error("claims were not looked at: %s", type(fault).__name__)

    def claims_read(
        self, statuses: Iterable[str], rejected: Iterable[RejectedRecord], bounds: Bounds | None
    ) -> None:
        """Note the status words, which fields could not be read, and how ranges are counted where not as assumed."""
        found = {Oddity("claims", "status word", word) for each in statuses if (word := status_word(each))}
        found |= {
            Oddity("claims", "form", f"data[].{each.field}: {each.reason.english}") for each in rejected
        }
        if bounds is not None and bounds != Bounds():
            found.add(Oddity("claims", "form", f"range: {bounds}"))
        self._note(found)

    def of(self, operator: Operator) -> Self:
        """The same, for a person who may read it; raises `PermissionDenied` for others."""
        operator.require(Permission.SEE_SERVICE_RECORD)
        return self

    def drift(self) -> Sequence[Sighting]:
        """What was seen beside the document, the newest first; may raise `JournalUnavailable`."""
        self.write()
        return self._kept.drift()

    def months(self) -> Sequence[Month]:
        """The record of the last twelve months, this one last; may raise `JournalUnavailable`."""
        self.write()
        return months(self._kept, self.now())

    def write(self) -> None:
        """Write down what was counted since; raises `JournalUnavailable`, and then the counts are kept."""
        with self._lock:
            seen, self._seen = self._seen, {}
            tries, self._tries = self._tries, Counter()
        try:
            if seen or tries:
                self._kept.add(seen.values(), tries)
        except JournalUnavailable:
            with self._lock:
                for sighting in seen.values():
                    self._merge(sighting)
                self._tries.update(tries)
            raise

    def close(self) -> None:
        """Write what is left, and end."""
        self._over.set()
        self._writer.join(timeout=15)

    def _write_on(self, every: timedelta) -> None:
        over = False
        while not over:
            over = self._over.wait(every.total_seconds())
            try:
                self.write()
            except JournalUnavailable as problem:
                _log.warning("what was seen of the service is not written yet: %s", problem)

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

    def _count(self, one: Try) -> None:
        milliseconds = one.took / timedelta(milliseconds=1)
        bucket = next((each for each in BUCKETS if milliseconds <= each), BUCKETS[-1])
        outcome = "done" if one.failure is None else one.failure.kind
        day = self.now().astimezone(UTC).date().isoformat()
        sentence = scrubbed(one.failure, one.sent) if one.failure and one.status else ""
        with self._lock:
            if day[:7] != self._month:
                self._month = day[:7]  # as the record has it: a new one begins with room for words of its own
                self._sentences.clear()
            if sentence not in self._sentences and len(self._sentences) >= _MOST_SENTENCES:
                sentence = _MANY if sentence else ""
            self._sentences.add(sentence)
            self._tries[Tries(day, one.operation, outcome, sentence, bucket)] += 1
