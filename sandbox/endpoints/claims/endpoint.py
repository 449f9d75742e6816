"""POST /api/warranty-claim-customer-status: filters in, at most 50 records out.

Sections of the interface: "POST /api/warranty-claim-customer-status", "Claim record".
"""

from sandbox.endpoints.claims.request import read_filter
from sandbox.service.service import Service
from sandbox.store.claim_book import PER_PAGE
from sandbox.wire.answers import JSON_TYPE, Answer
from sandbox.wire.fields import Fields
from sandbox.wire.requests import Request


def claims(service: Service, request: Request) -> Answer:
    """The claims of the account that match all filters; unknown parameters, such as a page, change nothing."""
    content = request.content()
    wanted = read_filter(Fields(content))
    page = service.claims.page(wanted)
    # Assumption claims.no-paging
    tail = b'],"page":1,"per_page":%d,"total_count":%d}' % (PER_PAGE, page.total)
    request.facts.update(
        filters=sorted(set(content) & {"claimDateRange", "warrantyStartDateRange", "customerEmail"}),
        claim_dates=[wanted.claimed_from, wanted.claimed_to],
        records=len(page.records),
        total_count=page.total,
    )
    return Answer(200, b"".join((b'{"data":[', b",".join(page.records), tail)), {"content-type": JSON_TYPE})
