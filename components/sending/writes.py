"""The three writes as people are told of them: their words, what is asked first, and what a repeat would do.

Interface: States and transitions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from warranty.journal import Attempt, AttemptState


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked once more, the words of the button that sends, and what a second sending would do."""

    question: str
    button: str
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a person can say of something that was sent, and what it does to say so."""

    label: str
    effect: str
    recorded: bool = False
    drops: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ActsTwice:
    """What goes with a write that would act a second time: questions, and a person who finds out what became of it."""

    in_production: Question
    second: Question
    not_recorded: str
    wait: str
    findings: tuple[Finding, Finding]


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """One of the three; without `acts_twice` it may be sent again and again."""

    thing: str
    button: str
    doing: str
    acts_twice: ActsTwice | None = None


DROP: Final = Finding(
    "It is not needed any more",
    "It then stands as dropped under your name, and nothing is left to do. What was typed for it is erased.",
    drops=True,
)
WRITES: Final[Mapping[str, Write]] = {
    "submit_order": Write(thing="order", button="Send order", doing="Sending the order"),
    "record_sale": Write(
        thing="sale",
        button="Record sale",
        doing="Recording the sale",
        acts_twice=ActsTwice(
            in_production=Question("Record this sale?", "Yes, record it"),
            second=Question(
                "Record a second sale on this order?",
                "Record a second sale",
                "If the first sale was recorded, this one sells a second plan. If it is the same sale, go back.",
            ),
            not_recorded="This sale was not recorded. You can record it now.",
            wait="Wait a minute before you say that it was not recorded: the service may still be busy with it.",
            findings=(
                Finding(
                    "It was recorded",
                    "It counts as sold, in the shift report too. You can print the customer's confirmation once the "
                    "service itself shows the sale.",
                    recorded=True,
                ),
                Finding(
                    "It was not recorded",
                    "It does not count as sold, and it can be recorded again. If it was recorded after all, "
                    "recording it again sells the customer a second plan.",
                ),
            ),
        ),
    ),
    "notify_checkout": Write(
        thing="checkout",
        button="Send checkout",
        doing="Telling the service of this checkout",
        acts_twice=ActsTwice(
            in_production=Question("Send this checkout?", "Yes, send it"),
            second=Question(
                "Send a second checkout of this order?",
                "Send a second checkout",
                "If the first one went through, the customer gets a second welcome e-mail, "
                "and may get the plans twice.",
            ),
            not_recorded="This checkout did not go through. You can send it now.",
            wait="Ask the customer whether the welcome e-mail has come, and give it a few minutes.",
            findings=(
                Finding(
                    "The e-mail came: it went through",
                    "It counts as done, and is not sent again.",
                    recorded=True,
                ),
                Finding(
                    "It did not go through",
                    "It can be sent again. If it went through after all, the customer gets the welcome e-mail twice.",
                ),
            ),
        ),
    ),
}
"""By operation, which is the name of the screen, too."""
_FOUND_OUT: Final = frozenset({AttemptState.DONE, AttemptState.NOT_RECORDED})


def findings(attempt: Attempt, *, is_last: bool) -> tuple[Finding, ...]:
    """What can be said of an attempt: of an unknown one, against what was said of one, or that it is not needed."""
    twice, said = WRITES[attempt.operation].acts_twice, attempt.settled
    found: tuple[Finding, ...] = ()
    if twice and (attempt.state is AttemptState.UNKNOWN or (said and attempt.state in _FOUND_OUT)):
        found = tuple(one for one in twice.findings if said is None or one.recorded != said.recorded)
    is_owed = is_last and attempt.nothing_written and not attempt.is_dropped
    return (*found, DROP) if is_owed else found
