"""The service by month: what was reached, refused in which words, unknown, and how long it took."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from datetime import timedelta
from pathlib import Path

import httpx
import pypdfium2
import pytest

from tests.builders import LAMP, order_of, sale_of
from tests.warranty.conftest import Clock
from tests.warranty.observed.test_drift import answering
from tests.warranty.observed.test_drift import said as answer
from warranty.errors import Failure, WarrantyError
from warranty.journal import Journal
from warranty.journal.shared.observations import Tries
from warranty.observed.observer import ServiceSeen
from warranty.observed.record import Month, months
from warranty.observed.sentences import scrubbed
from warranty.observed.told import month_cells, p95_words, record_pdf, sentences
from warranty.settings import Settings, load_settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"environment": "sandbox", "data_dir": str(tmp_path), "shop_name": "Harbour Outlet"})


@pytest.fixture
def seen(journal: Journal, clock: Clock, settings: Settings) -> Iterator[ServiceSeen]:
    with closing(ServiceSeen(journal.observations("sandbox"), settings, now=clock)) as looking:
        yield looking


STORED = {"success": True, "url": "https://a.example/x"}


def test_a_month_is_counted_by_how_its_tries_ended(seen: ServiceSeen) -> None:
    answers = (
        answer(STORED),
        answer({"message": {"validation_errors": ["State is required for order 1001."]}}, 400),
        httpx.Response(500),
        httpx.Response(503),
        answer(STORED),
        httpx.ReadTimeout,
        httpx.ConnectError,
        answer({"error": "Token not recognized."}, 401),
    )
    with answering(seen, *answers) as client:
        for ends in (nullcontext(), pytest.raises(WarrantyError)) * 2:
            with ends:
                client.submit_order(order_of(LAMP))
    (month,) = seen.months()
    assert month_cells(month) == ("Nov 2026", "8", "50.0 %", "2", "2", "1", "1")
    assert month.sentences == {"State is required for order …": 1, "Token not recognized.": 1}
    assert sentences([month])[0][1:] == ("1", "Nov 2026")


def test_a_sentence_says_the_reason_and_nothing_that_was_sent() -> None:
    def of(sentence: str) -> str:
        failure = Failure("RequestRefused", "record_sale", "a" * 32, 400, True, (sentence,))
        return scrubbed(failure, sale_of("harbour-order", ("LAMP", 24, "12.00")))

    assert (
        of("Product LAMP has no unsold offer on order harbour-order.")
        == "Product … has no unsold offer on order …"
    )
    assert of("Mail ada@example.com or +1 617 555 0123") == "Mail [e-mail] or [phone]"
    assert of("Term 24 is not offered, plans: 12 months") == "Term … is not offered, plans: … months"
    assert len(of("word " * 400)) <= 161


def test_nobody_of_an_order_is_named_in_a_sentence() -> None:
    said = "Ada Brook of 12 Mill Lane, Boston (ada.brook@example.com, 617-555-0123) is refused"
    failure = Failure("RequestRefused", "submit_order", "a" * 32, 400, True, (said,))
    kept = scrubbed(failure, order_of(LAMP))
    assert "is refused" in kept
    assert not any(word in kept for word in ("Ada", "Brook", "Mill", "Boston", "@", "555"))


OTHER_WORDS = [f"no {a}{b} today" for a in "abcdefgh" for b in "abcdefgh"]


def refused(seen: ServiceSeen, said: Sequence[str]) -> None:
    """Sales that the service refuses, each with its sentence."""
    with answering(seen, *[answer({"error": words}, 400) for words in said]) as client:
        for _ in said:
            with pytest.raises(WarrantyError):
                client.record_sale(sale_of("order"))


def test_many_sentences_are_kept_as_others(seen: ServiceSeen) -> None:
    refused(seen, OTHER_WORDS[:60])
    (month,) = seen.months()
    assert len(month.sentences) <= 41
    assert month.sentences["(others)"] == 20
    assert sum(month.sentences.values()) == 60


def test_a_new_month_has_room_for_words_of_its_own(seen: ServiceSeen, clock: Clock) -> None:
    refused(seen, OTHER_WORDS)
    clock.advance(timedelta(days=10))
    refused(seen, ["something new"] * 2)
    november, december = seen.months()
    assert november.sentences["(others)"] == 24
    assert december.sentences == {"something new": 2}


def test_95_of_100_took_at_most_the_bound_that_is_said(journal: Journal, clock: Clock) -> None:
    kept = journal.observations("sandbox")
    done = [Tries("2026-11-01", "claims", "done", "", bound) for bound in (200, 500, 3_000)]
    kept.add(
        [], {done[0]: 90, done[1]: 5, done[2]: 5, Tries("2026-11-02", "claims", "NotSent", "", 10_000): 50}
    )
    (month,) = months(kept, clock())
    assert p95_words(month, "claims") == "0.5 s"
    assert p95_words(month, "record_sale") == "–"
    kept.add([], {done[2]: 1})
    assert p95_words(months(kept, clock())[0], "claims") == "3 s"


def test_the_record_goes_back_a_year_and_not_before_the_first_call(journal: Journal, clock: Clock) -> None:
    kept = journal.observations("sandbox")
    assert [month.name for month in months(kept, clock())] == ["2026-11"]
    kept.add(
        [],
        {
            Tries("2026-08-31", "claims", "done", "", 200): 1,
            Tries("2025-11-30", "claims", "done", "", 200): 1,
        },
    )
    assert [month.name for month in months(kept, clock())] == ["2026-08", "2026-09", "2026-10", "2026-11"]
    assert months(kept, clock())[1].reached == "no calls"


@pytest.mark.parametrize(
    ("wide", "count"), [("W" * 145, 1), ("W" * 145, 30), ("W" * 30 + " ", 8), ("WWWWWWWW ", 30)]
)
def test_a_year_of_the_widest_sentences_fits_on_one_page_which_says_how_many_it_leaves_out(
    clock: Clock, settings: Settings, wide: str, count: int
) -> None:
    kinds = [f"{chr(ord('a') + number // 26)}{chr(ord('a') + number % 26)}" for number in range(count)]
    said = Counter({f"{kind} {(wide * 20)[:145]}": 100 - number for number, kind in enumerate(kinds)})
    outcomes = Counter({"done": 12_345, "RequestRefused": said.total()})
    found = [Month(f"2026-{number:02}", outcomes, said, {"claims": 120_000}) for number in range(1, 13)]
    with closing(pypdfium2.PdfDocument(record_pdf(found, settings, made=clock()))) as page:
        assert len(page) == 1
        text = page[0].get_textpage().get_text_bounded()
    assert "Harbour Outlet" in text
    assert "Jan 2026" in text
    shown = len([kind for kind in kinds if re.search(rf"^{kind}\b", text, flags=re.MULTILINE)])
    left_out = re.search(r"And (\d+) other sentences", text)
    assert shown + int(left_out[1] if left_out else 0) == count
    assert shown >= min(count, 3)
