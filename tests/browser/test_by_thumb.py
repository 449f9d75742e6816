"""Every job can be done on a phone, with a thumb: nothing that needs a mouse, a Tab key or a second hand."""

import pytest
from playwright.sync_api import Browser

from tests.browser.browser_shop import NOTE_WHAT_IS_SENT, Shop
from tests.browser.ten_jobs import JOBS, Job, Thumb
from tests.builders import TV


@pytest.mark.long
@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.do.__name__)
def test_a_job_is_done_by_thumb_on_a_phone(browser: Browser, shop: Shop, job: Job) -> None:
    phone = {"width": 390, "height": 844}
    with browser.new_context(viewport=phone, has_touch=True, is_mobile=True) as context:  # type: ignore[arg-type]
        context.add_init_script(NOTE_WHAT_IS_SENT)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        thumb = Thumb(context.new_page(), shop.order(TV).order_id)
        thumb.begins(job, shop)
        job.do(thumb)
