"""Many at one desk while calls go wrong; the whole of it, ten minutes, is `python -m benchmarks hundred_sessions`."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks.hundred_sessions import hundred_sessions


@pytest.mark.long
@pytest.mark.timeout(600)
def test_nothing_is_lost_or_done_twice_and_nobody_is_told_of_anothers_customer() -> None:
    # Once Playwright has started, this thread's loop runs until the last test is over.
    with ThreadPoolExecutor(1) as thread:
        kept, told, memory = thread.submit(hundred_sessions, 12, seconds=90, pause=1.0, one_in=10).result()
    assert not kept.detail.startswith("0 orders"), kept.detail
    assert (kept.ratio, told.ratio) == (0, 0), kept.detail
    assert told.detail == "12 were sent their own"
    assert memory.ratio < 1.5, memory.detail
