"""The one list of what has tables, and the opening of a database with all of them."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from warranty.clock import utc_now
from warranty.database.database import Database
from warranty.database.schema import bring_up_to_date
from warranty.desk.journal import Journal
from warranty.desk.journal import tables as journal
from warranty.files import shop_files
from warranty.insight.history import time_notes
from warranty.insight.outlook import diary
from warranty.insight.plans import rows as plans_sold
from warranty.people.accounts import tables as accounts
from warranty.people.audit import tables as audit
from warranty.people.tills import tables as tills
from warranty.watch.alerts import alert_log
from warranty.watch.observed import observations

SUBJECTS: Final = (accounts, alert_log, audit, diary, journal, observations, plans_sold, shop_files, tills, time_notes)
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
