"""What figures and charts of claims are told of, in words: the query, what narrows it, and what is not in the set."""

from collections.abc import Callable, Sequence

from warranty.analysis.figures import Base
from warranty.analysis.periods import Period
from warranty.analysis.pick import shown_word
from warranty.analysis.selection import Selection
from warranty.retrieval import ClaimSet

_MOST_NAMED = 3


def base_of(claims: ClaimSet, selection: Selection, *, count: int) -> Base:
    """The base of what is told of the `count` claims of the set that are selected. No e-mail is in it."""
    query = claims.query
    of = f"claims dated {Period.of(query.claim_dates).words}" if query.claim_dates else "claims of any date"
    said = [of]
    if query.warranty_start_dates:
        said.append(f"on warranties that started {Period.of(query.warranty_start_dates).words}")
    if query.customer_email:
        said.append("of one customer")
    return Base(
        of=", ".join([*said, *conditions(selection)]),
        count=count,
        as_of=claims.as_of,
        leaves_out=_left_out(claims),
    )


def conditions(
    selection: Selection, *, most: int = _MOST_NAMED, status: Callable[[str], str] = shown_word
) -> list[str]:
    """What a selection narrows to, each condition in words, with up to `most` statuses or products by name.

    A status is named by `status`: files have the service's own word.
    """
    said = [f"with “{selection.text}”"] if selection.text else []
    if selection.statuses:
        said.append(f"status {_either([*map(status, selection.statuses)], most)}")
    if selection.products:
        said.append(f"product {_either([*map(shown_word, selection.products)], most)}")
    if selection.open_only:
        said.append("open only")
    if selection.pick:
        said.append(selection.pick.said(status))
    return said


def _either(values: Sequence[str], most: int) -> str:
    """`A or B`; of many the first two by name: a title has to end."""
    if len(values) <= most:
        return " or ".join(values)
    return f"{values[0]}, {values[1]} or {len(values) - 2:,} others"


def _left_out(claims: ClaimSet) -> tuple[str, ...]:
    missing = 0 if claims.total is None else max(0, claims.total - claims.received)
    parts = {
        "The service did not say how many claims there are": claims.total is None,
        f"{missing:,} of the claims that the service counts were not read": missing,
        "It is not proved that all claims are here": not (claims.is_whole or missing or claims.total is None),
        f"{len(claims.rejected):,} of the claims could not be read": claims.rejected,
        f"{claims.repeated:,} of the claims repeat another, and others may be missing": claims.repeated,
    }
    return tuple(sentence for sentence, holds in parts.items() if holds)
