"""Plans that a refusal lists, read out of its sentences where they can be read.

The interface says that the message about a term "lists available plans as months and type" without
showing the wording, so several wordings are understood. Nothing is guessed: the term that was asked for
is no plan, and a sentence that cannot be read gives no plan; its text is kept in any case.
"""

import re
from collections.abc import Iterable
from typing import Final

from warranty.errors import AvailablePlan

_LIST_BEGINS: Final = re.compile(
    r"\b(?:available|offered plans?|plans? (?:are|offered)|choose (?:one of|from|between)|one of|options?)\b"
    r"[^0-9{(\[:]*:?",  # the end of the pattern: nothing behind it can fail and make it begin again
    re.IGNORECASE,
)
# All that follows has an end, so that hostile words cost no more than their length: blanks are made single before.
_MONTHS: Final = r"(?P<months>[0-9]{1,3})[ -]{0,3}(?:months?|mos?\.?)"
_TYPE: Final = r"(?P<type>[^\W\d_][^()\[\]{},;:|]{0,79}?)"
_QUOTE: Final = r"[\"']?"
_STOP: Final = r" ?(?:[,;|)\]}]|\.(?: |$)|$)"
_ENDS: Final = rf"(?={_STOP}| (?:and|or) [0-9])"
_WORDINGS: Final = tuple(
    re.compile(wording, re.IGNORECASE)
    for wording in (
        # 24 months (Extended warranty)
        rf"{_MONTHS} ?[(\[] ?(?P<type>[^()\[\]]{{1,80}}?) ?[)\]]",
        # months: 36, type: accident
        rf"{_QUOTE}\bmonths?{_QUOTE} ?[:=] ?(?P<months>[0-9]{{1,3}}) ?[,;]? ?"
        rf"{_QUOTE}type{_QUOTE} ?[:=] ?{_QUOTE}{_TYPE}(?=[\"']|{_STOP})",
        # 24 months, type Extended
        rf"{_MONTHS} ?[-–—:/,]? ?(?:of )?type ?[:=]? ?{_QUOTE}{_TYPE}{_QUOTE}{_ENDS}",
        # 12 months - Accident
        rf"{_MONTHS} ?[-–—:/] ?{_TYPE}{_ENDS}",
        # 24-month Extended
        rf"{_MONTHS} (?:of )?{_TYPE}{_ENDS}",
        # Extended warranty (24 months)
        rf"{_TYPE} ?[(\[] ?{_MONTHS} ?[)\]]",
    )
)


def read_plans(sentences: Iterable[str]) -> tuple[AvailablePlan, ...]:
    """Give the plans that the sentences list, in their order, each once."""
    plans: dict[AvailablePlan, None] = {}
    for sentence in sentences:
        text = " ".join("; ".join(sentence.splitlines()).split())
        begins = _LIST_BEGINS.search(text)
        listed = text[begins.end() :] if begins else text
        # Without words that open a list only the two wordings that cannot be the asked-for term are read.
        for wording in _WORDINGS if begins else _WORDINGS[:2]:
            found = [AvailablePlan(int(match["months"]), match["type"].strip()) for match in wording.finditer(listed)]
            if found:
                plans.update(dict.fromkeys(found))
                break
    return tuple(plans)
