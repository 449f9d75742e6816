"""Products whose claims are more than their own past explains, each with how sure that is and since when."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductWarning:
    """A product to look at: in `month` (its first day) `came` claims were made where its past expects `expected`.

    So many or more come by chance with `probability`. `since` is the first day of the month with which it began.
    `sentence` says it for people, with the product's name as the service writes it: text, never Markdown.
    """

    product: str
    month: date
    came: int
    expected: float
    probability: float
    since: date
    sentence: str
