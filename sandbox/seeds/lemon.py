"""`lemon`: two years of a shop where one product really goes wrong and a busy one does not.

Claims on the washing machine double with the third month before the present one; the television has many all along,
and keeps to them. What chance does is in it: the claims of a month are drawn by Poisson's rule.
"""

from datetime import date, timedelta
from math import exp
from random import Random

from sandbox.seeds.claim_maker import ClaimMaker
from sandbox.seeds.people import customers
from sandbox.store.model import Claim

LEMON, STEADY = "Washing machine 8 kg", '55" OLED television'
MONTHS, SINCE = 27, 3
_A_MONTH = {LEMON: 60.0, STEADY: 75.0, "Dining chair": 12.0, "Arc floor lamp": 3.0}


def lemon_claims(random: Random, today: date) -> list[Claim]:
    """Claims of the 27 whole months before the one of `today`, and of its days before today."""
    maker = ClaimMaker(random, customers(random, 800), today)
    made = []
    first, back = today.replace(day=1), 0
    last = today
    while back <= MONTHS:
        days = (last - first).days
        for product, usual in _A_MONTH.items():
            rate = usual * (2 if product == LEMON and back <= SINCE else 1) * days / 30.4
            for _ in range(_poisson(random, rate)):
                day = first + timedelta(days=random.randrange(days))
                made.append(maker.claim(maker.in_opening_hours(day), product_name=product))
        last, first, back = first, (first - timedelta(days=1)).replace(day=1), back + 1
    return made


def _poisson(random: Random, rate: float) -> int:
    """Draw a count, by Knuth's product of uniforms."""
    count, product, least = -1, 1.0, exp(-rate)
    while product > least:
        product *= random.random()
        count += 1
    return max(count, 0)
