"""Whether two sendings of one order id are for the same customer, without anything from which that one can be found."""

from sqlalchemy import Connection

from warranty.journal.entries import Intent
from warranty.journal.preferences import keyed_hash


def customer_mark(connection: Connection, intent: Intent) -> str | None:
    """A mark by which two sendings of one order id can be compared, and from which nobody can be found.

    It is keyed by a secret of the journal and by the order, so equal customers of two orders have different marks, and
    so short that of any list of people every 65,536th fits (docs/decisions/privacy.md).
    """
    if not intent.customer:
        return None
    text = "\n".join((intent.environment, intent.order_id, intent.customer))
    return keyed_hash(connection, text)[:4]
