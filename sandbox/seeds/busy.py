"""`busy`: 20,000 claims over 2 years, spread as unevenly as they come in real life.

Opening hours, holiday bursts, three imports of 2,000 claims in one second each, and ten times 45 claims in the
same microsecond: what a program that reads claims by date windows has to cope with.
"""

from datetime import date, timedelta
from random import Random

from sandbox.seeds.claim_maker import ClaimMaker
from sandbox.seeds.people import customers
from sandbox.store.model import Claim

CLAIMS = 20_000
DAYS = 730
IMPORTS, IMPORTED = 3, 2_000
TIES, TIED = 10, 45


def busy_claims(random: Random, today: date) -> list[Claim]:
    """Exactly 20,000 claims, the last of them yesterday."""
    maker = ClaimMaker(random, customers(random, 6_000), today)
    days = [today - timedelta(days=back) for back in range(1, DAYS + 1)]
    ordinary = CLAIMS - IMPORTS * IMPORTED - TIES * TIED
    made = [
        maker.claim(maker.in_opening_hours(day))
        for day in random.choices(days, [_rush(day) for day in days], k=ordinary)
    ]
    for day in random.sample(days, IMPORTS):
        second = maker.in_opening_hours(day).replace(microsecond=0)
        made.extend(maker.claim(second.replace(microsecond=random.randrange(1_000_000))) for _ in range(IMPORTED))
    for day in random.sample(days, TIES):
        moment = maker.in_opening_hours(day)
        made.extend(maker.claim(moment) for _ in range(TIED))
    return made


def _rush(day: date) -> float:
    """How many claims a day brings against an ordinary one: holidays break things, Sundays are quiet."""
    weekday = (1.2, 1.0, 1.0, 1.0, 1.1, 1.3, 0.3)[day.weekday()]
    holidays = 6.0 if (day.month, day.day) >= (12, 26) else 3.0 if day.month == 12 else 1.0
    sales_week = 2.5 if day.month == 11 and day.day >= 24 else 1.0
    january = 2.0 if day.month == 1 and day.day <= 15 else 1.0
    return weekday * holidays * sales_week * january
