"""The catalogue and the price list that a manager puts in at one desk, at every other."""

from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from tests.builders import MANAGER
from warranty.commands.housekeeping.opening import open_journal
from warranty.desk.journal import Journal
from warranty.files.shop_files import ShopFiles
from warranty.people.audit import AuditTrail
from warranty.settings import Settings, load_settings

LAMP = b"sku,title\nLAMP-1,Arc lamp\n"
CHAIR = b"sku,title\nCHAIR-1,Chair\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"data_dir": str(tmp_path / "data"), "catalogue": str(tmp_path / "named.csv")})


@pytest.fixture
def elsewhere(journal_url: str, tmp_path: Path) -> Iterator[ShopFiles]:
    """Another machine's: no folder is shared."""
    with closing(open_journal(journal_url)) as opened:
        yield files_of(opened, load_settings({"data_dir": str(tmp_path / "other")}))


def files_of(journal: Journal, settings: Settings) -> ShopFiles:
    return ShopFiles(journal.database, settings, AuditTrail(journal.database, "sandbox"))


def seconds_later(files: ShopFiles) -> None:
    recent = files.catalogue._moments
    recent._clock = lambda clock=recent._clock: clock() + 2  # type: ignore[misc]


def test_what_a_manager_puts_in_every_desk_has_soon(journal: Journal, elsewhere: ShopFiles, settings: Settings) -> None:
    here = files_of(journal, settings)
    assert elsewhere.catalogue.in_use().size == 0
    for content, sku in ((LAMP, "LAMP-1"), (CHAIR, "CHAIR-1")):
        journal.database.clock.advance(settings.read_timeout)  # type: ignore[attr-defined]
        here.catalogue.replace(MANAGER, content, file_name="ours.csv")
        assert here.catalogue.in_use().find(sku), "here at once"
        seconds_later(elsewhere)
        assert elsewhere.catalogue.in_use().find(sku)
    here.price_list.replace(MANAGER, b"months,price\n24,88.88\n", file_name="prices.csv")
    seconds_later(elsewhere)
    assert elsewhere.price_list.in_use().usual(sku="", months=24) == Decimal("88.88")
    here.catalogue.remove(MANAGER)
    seconds_later(elsewhere)
    assert elsewhere.catalogue.in_use().size == 0
    assert elsewhere.price_list.in_use().size == 1


def test_the_file_of_the_settings_is_used_where_none_is_put_in_read_anew(journal: Journal, settings: Settings) -> None:
    named = settings.catalogue
    assert named is not None
    catalogue = files_of(journal, settings).catalogue
    (remark,) = catalogue.in_use().remarks
    assert str(remark) == "The catalogue named.csv cannot be opened (FileNotFoundError)."
    named.write_bytes(LAMP)
    assert catalogue.in_use().find("LAMP-1")
    catalogue.replace(MANAGER, CHAIR, file_name="ours.csv")
    assert not catalogue.in_use().find("LAMP-1")
    catalogue.remove(MANAGER)
    assert catalogue.in_use().find("LAMP-1")
    assert catalogue.in_use() is catalogue.in_use(), "read once, however often it is looked at"


def test_a_catalogue_from_before_the_upgrade_is_at_every_desk_where_none_is_and_stays_removed_once_it_is(
    journal: Journal, elsewhere: ShopFiles, settings: Settings
) -> None:
    left = settings.data_dir / "catalogue.uploaded"
    settings.data_dir.mkdir()
    for content, sku in ((LAMP, "LAMP-1"), (CHAIR, "LAMP-1")):  # of two, the first that came stays
        left.write_bytes(content)
        assert files_of(journal, settings).catalogue.in_use().find(sku)
        assert left.with_suffix(".taken-over").read_bytes() == content
    seconds_later(elsewhere)
    assert elsewhere.catalogue.in_use().find("LAMP-1")
    elsewhere.catalogue.remove(MANAGER)
    assert not files_of(journal, settings).catalogue.is_put_in
