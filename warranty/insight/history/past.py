"""What is known of a folder's nights, worked out once for a process and brought up to date when a night is added."""

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.dataset import dataset

from warranty.client.resources import ClaimQuery
from warranty.database.database import Database
from warranty.database.preferences import Preference
from warranty.insight.history.lives import History
from warranty.insight.history.nights import INCOMPLETE, NIGHT, SCHEMA, Night, Nights, frame_of
from warranty.insight.history.runs import NEEDED, Runs
from warranty.language import _
from warranty.language.written import dated
from warranty.people.tills.tills import shop_now
from warranty.settings import Settings

DERIVED: Final = "derived"
"""The folder beside the nights; their readers take nothing in it for a night."""
_AT_ONCE: Final = 500_000
_MOST_KEPT: Final = 8
_LATE: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Found:
    """The nights of a folder: those that are compared, those that are not whole, folders that cannot be read."""

    complete: Sequence[Night] = ()
    incomplete: Sequence[Night] = ()
    unreadable: Sequence[Path] = ()


@dataclass(slots=True)
class Past:
    """The history of an environment. Thread-safe; claims of nights are read here only when a night is new."""

    nights: Nights
    closed: Collection[str]
    last_anywhere: Callable[[], str | None] = lambda: None
    first_awaited: Callable[[], datetime | None] = lambda: None
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    _found: Found = Found()
    _listed: object = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _runs: Runs = field(default_factory=Runs)
    _counted_of: Sequence[Night] | None = None
    _counted: OrderedDict[str | None, History] = field(default_factory=OrderedDict)

    def found(self) -> Found:
        """The nights that are there; their manifests are read again only when one came or went."""
        with self._lock:
            return self._look()

    def missed(self) -> tuple[str, str] | None:
        """What is wrong with the nights by now; may raise `JournalUnavailable`."""
        found = self.found()
        days = {night.day: night.whole for night in (*found.incomplete, *found.complete)}
        return nights_missed(days, now=self.now(), first_awaited=self.first_awaited)

    def before(self, moment: datetime, query: ClaimQuery) -> tuple[date, int, pd.DataFrame] | None:
        """Give the claims of a query as the last complete night before a moment had them.

        First that night's day, and how many claims could not be read in it. None where there is none, and of one
        customer's claims: no e-mail is kept. Raises `OSError` where the night cannot be read.
        """
        night = next((each for each in reversed(self.found().complete) if each.as_of < moment), None)
        if night is None or query.customer_email is not None:
            return None
        wanted = pc.scalar(True)
        for column, times in (("claim_date", query.claim_dates), ("warranty_start_date", query.warranty_start_dates)):
            if times is not None:
                first, last = (pa.scalar(time, SCHEMA.field(column).type) for time in times)
                wanted &= (pc.field(column) >= first) & (pc.field(column) <= last)
        files = [night.file(month) for month in night.start_months]
        with _reported_as_unreadable(night):
            table = dataset(files, schema=SCHEMA).to_table(filter=wanted) if files else SCHEMA.empty_table()
        return night.day, night.unreadable, frame_of(table)

    def history(self, product: str | None = None) -> History:
        """What the nights tell of all products, or of one; raises `OSError` where a night cannot be read."""
        with self._lock:
            complete = self._look().complete
            if self._counted_of is not complete:
                self._runs = up_to_date(self.nights, complete)
                self._counted_of = complete
                self._counted.clear()
            if product not in self._counted:
                self._counted[product] = History.of(self._runs, closed=self.closed, product=product)
                while len(self._counted) > _MOST_KEPT:
                    self._counted.popitem(last=False)
            self._counted.move_to_end(product)
            return self._counted[product]

    def _look(self) -> Found:
        folder = self.nights.folder
        paths = sorted([*folder.glob(f"{NIGHT}*"), *folder.glob(f"{INCOMPLETE}/*")])
        listed = [(path, path.stat().st_mtime_ns) for path in paths]
        if listed != self._listed:
            self._listed = listed
            self._found = Found(self.nights.complete, self.nights.incomplete, self.nights.unreadable)
        return self._found


def past_of(settings: Settings, database: Database) -> Past:
    """The history of the environment of the settings."""
    nights = Nights.of(settings)
    return Past(
        nights,
        closed=settings.closed_statuses,
        last_anywhere=last_night(database, settings.environment).load,
        first_awaited=partial(first_night_awaited_since, settings, nights, database),
        now=partial(shop_now, database),  # a night has the day of the shop
    )


def last_night(database: Database, environment: str) -> Preference:
    """When and on which machine the last complete night was kept, in words: its files may be there alone."""
    return Preference(database, "", f"last night of {environment}")  # nobody is called so


def up_to_date(nights: Nights, complete: Sequence[Night] | None = None) -> Runs:
    """Give the runs of all complete nights, and keep them beside these; raises `OSError` where one cannot be read."""
    complete = nights.complete if complete is None else complete
    folder = nights.folder / DERIVED
    runs = Runs.load(folder, [(night.day, _reading(night)) for night in complete])
    known = {reading for _, reading in runs.taken}
    new = [night for night in complete if _reading(night) not in known]
    for night in new:
        with _reported_as_unreadable(night):
            runs.add(night.day, _parts(night), as_of=night.as_of, reading=_reading(night))
    if new:
        with contextlib.suppress(OSError):  # where only its reader may write: worked out again next time
            runs.save(folder)
    return runs


def _parts(night: Night) -> Iterator[pd.DataFrame]:
    """Its claims at once, or by start month where they are many."""
    columns = [*NEEDED, "read_at"]
    if night.rows <= _AT_ONCE:
        yield night.frame(columns=columns)
        return
    for month in night.start_months:
        yield night.frame(start_months=[month], columns=columns)


@contextlib.contextmanager
def _reported_as_unreadable(night: Night) -> Iterator[None]:
    try:
        yield
    except (OSError, pa.ArrowException) as problem:
        raise OSError(_("The night of {day} cannot be read.", day=night.day)) from problem


def _reading(night: Night) -> str:
    return night.as_of.isoformat()


def first_night_awaited_since(settings: Settings, nights: Nights, database: Database) -> datetime | None:
    """Since when (aware, UTC) a first complete night has been awaited; None where there was one, or none is wanted.

    A history is wanted where its folder was named in the settings, or where `history take` has made it. Raises
    `JournalUnavailable`.
    """
    is_wanted = "history_dir" in settings.model_fields_set or nights.folder.is_dir()
    if not is_wanted or nights.complete or last_night(database, settings.environment).load():
        return None
    return awaited_since(database, f"first night of {settings.environment}")


def awaited_since(database: Database, what: str) -> datetime:
    """Since when (aware, UTC) something has been awaited: whoever asks first writes the moment down for all."""
    preference = Preference(database, "", f"{what} awaited since")  # nobody is called so
    since = preference.load()
    if since is None:
        since = database.clock().isoformat()
        preference.save(since)
    return datetime.fromisoformat(since)


def nights_missed(
    nights: Mapping[date, bool], *, now: datetime, first_awaited: Callable[[], datetime | None]
) -> tuple[str, str] | None:
    """Judge the nights, each complete or not, by day of the zone of `now`: the trouble in a word, and its sentence.

    Wrong is that the two newest nights are incomplete, or that there is none of today, yesterday and the day before,
    since `first_awaited` (aware) where there never was one.
    """
    today = now.date()
    if not nights:
        awaited = first_awaited()
        if awaited is None or today - (since := awaited.astimezone(now.tzinfo).date()) <= _LATE:
            return None
        return "first", _(
            "The history was set up on {day} and has no night yet: the nightly reading of claims does not run, or it "
            "reads nothing.",
            day=dated(since),
        )
    newest = sorted(nights)[-2:]
    if today - newest[-1] > _LATE:
        return "none", _(
            "The history has no night since {day}: the nightly reading of claims does not run.", day=dated(newest[-1])
        )
    if len(newest) == 2 and not any(nights[day] for day in newest):
        return "incomplete", _(
            "The nightly readings of {first} and {second} do not have every claim. What is told of the history ends "
            "before them.",
            first=dated(newest[0]),
            second=dated(newest[1]),
        )
    return None
