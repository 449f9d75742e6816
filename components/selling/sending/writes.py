"""The three writes as people are told of them: their words (`_` says them where they are shown), what is asked first,
and what a repeat would do.

Interface: States and transitions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from warranty.desk.journal import Attempt, AttemptState
from warranty.language import N_


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

    button: str
    doing: str
    acts_twice: ActsTwice | None = None


DROP: Final = Finding(
    N_("No longer needed"),
    N_("It is marked as dropped by you, and nothing is left to do. What was typed for it is erased."),
    drops=True,
)
WRITES: Final[Mapping[str, Write]] = {
    "submit_order": Write(button=N_("Send order"), doing=N_("Sending the order")),
    "record_sale": Write(
        button=N_("Record sale"),
        doing=N_("Recording the sale"),
        acts_twice=ActsTwice(
            in_production=Question(N_("Record this sale?"), N_("Yes, record it")),
            second=Question(
                N_("Record a second sale on this order?"),
                N_("Record a second sale"),
                N_("This adds a second plan to the order. If it is the same sale, go back."),
            ),
            not_recorded=N_("This sale was not recorded. You can record it now."),
            wait=N_(
                "If it was recorded, the customer's page shows the plan as bought. Wait two minutes before you decide."
            ),
            findings=(
                Finding(
                    N_("It was recorded"),
                    N_("It counts as sold. The confirmation can be printed once the service shows the sale."),
                    recorded=True,
                ),
                Finding(
                    N_("It was not recorded"),
                    N_("It can be recorded again. If it was recorded after all, that sells a second plan."),
                ),
            ),
        ),
    ),
    "notify_checkout": Write(
        button=N_("Send checkout"),
        doing=N_("Telling the service of this checkout"),
        acts_twice=ActsTwice(
            in_production=Question(N_("Send this checkout?"), N_("Yes, send it")),
            second=Question(
                N_("Send a second checkout of this order?"),
                N_("Send a second checkout"),
                N_("If the first one went through, the customer gets a second welcome e-mail, maybe the plans twice."),
            ),
            not_recorded=N_("This checkout did not go through. You can send it now."),
            wait=N_("Ask the customer whether the welcome e-mail has come, and give it a few minutes."),
            findings=(
                Finding(
                    N_("The e-mail came: it went through"),
                    N_("It counts as done, and is not sent again."),
                    recorded=True,
                ),
                Finding(
                    N_("It did not go through"),
                    N_("It can be sent again. If it went through after all, the customer gets the e-mail twice."),
                ),
            ),
        ),
    ),
}
"""By operation, which is the name of the screen, too."""
_FOUND_OUT: Final = frozenset({AttemptState.DONE, AttemptState.NOT_RECORDED})


def findings(attempt: Attempt, *, is_last: bool) -> tuple[Finding, ...]:
    """What can be said of an attempt: of an unknown one, against what was said of one, or that it is not needed."""
    twice, settlement = WRITES[attempt.operation].acts_twice, attempt.settled
    found: tuple[Finding, ...] = ()
    if twice and (attempt.state is AttemptState.UNKNOWN or (settlement and attempt.state in _FOUND_OUT)):
        found = tuple(one for one in twice.findings if settlement is None or one.recorded != settlement.recorded)
    is_dropped = attempt.settled is not None and attempt.settled.drops
    is_owed = is_last and attempt.state.nothing_written and not is_dropped
    return (*found, DROP) if is_owed else found
