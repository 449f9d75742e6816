"""Trying the clauses one after the other."""

from collections.abc import Iterator
from typing import Final

from warranty.watch.conformance.bench import Bench, CannotBeTried, Differs
from warranty.watch.conformance.clause import Clause, Shown, Trial
from warranty.watch.conformance.orders import ORDERS
from warranty.watch.conformance.reads import READS
from warranty.watch.conformance.sales import SALES

_ALL: Final = (*READS, *ORDERS, *SALES)
_SECTIONS: Final = tuple(dict.fromkeys(clause.section for clause in _ALL))
CLAUSES: Final = tuple(sorted(_ALL, key=lambda clause: _SECTIONS.index(clause.section)))
_LONGEST_DETAIL: Final = 300


def findings(bench: Bench, *, allow_writes: bool) -> Iterator[tuple[Clause, Trial]]:
    """Try each clause that may be tried, and tell what was found as soon as it is."""
    for clause in CLAUSES:
        if clause.writes and not allow_writes:
            yield clause, Trial(Shown.NOT_RUN, "writes or mails: add --allow-writes")
            continue
        try:
            shown, detail = Shown.HOLDS, clause.probe(bench) or ""
        except Differs as differs:
            shown, detail = Shown.DIFFERS, str(differs)
        except CannotBeTried as reason:
            shown, detail = Shown.NOT_RUN, str(reason)
        except (AttributeError, LookupError, TypeError, ValueError):
            # A try walks through the answer as the document shows it; what it stumbles over is of another shape.
            shown, detail = Shown.DIFFERS, "the answer is not of the documented shape"
        yield clause, Trial(shown, detail[:_LONGEST_DETAIL])
