"""Claim sets read for this process's screens: each read once, shared by all who look, kept for a while.

A reading runs in a thread of its own pool, so that no number of long readings can keep an order from being sent.
A reading that did not bring all claims never takes the place of one that did: it is kept beside it.
Nobody copies a set: it is read-only, and what is worked out from it (a sorting, a chart) is kept beside it.
"""

import contextlib
import hashlib
import hmac
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Self

from warranty.access import Operator, Permission
from warranty.claims.readings.kept_claims import KeptClaims, NightBefore
from warranty.claims.retrieval import Bounds, ClaimSet, Progress, with_beginning
from warranty.client.resources import ClaimQuery
from warranty.client.resources.claims import DOCUMENTED_CLOSED
from warranty.clock import utc_now
from warranty.errors import Failure, WarrantyError

__all__ = ["KEPT_FOR", "ClaimReadings", "KeptClaims", "Reader", "Reading"]

KEPT_FOR: Final = timedelta(minutes=15)
Reader = Callable[..., ClaimSet]
"""Reads a query: `warranty.claims.retrieval.refreshed_claims` with its client and its limits."""
_FAILURE_KEPT_FOR: Final = timedelta(seconds=60)
_TIMES_ITS_READING: Final = 10
"""A set that took ten minutes to read is kept for a hundred."""
_STILL_WAITS: Final = timedelta(seconds=15)
"""Whoever waits looks every half second, and every second where the tab is not in front."""
_FORGOTTEN_AFTER: Final = timedelta(hours=24)
_FIRST_PART_AFTER: Final = timedelta(seconds=1)
_BETWEEN_PARTS: Final = timedelta(seconds=3)
_TIMES_ITS_MAKING: Final = 20
"""Making sets of what came so far takes a twentieth of a reading at most, however many claims there are."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a screen finds when it looks for the claims of a query.

    `cached` is the set to show (None: none yet), `unfinished` what a later reading brought that has fewer of its
    claims, `part` what came so far of the first one, another every few seconds; `fresh`: it need not be read again yet.
    `waiting`: other readings come first. `stopped`: by somebody, before anything was read. `left`: it goes on for
    others, and is not `running` for who looks. `failure` is why the last reading brought nothing; `fault` is what a
    fault of ours raised instead, to be raised where it is not swallowed.
    """

    cached: KeptClaims | None = None
    unfinished: KeptClaims | None = None
    part: KeptClaims | None = None
    fresh: bool = False
    running: bool = False
    waiting: bool = False
    stopped: bool = False
    left: bool = False
    progress: Progress | None = None
    started_at: datetime | None = None
    failure: Failure | None = None
    fault: BaseException | None = None

    @property
    def wanting(self) -> bool:
        """Whether it must be read: nothing fresh is there or on its way, and it did not just end without a set."""
        under_way = self.running or self.left
        return not (self.fresh or under_way or self.stopped or self.failure or self.fault)


@dataclass(slots=True)
class _Entry:
    reading: Reading = Reading()
    cached_at: datetime | None = None
    read_at: datetime | None = None
    failed_at: datetime | None = None
    size: int = 0
    cancel: threading.Event = field(default_factory=threading.Event)
    former: ClaimSet | None = None
    run: Future[None] | None = None
    viewers: dict[str, datetime] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    unwanted: bool = False
    behind: bool = False

    @property
    def sets(self) -> list[KeptClaims]:
        return [each for each in (self.reading.cached, self.reading.unfinished) if each]

    @property
    def all_bytes(self) -> int:
        return self.size + sum(each.derived_bytes for each in self.sets)


class ClaimReadings:
    """The claim sets of one account in one environment, by query. Thread-safe.

    `scope` tells apart what must not be mixed (environment, address, account). It may hold a token: the keys under
    which sets are kept are made of it and of the query by a hash with a secret of this process, so that neither a
    token nor a customer's e-mail can be read from them. `closed` are the statuses of closed claims, `past` has the
    nights on record. `keep_bytes` bounds the memory of all sets together; the least recently used go first, the newest
    stays in any case.
    """

    def __init__(
        self,
        *,
        read: Reader,
        scope: str,
        closed: tuple[str, ...] = DOCUMENTED_CLOSED,
        past: NightBefore | None = None,
        keep_for: timedelta = KEPT_FOR,
        keep_bytes: int = 256 * 1024 * 1024,
        readings_at_once: int = 3,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._read = read
        self._secret = secrets.token_bytes(32)
        self._scope = self._hashed(scope)
        self.closed = closed
        self._past = past
        self._keep_for = keep_for
        self._keep_bytes = keep_bytes
        self._now = now
        # Apart, so that what a person looks at never waits for what is read beside it.
        self._looked_at = ThreadPoolExecutor(readings_at_once, thread_name_prefix="claim-reading")
        self._beside = ThreadPoolExecutor(max(1, readings_at_once - 1), thread_name_prefix="claim-reading")
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._bounds: Bounds | None = None

    def of(self, operator: Operator) -> Self:
        """The same readings, for a person who may read claims; raises `PermissionDenied` for others."""
        operator.require(Permission.READ_CLAIMS)
        return self

    def key(self, query: ClaimQuery) -> str:
        """Give the name of a query's set: the same for equal queries, telling nothing about them."""
        return self._hashed(self._scope + query.model_dump_json(by_alias=True))

    def look(self, query: ClaimQuery, *, viewer: str = "") -> Reading:
        """Tell what there is for a query, and for who looks; never waits.

        What went wrong is told for a minute, so that screens that look again and again do not read again and again.
        What nobody has read yet is taken from a fresh and complete set of more days where there is one.
        """
        key = self.key(query)
        self._take_from_more_days(key, query)
        with self._lock:
            now = self._now()
            self._forget_old(now)
            entry = self._entries.get(key)
            if entry is None:
                return Reading()
            self._entries.move_to_end(key)
            failed = entry.failed_at is not None and now - entry.failed_at < _FAILURE_KEPT_FOR
            reading = entry.reading if failed else replace(entry.reading, stopped=False, failure=None, fault=None)
            left = viewer in entry.left
            fresh = self._is_fresh(entry, now)
            return replace(reading, fresh=fresh, running=reading.running and not left, left=left)

    def _take_from_more_days(self, key: str, query: ClaimQuery) -> None:
        with self._lock:
            if key in self._entries:
                return
            now = self._now()
            fresh = [one for one in self._entries.values() if self._is_fresh(one, now) and not one.reading.unfinished]
            candidates = [(each.reading.cached, each.cached_at, each.read_at) for each in fresh]
        for wider, cached_at, read_at in candidates:
            claims = wider.claims.narrowed_to(query) if wider else None  # not under the lock: it may be a large set
            if claims is not None:
                made = KeptClaims(claims, closed=self.closed, past=self._past)
                reading, size = Reading(cached=made), _bytes_of(claims)
                with self._lock:
                    if key not in self._entries:
                        self._entries[key] = _Entry(reading=reading, cached_at=cached_at, read_at=read_at, size=size)
                        self._make_room(key)
                return

    def newest_whole(self) -> KeptClaims | None:
        """The set that was read last of all that are whole and not of one customer; None where none is kept."""
        with self._lock:
            cached = [each for entry in self._entries.values() for each in entry.sets]
        whole = [each for each in cached if each.claims.is_whole and not each.claims.query.customer_email]
        return max(whole, key=lambda each: each.claims.as_of, default=None)

    def newest_as_of(self) -> datetime | None:
        """When the reading began that brought that set."""
        newest = self.newest_whole()
        return newest.claims.as_of if newest else None

    def start(self, query: ClaimQuery, *, viewer: str, behind: bool = False) -> None:
        """Begin to read unless that is under way; `viewer` names the tab that waits for it, as long as it says so.

        One that was interrupted a while ago at most goes on from there; of a whole set of before what can have changed
        is read. `behind`: it is read beside what a person looks at, on threads of its own.
        """
        key = self.key(query)
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            entry.viewers[viewer] = self._now()
            entry.left.discard(viewer)
            if entry.reading.running:
                if entry.behind and not behind and entry.run is not None and entry.run.cancel():
                    self._begin(key, entry, query, behind=False)
                return
            entry.former = None if entry.reading.fault else self._former(entry)
            entry.reading = Reading(
                cached=entry.reading.cached,
                unfinished=entry.reading.unfinished,
                running=True,
                waiting=True,
                started_at=self._now(),
            )
            entry.cancel, entry.unwanted = threading.Event(), False
            self._begin(key, entry, query, behind=behind)

    def _begin(self, key: str, entry: _Entry, query: ClaimQuery, *, behind: bool) -> None:
        entry.behind = behind
        with contextlib.suppress(RuntimeError):  # closed meanwhile
            entry.run = (self._beside if behind else self._looked_at).submit(self._run, key, entry, query)

    def wait(self, query: ClaimQuery, *, longest: timedelta) -> None:
        """Wait a moment for a reading under way: most are over before a person would see that one began."""
        with self._lock:
            entry = self._entries.get(self.key(query))
            run = entry.run if entry is not None else None
        if run is not None:
            wait((run,), timeout=longest.total_seconds())

    def stop(self, query: ClaimQuery, *, viewer: str) -> None:
        """Say that this tab waits no more. The reading goes on for others; else it ends soon, and its part is kept."""
        self._drop_viewer(query, viewer, unwanted=False)

    def leave(self, query: ClaimQuery, *, viewer: str) -> None:
        """Say that this tab asks for something else now: a reading that nobody waits for any more ends unkept."""
        self._drop_viewer(query, viewer, unwanted=True)

    def _drop_viewer(self, query: ClaimQuery, viewer: str, *, unwanted: bool) -> None:
        with self._lock:
            entry = self._entries.get(self.key(query))
            if entry is None or not entry.reading.running:
                return
            entry.viewers.pop(viewer, None)
            if any(self._now() - seen < _STILL_WAITS for seen in entry.viewers.values()):
                if not unwanted:
                    entry.left.add(viewer)
                return
            entry.unwanted = unwanted
            self._stop(entry)

    def close(self) -> None:
        """End all readings and forget all sets."""
        with self._lock:
            for entry in self._entries.values():
                self._stop(entry)
        for pool in (self._looked_at, self._beside):
            pool.shutdown(wait=True, cancel_futures=True)
        self._entries.clear()

    def _stop(self, entry: _Entry) -> None:
        entry.cancel.set()
        if entry.run is not None and entry.run.cancel():
            self._ended(entry, stopped=not entry.unwanted)

    def _ended(self, entry: _Entry, *, stopped: bool) -> None:
        """Note that a reading is over; `stopped`: by a person, before anything was read."""
        entry.run, entry.former = None, None
        entry.reading = replace(entry.reading, running=False, waiting=False, part=None, stopped=stopped)
        entry.viewers.clear()
        entry.left.clear()
        entry.failed_at = self._now() if stopped or entry.reading.failure or entry.reading.fault else None

    def _run(self, key: str, entry: _Entry, query: ClaimQuery) -> None:
        claims: ClaimSet | None = None
        size = 0
        failure: Failure | None = None
        fault: BaseException | None = None
        cancel, due = entry.cancel, self._now() + _FIRST_PART_AFTER

        def tell(progress: Progress | None) -> None:
            nonlocal due
            part, before = entry.reading.part, self._now()
            if progress and progress.part and progress.received and before >= due and entry.reading.cached is None:
                part = KeptClaims(progress.part(), closed=self.closed)
                due = self._now() + max(_BETWEEN_PARTS, (self._now() - before) * _TIMES_ITS_MAKING)
            with self._lock:
                without_part = replace(progress, part=None) if progress else None
                entry.reading = replace(entry.reading, waiting=False, progress=without_part, part=part)

        tell(None)
        try:
            claims = self._read(query, progress=tell, cancel=cancel, bounds=self._bounds, former=entry.former)
            if entry.behind:  # what is read to compare with may reach to before the first claim
                claims = with_beginning(claims, partial(self._read, bounds=claims.bounds, former=None))
            size = _bytes_of(claims)  # not under the lock, where every screen would wait for it
        except WarrantyError as error:
            failure = error.failure
        except BaseException as error:  # a fault of ours: told to the screens, which raise it
            claims, fault = None, error
            raise
        finally:
            with self._lock:
                # Dropped, but somebody came back to it before it ended: a whole set is welcome, a part is none.
                wanted = not entry.unwanted or (bool(entry.viewers) and claims is not None and claims.is_whole)
                nothing = claims is None or claims.total is None
                entry.reading = replace(entry.reading, failure=failure, fault=fault)
                if claims is not None and wanted and not (nothing and cancel.is_set()):
                    self._keep(key, entry, claims, size)
                stopped = cancel.is_set() and nothing and not (entry.unwanted or failure or fault)
                self._ended(entry, stopped=stopped)

    def _keep(self, key: str, entry: _Entry, claims: ClaimSet, size: int) -> None:
        self._bounds = claims.bounds or self._bounds
        now, cached = self._now(), entry.reading.cached
        made = KeptClaims(claims, cached.last_whole if cached else None, closed=self.closed, past=self._past)
        entry.read_at = now
        if claims.is_whole:
            self._forget_covered(claims)
        if _outranks(claims, cached) or _is_old(entry.cached_at, now):
            entry.reading, entry.cached_at = replace(entry.reading, cached=made, unfinished=None), now
        else:
            entry.reading = replace(entry.reading, unfinished=made)
        held = (each for one in entry.sets for each in (one.claims, one.earlier) if each)
        others = {id(each): each for each in held if each is not claims}
        entry.size = size + sum(map(_bytes_of, others.values()))
        self._make_room(key)

    def _forget_covered(self, claims: ClaimSet) -> None:
        """Drop older sets of some of these days: two screens would contradict each other."""
        for key, entry in list(self._entries.items()):
            older = [each for each in entry.sets if each.claims.as_of < claims.as_of]
            if older and not entry.reading.running and all(claims.covers(each.claims.query) for each in older):
                del self._entries[key]

    def _former(self, entry: _Entry) -> ClaimSet | None:
        """What the next reading goes on from: a part that was read a while ago at most, else the last whole set."""
        part, cached = entry.reading.unfinished or entry.reading.cached, entry.reading.cached
        if part and not part.claims.is_whole and self._is_fresh(entry, self._now()):
            return part.claims
        return cached.last_whole if cached else None

    def _make_room(self, newest: str) -> None:
        total = sum(entry.all_bytes for entry in self._entries.values())
        for key, entry in list(self._entries.items()):
            if total <= self._keep_bytes:
                return
            if key != newest and not entry.reading.running:
                total -= entry.all_bytes
                del self._entries[key]

    def _forget_old(self, now: datetime) -> None:
        """Drop what is older than a day: claims are personal data, also in memory."""
        for key, entry in list(self._entries.items()):
            last = max(filter(None, (entry.read_at, entry.failed_at, entry.reading.started_at)), default=now)
            if not entry.reading.running and _is_old(last, now):
                del self._entries[key]

    def _is_fresh(self, entry: _Entry, now: datetime) -> bool:
        """A reading that did not bring all counts too: it is not tried again by itself at every click."""
        if not entry.sets or entry.read_at is None:
            return False
        keep_for = max(self._keep_for, entry.sets[-1].claims.duration * _TIMES_ITS_READING)
        return timedelta(0) <= now - entry.read_at < keep_for  # a clock may have gone back

    def _hashed(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()


def _outranks(claims: ClaimSet, cached: KeptClaims | None) -> bool:
    """Whether a set takes the place of the one that is shown: a part does not where that would lose claims."""
    if cached is None or claims.is_whole:
        return True
    return not cached.claims.is_whole and claims.received >= cached.claims.received


def _is_old(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and now - moment > _FORGOTTEN_AFTER


def _bytes_of(claims: ClaimSet) -> int:
    """About how much memory a set takes: its frame, as much again for the texts as received, and for a rest."""
    with contextlib.suppress(TypeError, ValueError):
        return (3 if claims.rest else 2) * int(claims.frame.memory_usage(deep=True).sum())
    return 1000 * claims.received
