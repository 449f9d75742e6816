"""Every job can be done on a phone, with a thumb: nothing that needs a mouse, a Tab key or a second hand."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.browser.browser_shop import running_shop
from tests.browser.ten_jobs import JOBS, Thumb
from tests.builders import TV

PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_the_ten_jobs_are_done_by_thumb_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    done = {}
    with running_shop(tmp_path, seed="demo") as shop:
        for job in JOBS:
            with browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True) as context:
                context.grant_permissions(["clipboard-read", "clipboard-write"])
                thumb = Thumb(context.new_page(), shop.order(TV).order_id)
                thumb.begins(job, shop)
                job.do(thumb)
                done[job.do.__name__] = thumb.clicks
    assert len(done) == 10, done
