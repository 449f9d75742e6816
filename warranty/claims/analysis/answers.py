"""What the figures say, in sentences for who reads only these: made by rules, and nothing where nothing can be said."""

from typing import Final

from warranty.claims.analysis.chance import differs
from warranty.claims.analysis.figures import Figure, Verdict
from warranty.claims.analysis.pick import shown_word
from warranty.claims.analysis.trends import ByProduct
from warranty.language import _, ngettext
from warranty.language.written import number

_LEAD_IS_SURE: Final = 0.95


def how_it_changed(claims: Figure[int]) -> str:
    """`42 claims, 6 more than the 31 days before (36): within chance.`"""
    if not claims.changes:
        return ""
    first = claims.changes[0]
    said = ngettext("{n} claim", "{n} claims", first.now, n=number(first.now))
    return f"{said}, {'; '.join(change.words for change in claims.changes)}."


def which_leads(products: ByProduct) -> str:
    """`Gas grill leads with 12 of 42, Washer has 11: within chance.` Names are as the service wrote them: no Markdown.

    That the two biggest of many are compared makes it rarer, not more frequent, that products which are alike are told
    apart: it is most frequent of two products. A difference has no other reason to wait for as sales of a change are.
    """
    names, counts = products.top.labels, products.top.counts.tolist()
    if len(names) < 2 or counts[0] == counts[1]:
        return ""
    every = sum(counts) + products.rest
    verdict = Verdict.BEYOND if differs(counts[0], counts[1], level=_LEAD_IS_SURE) else Verdict.WITHIN
    return _(
        "{product} leads with {n} of {every}, {other} has {fewer}: {verdict}.",
        product=shown_word(names[0]),
        n=number(counts[0]),
        every=number(every),
        other=shown_word(names[1]),
        fewer=number(counts[1]),
        verdict=_(verdict.value),
    )
