"""The looking itself: what is wrong now, written down, then told; from the command line or by the running desk.

An entry is named by its operation and its reference, a product as the service names it; no order, no customer. One
program at a time tells, each way noted when it took a message. It may die between a way's "taken" and our note, and a
lease may end under one that hangs: then a message goes out again, under the same id, by which a receiver knows it
(docs/decisions/alerts.md).
"""

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache, partial
from typing import Final

from pydantic import SecretStr

from warranty.access import Operator, Permission
from warranty.claims.analysis import Period
from warranty.client import WarrantyClient
from warranty.database.background import Background
from warranty.database.leases import Leases
from warranty.desk.journal import Attempt, AttemptFilter, AttemptState, Journal, Queue
from warranty.errors import CredentialRefused, LeaseHeld, LeaseLost, WarrantyError
from warranty.insight.history.nights import Night
from warranty.insight.history.past import past_of
from warranty.insight.outlook.warnings import product_warnings
from warranty.language import N_, _, ngettext, speaking
from warranty.language.written import number
from warranty.settings import Settings, token_calls
from warranty.watch.alerts.alert_log import Alert, AlertLog, Known, Message
from warranty.watch.alerts.ways import MONTHLY, Letter, NotTaken, Way, letter_of, moment, one_line, ways_of

ORDERS_WAIT: Final = timedelta(minutes=30)
_OPERATIONS: Final = {"submit_order": N_("An order"), "record_sale": N_("A sale"), "notify_checkout": N_("A checkout")}
_TOKENS: Final[Mapping[str, str]] = {
    "public": N_(
        "The service no longer accepts this shop's public token (401). Until a new one is copied from the partner "
        "dashboard, no claim can be read."
    ),
    "private": N_(
        "The service no longer accepts this shop's private token (401). Until a new one is copied from the partner "
        "dashboard, it refuses orders, sales and checkouts."
    ),
}


def token(name: str, value: SecretStr, *, refused: bool) -> Known:
    """A token of this machine, by a mark of its own: another machine may have another, and that be accepted."""
    scope = f"token {name} {_mark(value.get_secret_value())}"
    return Known(scope, (Alert("token-refused", scope, _(_TOKENS[name])),) if refused else ())


def refused_entries(attempts: Iterable[Attempt]) -> Known:
    """Operations whose newest entry of a time was refused with 401; `attempts` are those of the time, newest first."""
    newest: dict[str, Attempt] = {}
    for attempt in attempts:
        untried = attempt.state is AttemptState.QUEUED and attempt.failure is None
        if attempt.state is not AttemptState.SENDING and not untried:
            newest.setdefault(attempt.operation, attempt)
    alerts = []
    for operation, attempt in newest.items():
        if attempt.failure is not None and attempt.failure.kind == CredentialRefused.__name__:
            words = _(
                "{what} was refused with 401 on {when} (reference {reference}). Nothing was recorded; Activity "
                "shows what has to be sent again.",
                what=_(_OPERATIONS[operation]),
                when=moment(attempt.started_at),
                reference=attempt.attempt_id,
            )
            alerts.append(Alert("token-refused", f"refused {operation}", words))
    return Known("refused ", tuple(alerts))


def unknown_entries(unknown: Iterable[Attempt], *, now: datetime, after: timedelta) -> Known:
    """Entries that nobody has settled for longer than `after`; `unknown` are those that read so `now`."""
    alerts = []
    for attempt in unknown:
        since = attempt.finished_at or attempt.deadline
        if now - since > after:
            words = _(
                "{what} has had no answer since {when} (reference {reference}): we don't know yet whether the service"
                " has it. Settle it in Activity.",
                what=_(_OPERATIONS[attempt.operation]),
                when=moment(since),
                reference=attempt.attempt_id,
            )
            alerts.append(Alert("entry-unknown", f"unknown {attempt.attempt_id}", words))
    return Known("unknown ", tuple(alerts))


def orders_wait(queue: Queue, *, now: datetime) -> Known:
    """Orders of which the oldest has waited for longer than `ORDERS_WAIT`: one trouble, however many."""
    if queue.oldest is None or now - queue.oldest <= ORDERS_WAIT:
        return Known("orders wait")
    words = ngettext(
        "{n} order has waited for the service since {when}: its customer's link does not work yet. It will be"
        " sent automatically when the service answers; if Connection says that it does, have the desks "
        "restarted.",
        "{n} orders have waited for the service, the oldest since {when}: their customers' links do not work "
        "yet. They will be sent automatically when the service answers; if Connection says that it does, have"
        " the desks restarted.",
        queue.length,
        n=number(queue.length),
        when=moment(queue.oldest),
    )
    return Known("orders wait", (Alert("orders-wait", "orders wait", words),))


def early_warnings(sentences: Mapping[str, str]) -> Known:
    """What is told of products that claim more than their own past explains, by the product's name."""
    told = {f"warning {_mark(product)}": one_line(sentence, longest=600) for product, sentence in sentences.items()}
    return Known("warning ", tuple(Alert("early-warning", key, words) for key, words in told.items()))


def _mark(text: str) -> str:
    """A short name for a text that may be long, and hold what no database takes."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


def nights(missed: tuple[str, str] | None) -> Known:
    """What is wrong with the nights of the history."""
    return Known("nights ", (Alert("claims-incomplete", f"nights {missed[0]}", missed[1]),) if missed else ())


_LASTS: Final = timedelta(minutes=5)
"""Longer than any one sending takes."""
_log = logging.getLogger("warranty.alerts")


@dataclass(slots=True)
class Delivered:
    """How many messages each way took, and why a way took none any more; `elsewhere`: another program is at it."""

    taken: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    elsewhere: bool = False


def deliver(
    journal: Journal, environment: str, ways: Sequence[Way], *, letter: Callable[[Message], Letter | None]
) -> Delivered:
    """Send what is owed to these ways; one that fails is left alone until the next time, the others go on.

    `letter` puts a message into words, and gives None for one that is told elsewhere.
    """
    ended, alert_log = Delivered(), AlertLog(journal.database, environment)
    try:
        with Leases(journal.database).taken(f"alerts {environment}", lasts=_LASTS) as lease:
            for message in alert_log.owed([way.name for way in ways]):
                written = letter(message)
                for way in ways:
                    if written is None or way.name not in message.owed or way.name in ended.failed:
                        continue
                    lease.renew()
                    try:
                        way.send(written)
                    except NotTaken as problem:
                        ended.failed[way.name] = str(problem)
                        _log.warning("%s: %s", way.name, problem)
                        continue
                    alert_log.took(message.message_id, way.name)
                    ended.taken[way.name] = ended.taken.get(way.name, 0) + 1
    except (LeaseHeld, LeaseLost):
        ended.elsewhere = True
    return ended


EVERY: Final = timedelta(minutes=5)
_A_DAY: Final = timedelta(days=1)


def look_and_tell(settings: Settings, journal: Journal, client: WarrantyClient | None) -> tuple[int, Delivered]:
    """Look, write down what is new, send what is owed; gives how many alerts are new, and what became of the sending.

    All is told in the shop's language.
    Without a client nothing is asked of the service. Raises `SettingsProblem` where no way is configured.
    """
    ways = ways_of(settings)

    def written(message: Message) -> Letter | None:
        if message.alerts[0].kind == MONTHLY:
            return None
        return letter_of(message, shop=settings.shop_name, environment=settings.environment)

    with speaking(settings.shop_language):
        known = [*_entries(settings, journal), *_history(settings, journal)]
        known += _tokens(settings, client) if client else ()
        new = AlertLog(journal.database, settings.environment).note(known, ways=settings.alert_ways)
        return new, deliver(journal, settings.environment, ways, letter=written)


class Watching:
    """Looks and tells now and again in a thread, where a way is configured, until it is stopped."""

    def __init__(
        self, settings: Settings, journal: Journal, client: WarrantyClient, *, every: timedelta = EVERY
    ) -> None:
        self._log = AlertLog(journal.database, settings.environment)
        look = partial(look_and_tell, settings, journal, client)
        fault = "alerts were not looked after"
        self._looking = Background("alerts", look, every=every, log=_log, fault=fault, at_once=True)
        if settings.alert_ways:
            self._looking.start()

    def last_alert(self, operator: Operator) -> datetime | None:
        """When the desk last told of trouble without a browser; None: it never did. Raises `PermissionDenied`."""
        operator.require(Permission.CHECK_CONNECTION)
        return self._log.last_sent()

    def stop(self) -> None:
        """End it."""
        self._looking.stop(timeout=10)  # what is being sent then is sent again, under the same id


def _entries(settings: Settings, journal: Journal) -> Iterator[Known]:
    now, environment = journal.database.clock(), settings.environment
    unknown = AttemptFilter(states=frozenset({AttemptState.UNKNOWN}), limit=None)
    after = timedelta(minutes=settings.alert_unknown_minutes)
    yield unknown_entries(journal.attempts(environment, unknown), now=now, after=after)
    yield orders_wait(journal.queue(environment), now=now)
    yield refused_entries(journal.attempts(environment, AttemptFilter(start=now - _A_DAY, limit=1000)))


def _history(settings: Settings, journal: Journal) -> Iterator[Known]:
    """What the nights say; without a whole one in the last month no product is judged."""
    past = past_of(settings, journal.database)
    yield nights(past.missed())
    whole = past.found().complete
    if whole and past.now().date() - whole[-1].day <= 31 * _A_DAY:
        yield _warnings_of(whole[-1])


@lru_cache(maxsize=1)
def _warnings_of(night: Night) -> Known:
    claims = night.frame(columns=["claim_date", "product_name"])
    if claims.empty:
        return early_warnings({})
    days = Period(claims["claim_date"].min().date(), night.as_of.date())
    return early_warnings({each.product: each.sentence for each in product_warnings(claims, days=days)})


def _tokens(settings: Settings, client: WarrantyClient) -> Iterator[Known]:
    """Both tokens, each asked of the service; nothing is known of one where the service does not answer."""
    for name, value, ask in token_calls(settings, client):
        refused = False
        try:
            ask()
        except CredentialRefused:
            refused = True
        except WarrantyError:
            continue
        yield token(name, value, refused=refused)
