"""The shop's own tables that counters look things up in: the product catalogue and the price list.

Each is the file that a manager put in, as it is, which every desk of the journal has within seconds, else the one that
the settings name.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final, Generic, TypeVar

from sqlalchemy import Column, LargeBinary, Table, Text, delete, select

from warranty.access import Operator, Permission
from warranty.database.database import Database, Repository, upsert
from warranty.database.recent import Recent
from warranty.database.tables import METADATA, Instant, texts
from warranty.files.catalogue import Catalogue, read_catalogue
from warranty.files.price_list import PriceList, read_price_list
from warranty.files.tables import FileProblem
from warranty.language import N_, Sentence
from warranty.people.audit import AuditKind, AuditTrail
from warranty.settings import Settings

SHOP_FILES: Final = Table(
    "shop_files",
    METADATA,
    Column("name", Text, primary_key=True),  # what it is to the desk: catalogue, price list
    Column("content", LargeBinary, nullable=False),
    *texts("file_name", "username"),
    Column("changed_at", Instant, nullable=False),
)
T = TypeVar("T", bound=Catalogue | PriceList)


@dataclass(slots=True)
class ShopFile(Generic[T]):
    """One kind of file, read once and again when it changes; a broken one is an empty one with a remark.

    `read` raises `FileProblem` where a file is none of this kind; `named` is that of the settings.
    """

    kind: str
    read: Callable[[bytes], T]
    _made: Callable[..., T]
    _named: Path | None
    _database: Database
    _moments: Recent[Mapping[str, datetime]]
    _audit: AuditTrail
    _loading: Lock = field(default_factory=Lock)
    _known: tuple[object, T] | None = None

    @property
    def is_put_in(self) -> bool:
        """Whether a manager put one in."""
        return self.kind in self._moments()

    def in_use(self) -> T:
        """What the file in use holds. Raises `JournalUnavailable`."""
        version: object = self._moments().get(self.kind)
        with suppress(OSError):  # then the named one cannot be read either
            version = version or (self._named and self._named.stat().st_mtime_ns)
        with self._loading:  # one tab reads, the others wait for it
            if self._known is None or self._known[0] != version:
                self._known = version, self._loaded()
            return self._known[1]

    def replace(self, operator: Operator, content: bytes, *, file_name: str) -> None:
        """Use another file, for every counter. Raises `PermissionDenied`."""
        operator.acts(Permission.MANAGE_CATALOGUE)
        by = {"file_name": file_name[:200], "username": operator.username, "changed_at": self._database.clock()}
        with self._database.write() as connection:
            upsert(connection, SHOP_FILES, key={"name": self.kind}, values={"content": content, **by})
        digest = sha256(content).hexdigest()
        self._audit.note(AuditKind.SHOP_FILE, operator, what=self.kind, file=file_name, sha256=digest)
        self._moments.fresh()

    def remove(self, operator: Operator) -> None:
        """Go back to the named one. Raises `PermissionDenied`."""
        operator.acts(Permission.MANAGE_CATALOGUE)
        with self._database.write() as connection:
            connection.execute(delete(SHOP_FILES).filter_by(name=self.kind))
        self._audit.note(AuditKind.SHOP_FILE, operator, what=f"{self.kind} removed")
        self._moments.fresh()

    def _loaded(self) -> T:
        try:
            with self._database.read() as connection:
                content = connection.scalar(select(SHOP_FILES.c.content).filter_by(name=self.kind))
            if content is None and self._named is not None:
                content = self._named.read_bytes()
            return self._made() if content is None else self.read(content)
        except FileProblem as problem:
            return self._made((problem.sentence,))
        except OSError as error:
            text = N_("The {what} {file} cannot be opened ({fault}).")
            file = self._named.name if self._named else ""
            return self._made((Sentence(text, what=Sentence(self.kind), file=file, fault=type(error).__name__),))


class ShopFiles(Repository):
    """Both of them, as all desks have them. Raises `JournalUnavailable`."""

    def __init__(self, database: Database, settings: Settings, audit: AuditTrail) -> None:
        super().__init__(database)
        journal = database, Recent(self._moments), audit
        catalogue = partial(read_catalogue, currency=settings.currency)
        price_list = partial(read_price_list, currency=settings.currency)
        self.catalogue = ShopFile(N_("catalogue"), catalogue, Catalogue, settings.catalogue, *journal)
        self.price_list = ShopFile(N_("price list"), price_list, PriceList, settings.price_list, *journal)

    def _moments(self) -> Mapping[str, datetime]:
        """When each that is there was put in."""
        with self._database.read() as connection:
            return dict(map(tuple, connection.execute(select(SHOP_FILES.c.name, SHOP_FILES.c.changed_at))))
