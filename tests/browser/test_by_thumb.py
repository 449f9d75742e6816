"""Every job can be done on a phone, with a thumb: nothing that needs a mouse, a Tab key or a second hand."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext

from benchmarks.ten_jobs import JOBS, Job, Thumb
from tests.browser.browser_shop import NOTE_WHAT_IS_SENT, Shop
from tests.builders import TV


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[BrowserContext]:
    size = {"width": 390, "height": 844}
    with browser.new_context(viewport=size, has_touch=True, is_mobile=True) as context:  # type: ignore[arg-type]
        context.add_init_script(NOTE_WHAT_IS_SENT)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        yield context


@pytest.mark.long
@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.do.__name__)
def test_a_job_is_done_by_thumb_on_a_phone(phone: BrowserContext, shop: Shop, job: Job) -> None:
    with phone.new_page() as page:
        thumb = Thumb(page, shop.order(TV).order_id)
        thumb.begins(job, shop)
        job.do(thumb)
