"""Trying the clauses one after the other."""

from collections.abc import Iterator
from typing import Final

from warranty.conformance.bench import Bench, CannotBeTried, Differs
from warranty.conformance.clause import Clause, Finding, Verdict
from warranty.conformance.orders import ORDERS
from warranty.conformance.reads import READS
from warranty.conformance.sales import SALES

_SECTIONS: Final = tuple(dict.fromkeys(clause.section for clause in (*READS, *ORDERS, *SALES)))

CLAUSES: Final[tuple[Clause, ...]] = tuple(
    sorted((*READS, *ORDERS, *SALES), key=lambda clause: _SECTIONS.index(clause.section))
)

_LONGEST_DETAIL: Final = 300


def findings(bench: Bench, *, allow_writes: bool) -> Iterator[tuple[Clause, Finding]]:
    """Try each clause that may be tried, and tell what was found as soon as it is."""
    for clause in CLAUSES:
        if clause.writes and not allow_writes:
            yield clause, Finding(Verdict.NOT_RUN, "writes or mails: add --allow-writes")
        else:
            yield clause, _finding(clause, bench)


def _finding(clause: Clause, bench: Bench) -> Finding:
    try:
        detail = clause.probe(bench)
    except Differs as differs:
        return Finding(Verdict.DIFFERS, str(differs)[:_LONGEST_DETAIL])
    except CannotBeTried as reason:
        return Finding(Verdict.NOT_RUN, str(reason)[:_LONGEST_DETAIL])
    except (AttributeError, LookupError, TypeError, ValueError):
        # A try walks through the answer as the document shows it; what it stumbles over is of another shape.
        return Finding(Verdict.DIFFERS, "the answer is not of the documented shape")
    return Finding(Verdict.HOLDS, (detail or "")[:_LONGEST_DETAIL])
