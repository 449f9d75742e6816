"""The one list of what has tables, and the opening of a database with all of them."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from warranty.accounts import tables as accounts
from warranty.alerts import alert_log
from warranty.audit import tables as audit
from warranty.database.database import Database, utc_now
from warranty.database.schema import bring_up_to_date
from warranty.files import uploads
from warranty.history import time_notes
from warranty.journal import Journal
from warranty.journal import tables as journal
from warranty.observed import observations
from warranty.outlook import diary
from warranty.plans import rows as plans_sold
from warranty.tills import tables as tills

SUBJECTS: Final = (accounts, alert_log, audit, diary, journal, observations, plans_sold, tills, time_notes, uploads)
"""Each has defined its tables by being imported."""


def open_journal(url: str, *, clock: Callable[[], datetime] = utc_now) -> Journal:
    """Open the journal at a URL (`sqlite:///FILE` or `postgresql://...`) and bring its schema up to date.

    Raises `SettingsProblem` when the URL or the version cannot be used, `JournalUnavailable` when the
    database does not answer.
    """
    database = Database(url, clock)
    del url  # it may hold a password, and some tracebacks print what a function holds
    bring_up_to_date(database)
    return Journal(database)
