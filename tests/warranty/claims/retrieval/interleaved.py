"""A retrieval whose calls cross each other as chance has it, and the same way each time."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from random import Random

from tests.warranty.claims.retrieval.fake_service import Bag, FakeService, as_bag
from warranty.claims.retrieval.answers import Answer, read_answer
from warranty.claims.retrieval.spans import CANCELLED, OUTSIDE, Ask, Task
from warranty.claims.retrieval.survey import Survey
from warranty.client.resources import ClaimQuery
from warranty.language import Sentence

_MOST_CALLS = 5_000


@dataclass
class _Call:
    task: Task
    ask: Ask
    answer: Answer | None = None


@dataclass
class Reading:
    is_complete: bool
    reasons: list[Sentence]
    received: Bag
    calls: int


def read_interleaved(
    service: FakeService, query: ClaimQuery, *, now: datetime, concurrency: int, random: Random,
    stops: Collection[int] = (),
) -> Reading:  # fmt: skip
    """Read with `concurrency` calls under way: which of them is answered next, or whose answer arrives, is drawn.

    After as many calls as `stops` names the reading is stopped, and goes on (begins anew where it cannot).
    """
    survey, under_way, calls, left = Survey(query, now=now), list[_Call](), 0, set(stops)
    while survey.ready or under_way or survey.next_round():
        if calls in left:
            left.remove(calls)
            _stop(survey, [call.task for call in under_way])
            under_way.clear()
            if not survey.resumable:
                survey = Survey(query, now=now)
            else:
                survey.resume()
            continue
        if calls:
            survey.use_idle(max(0, concurrency - len(under_way) - len(survey.ready)))
        while survey.ready and len(under_way) < concurrency:
            under_way.append(_Call(*survey.ready.popleft()))
        call = random.choice(under_way)
        if call.answer is None:
            calls += 1
            assert calls < _MOST_CALLS
            call.answer = read_answer(service.claims_body(call.ask.narrowed(query)), number=calls)
            continue
        under_way.remove(call)
        if call.ask.keeps(call.answer):
            survey.answered(call.task, call.answer)
        else:
            survey.unread(call.task, OUTSIDE)
    ledger = survey.ledger
    received = as_bag(ledger.columns.table().as_received().to_dict("records"))  # type: ignore[arg-type]
    return Reading(not ledger.reasons and ledger.received == survey.total, ledger.reasons, received, calls)


def _stop(survey: Survey, tasks: list[Task]) -> None:
    survey.ledger.explain(CANCELLED)
    while tasks or survey.ready:
        tasks += [task for task, _ in survey.ready]
        survey.ready.clear()
        for task in tasks:
            survey.unread(task, CANCELLED)
        tasks.clear()
