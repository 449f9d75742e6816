"""Taking a night: all claims are read, or those that can have changed, and totals prove that the rest is there."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from warranty.claims.retrieval import ClaimLimits, ClaimsService
from warranty.claims.retrieval.update import Reading, Source, update
from warranty.client.resources import ClaimQuery
from warranty.clock import utc_now
from warranty.insight.history.claims_kept import stored_claims
from warranty.insight.history.nights import Night

ROUND: Final = timedelta(days=28)
"""Within so long each claim is read anew, whatever its status: so long may a change of a closed one go unseen."""
_NIGHT: Final = timedelta(days=1)


def read_night(
    service: ClaimsService,
    earlier: Night | None,
    *,
    closed: tuple[str, ...],
    limits: ClaimLimits,
    cancel: threading.Event,
    now: Callable[[], datetime] = utc_now,
) -> Reading:
    """Read a night: all claims, or with an `earlier` one (whole and intact) what can have changed since.

    `closed` are the statuses that are taken for final: claims with them are read anew in turn, and not each night.
    Raises the `WarrantyError` of the first call if that fails: then nothing was read.
    """
    found = None
    source = Source(service, ClaimQuery(), lambda read: stored_claims(read.frame, read.as_of), limits, cancel, now)
    if earlier:
        share = max(_NIGHT, now() - earlier.as_of) / ROUND
        found = update(source, earlier.claims(), closed=closed, share=share)
    found = found or _all(source)
    return replace(found, closed=closed)


def _all(source: Source) -> Reading:
    claims = source.set_of()
    return Reading(
        source.stored(claims),
        claims.as_of,
        claims.total,
        whole=claims.is_whole,
        reasons=tuple(reason.english for reason in claims.reasons),
        unreadable=len(claims.rejected),
        calls=claims.requests,
    )
