"""Since when the first night of a history has been awaited: one that never came is found by no look at nights."""

from datetime import datetime

from warranty.database.database import Database
from warranty.database.preferences import Preference
from warranty.insight.history.nights import Nights
from warranty.insight.history.past import last_night
from warranty.settings import Settings


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
    kept = Preference(database, "", f"{what} awaited since")  # nobody is called so
    since = kept.load()
    if since is None:
        since = database.clock().isoformat()
        kept.save(since)
    return datetime.fromisoformat(since)
