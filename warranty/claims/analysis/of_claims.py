"""What figures and charts of claims are told of, in words: the query, what narrows it, and what is not in the set."""

from collections.abc import Callable, Sequence

from warranty.claims.analysis.figures import Base
from warranty.claims.analysis.periods import Period
from warranty.claims.analysis.pick import shown_word
from warranty.claims.analysis.selection import Selection
from warranty.claims.retrieval import ClaimSet
from warranty.language import _
from warranty.language.written import number

_MOST_NAMED = 3


def base_of(claims: ClaimSet, selection: Selection, *, count: int, status: Callable[[str], str] = shown_word) -> Base:
    """The base of what is told of the `count` claims of the set that are selected. No e-mail is in it."""
    query = claims.query
    dates = query.claim_dates
    of = _("claims dated {days}", days=Period.of(dates).words) if dates else _("claims of any date")
    parts = [of]
    if query.warranty_start_dates:
        started = Period.of(query.warranty_start_dates).words
        parts.append(_("on warranties that started {days}", days=started))
    if query.customer_email:
        parts.append(_("of one customer"))
    return Base(
        of=", ".join([*parts, *conditions(selection, status=status)]),
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
    parts = [_("with “{words}”", words=selection.text)] if selection.text else []
    if selection.statuses:
        parts.append(_("status {names}", names=_either([*map(status, selection.statuses)], most)))
    if selection.products:
        parts.append(_("product {names}", names=_either([*map(shown_word, selection.products)], most)))
    if selection.open_only:
        parts.append(_("open only"))
    if selection.pick:
        parts.append(selection.pick.label(status))
    return parts


def _either(values: Sequence[str], most: int) -> str:
    """`A or B`; of many the first two by name: a title has to end."""
    if len(values) <= most:
        return _(" or ").join(values)
    return _("{first}, {second} or {n} others", first=values[0], second=values[1], n=number(len(values) - 2))


def _left_out(claims: ClaimSet) -> tuple[str, ...]:
    missing = 0 if claims.total is None else max(0, claims.total - claims.received)
    repeated = claims.table.repeated
    parts = {
        _("The service did not say how many claims there are"): claims.total is None,
        _("{n} of the claims that the service counts were not read", n=number(missing)): missing,
        _("It is not proved that all claims are here"): not (claims.is_whole or missing or claims.total is None),
        _("{n} of the claims could not be read", n=number(len(claims.rejected))): claims.rejected,
        _("{n} of the claims repeat another, and others may be missing", n=number(repeated)): repeated,
    }
    return tuple(sentence for sentence, holds in parts.items() if holds)
