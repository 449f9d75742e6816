"""Every claim of a query, proved to be all of them, or told that it is not.

The interface answers with some fifty claims and a total, and documents no way to ask for the next page.
`claimDateRange` is documented: it is all that is used here.
"""

from warranty.claims.retrieval.calls import ClaimLimits, ClaimsService
from warranty.claims.retrieval.claim_set import ClaimSet, Progress
from warranty.claims.retrieval.columns import FIELDS, RejectedRecord
from warranty.claims.retrieval.retrieve import reason_of, retrieve_claims, with_beginning
from warranty.claims.retrieval.spans import Bounds
from warranty.claims.retrieval.update import refreshed_claims
