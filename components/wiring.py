"""The composition root: settings -> sandbox where none is configured, client, journal, desk, sign-in; made once.

Everything here is shared by all people and tabs of this process, and nothing here is made on a rerun.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import bcrypt
from pydantic import SecretStr

from components.people.sign_in.guarded_login import ByProvider
from components.people.sign_in.limits import A_LOOK, SHIFT, Limits
from components.people.sign_in.sign_in import SignIn
from components.people.sign_in.training import TRAINING_ACCOUNTS, TrainingAccount
from components.platform.cookies.tickets import Tickets
from components.platform.serving.crowds import Guests
from components.platform.serving.jobs import JobRegistry
from components.platform.serving.life import Health, Life
from components.platform.serving.sandbox_control import SandboxControl
from components.platform.session import connected_tabs
from warranty import COMMAND
from warranty.claims.readings.limits import claim_limits
from warranty.claims.readings.readings import ClaimReadings
from warranty.claims.retrieval import ClaimLimits, refreshed_claims
from warranty.client import WarrantyClient
from warranty.client.observer import RecentCalls
from warranty.commands.housekeeping.opening import open_journal
from warranty.commands.housekeeping.privacy import Privacy
from warranty.commands.housekeeping.retention import forget, start_forgetting
from warranty.database.database import Database
from warranty.database.limits import SharedTokens
from warranty.database.schema import writable_schema
from warranty.desk import Desk
from warranty.desk.journal import Journal
from warranty.desk.outbox.outbox import Outbox
from warranty.desk.plans_recorded import plans_recorded
from warranty.desk.taking_away import AuditBook
from warranty.errors import JournalUnavailable, SettingsProblem
from warranty.files.shop_files import ShopFiles
from warranty.insight.insight import Insight
from warranty.people.accounts import Accounts, Administration, KnownAccounts, accounts_of_file
from warranty.people.accounts.cookie_tickets import CookieTickets
from warranty.people.accounts.people import People
from warranty.people.accounts.provided import ProvidedAccounts
from warranty.people.accounts.second_factor import SecondFactors
from warranty.people.accounts.sign_in_tries import SignInTries
from warranty.people.audit import AuditTrail, By
from warranty.people.audit.trail import Watched
from warranty.people.tills import TillDesk
from warranty.people.tills.customer_screens import CustomerScreens
from warranty.people.tills.tills import Tills
from warranty.settings import Settings, client_from, journal_as_set, load_settings
from warranty.watch.observed.observations import Observations
from warranty.watch.observed.observer import ServiceSeen

if TYPE_CHECKING:
    from warranty.insight.history.past import Past
    from warranty.watch.alerts.watch import Watching

_FILE: Final = "sqlite:///"
_OWNERS_ALONE: Final = 0o700
_log: Final = logging.getLogger("warranty")
_SHORTEST_KEY: Final = 32
_FEWEST_LETTERS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """Who works here: how they sign in, at a till or away from any."""

    accounts: Administration
    sign_in: SignIn
    second_step: SecondFactors
    tills: TillDesk
    guests: Guests
    training: Sequence[TrainingAccount]


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The warranty service as this process reaches it, what it answered, and the switches of the sandbox."""

    client: WarrantyClient
    seen: ServiceSeen
    recent_calls: RecentCalls
    sandbox: SandboxControl | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """What this process does by itself, what monitors ask of it, and how it ends."""

    life: Life
    health: Health
    outbox: Outbox
    watching: "Watching | None"
    forget: Callable[[], object]
    _finishing: ExitStack
    _closing: ExitStack

    def finish(self) -> None:
        """Let what is on its way end, and begin nothing new; screens are still drawn."""
        self.life.draining.set()
        self._finishing.close()

    def close(self) -> None:
        """Finish, then close everything."""
        self.finish()
        self._closing.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """The parts of a running dashboard."""

    settings: Settings
    process: Process
    service: Service
    desk: Desk
    jobs: JobRegistry
    claims: ClaimReadings
    insight: Insight
    shop_files: ShopFiles
    staff: Staff
    audit_book: AuditBook
    privacy: Privacy
    customer_screens: CustomerScreens


@cache
def runtime() -> Runtime:
    """The one runtime of this process; the server's start makes it, every run of a script finds it.

    Not `st.cache_resource`: the first call comes from the server's start, where there is no script to warn about.

    Raises `SettingsProblem` with sentences when the configuration cannot be used.
    """
    return build(usable_settings())


def usable_settings() -> Settings:
    """The settings. Raises `SettingsProblem` with their faults, and with those of the accounts in the same round."""
    try:
        return load_settings()
    except SettingsProblem as problem:
        faults = [str(problem), *_faults_of_accounts()]
    raise SettingsProblem(" ".join(faults))


def _faults_of_accounts() -> list[str]:
    """Those that can be found although other settings are wrong; none where the journal is not to be reached yet."""
    environment, url = journal_as_set()
    if environment == "sandbox" or (url.startswith(_FILE) and not Path(url.removeprefix(_FILE)).is_file()):
        return []
    try:
        with closing(open_journal(url)) as journal:
            return list(account_faults(People(journal.database).accounts(), TRAINING_ACCOUNTS))
    except SettingsProblem as problem:  # the URL of the journal is one of the faults
        return [str(problem)]
    except JournalUnavailable:
        return []


def account_faults(accounts: Accounts, training: Sequence[TrainingAccount]) -> Iterator[str]:
    """What nobody may sign in with where something is real: passwords that everybody knows, a key that can be guessed.

    A sentence for each, with what to do about it.
    """
    for trainee in training:
        known = accounts.by_username.get(trainee.username)
        if known and bcrypt.checkpw(trainee.password.encode(), known.password_hash.encode()):
            yield (
                f"The account {trainee.username} has the password of the training account, which everybody knows: give "
                f"it another with `{COMMAND} accounts add {trainee.username} --role {known.role.value}`."
            )
    key = accounts.cookie_key
    if len(key) < _SHORTEST_KEY or len(set(key)) < _FEWEST_LETTERS:
        yield (
            "The key that sign-ins are signed with was taken over from an accounts file and can be guessed: make "
            f"another with `{COMMAND} accounts new-key`, which signs everybody out."
        )


def build(settings: Settings) -> Runtime:
    """Put the parts together; starts the embedded sandbox where no service is configured."""
    journal = open_journal(settings.journal_url)
    database, environment, clock = journal.database, settings.environment, journal.database.clock
    audit = AuditTrail(database, environment, settings.audit_secret)
    keep_to_owner(settings.data_dir)
    audit.settings(
        {name: str(value.get_secret_value() if isinstance(value, SecretStr) else value) for name, value in settings}
    )
    training = TRAINING_ACCOUNTS if settings.is_for_training else ()
    people = KnownAccounts(database, [trainee.account() for trainee in training], audit=audit)
    check(settings, people)
    trains = settings.uses_embedded_sandbox
    closing, finishing = ExitStack(), ExitStack()  # each ends what was begun last first
    settings = _with_service(settings, closing)
    service = _service(settings, database, closing)
    client, life = service.client, Life(pause=settings.drain_seconds)
    limits = claim_limits(settings, database, client)
    past = cache(partial(_past, settings, database))
    claims = _claim_readings(settings, client, limits, past)
    desk = Desk(
        client=client, journal=journal, environment=environment, landing_page=settings.landing_page, audit=audit
    )
    jobs = JobRegistry(closing=life.draining)
    outbox = Outbox(journal, desk.sender, environment, budget=client.retry_budget, over=life.draining)
    outbox.start()
    watched, tills = Watched(audit, settings.data_dir), Tills(database, environment)

    def forgets() -> None:
        keep = {"keep": settings.retention, "keep_drafts": settings.draft_retention}
        forget(database, audit, **keep, by=By.program())
        watched.look()

    watching = _watching(settings, journal, client)
    if settings.metrics_port is not None:
        from warranty.watch.metrics import start_metrics  # noqa: PLC0415 - loaded where a port is set alone

        closing.callback(
            start_metrics(
                settings,
                journal,
                past=past(),
                newest_reading=claims.newest_as_of,
                here={"warranty_sessions": connected_tabs, "warranty_draining": life.draining.is_set},
                shared={"warranty_pace_left": limits.left, "warranty_retry_budget_left": client.retry_budget.left},
            )
        )
    if trains and service.sandbox:
        from warranty.insight.history.keeping import start_evenings  # noqa: PLC0415 - a real shop never loads it

        finishing.callback(start_evenings(settings, service.sandbox.evening).stop, timeout=5)
    for end in (start_forgetting(forgets), watching.stop if watching else None, claims.close, outbox.close, jobs.close):
        if end is not None:
            finishing.callback(end)
    return Runtime(
        settings=settings,
        process=Process(
            life=life,
            health=Health(environment=environment, schema=partial(writable_schema, database), life=life),
            outbox=outbox,
            watching=watching,
            forget=forgets,
            _finishing=finishing,
            _closing=closing,
        ),
        service=service,
        desk=desk,
        jobs=jobs,
        claims=claims,
        insight=Insight(database, environment, audit, partial(plans_recorded, journal, environment), past),
        shop_files=ShopFiles(database, settings, audit),
        staff=_staff(settings, database, people, TillDesk(tills, people.fresh, audit, clock=clock), training),
        audit_book=AuditBook(watched, tills),
        privacy=Privacy(database, audit),
        customer_screens=CustomerScreens(database, environment, accounts=people),
    )


def _service(settings: Settings, database: Database, closing: ExitStack) -> Service:
    environment, calls = settings.environment, logging.getLogger("warranty.calls")
    sandbox = None
    if environment == "sandbox" and settings.base_url is not None:
        sandbox = SandboxControl(settings.base_url, ca_file=settings.ca_file)
        closing.callback(sandbox.close)
        closing.callback(sandbox.following().stop, timeout=5)
    recent = RecentCalls()
    calls.setLevel(logging.INFO)
    calls.addHandler(recent)
    closing.callback(calls.removeHandler, recent)
    closing.callback(database.close)
    seen = ServiceSeen(Observations(database, environment), settings, now=database.clock)
    closing.callback(seen.close)
    client = client_from(settings, SharedTokens(database, environment), observer=seen)
    closing.callback(client.close)
    return Service(client=client, seen=seen, recent_calls=recent, sandbox=sandbox)


def _watching(settings: Settings, journal: Journal, client: WarrantyClient) -> "Watching | None":
    if not settings.alert_ways:
        return None
    from warranty.watch.alerts.watch import Watching  # noqa: PLC0415 - loaded where somebody is told alone

    return Watching(settings, journal, client)


def _past(settings: Settings, database: Database) -> "Past":
    from warranty.insight.history.past import past_of  # noqa: PLC0415 - loaded where nights are asked for alone

    return past_of(settings, database)


def _staff(
    settings: Settings, database: Database, people: KnownAccounts, tills: TillDesk, training: Sequence[TrainingAccount]
) -> Staff:
    second_step = SecondFactors(database, people, settings.second_factor_roles)
    sign_in = SignIn(
        people=people,
        cookie_name=f"warranty_desk_{settings.environment}",
        tickets=Tickets(CookieTickets(database)),
        tries=SignInTries(database),
        tills=tills,
        limits=Limits(
            timedelta(hours=settings.sign_in_hours),
            timedelta(minutes=settings.sign_in_idle_minutes),
            timedelta(seconds=settings.till_lock_seconds) + A_LOOK if settings.till_lock_seconds else SHIFT,
        ),
        owes=second_step.is_owed,
        provider=_provider(settings, database, people),
    )
    return Staff(
        accounts=Administration(database, people),
        sign_in=sign_in,
        second_step=second_step,
        tills=tills,
        guests=Guests(),
        training=training,
    )


def _provider(settings: Settings, database: Database, people: KnownAccounts) -> ByProvider | None:
    if settings.sso == "off":
        return None
    provided = ProvidedAccounts(
        database, people, roles=settings.sso_roles, stores=settings.sso_stores, groups_claim=settings.sso_groups_claim
    )
    return ByProvider(accounts=provided, name=settings.sso_name or "", is_only=settings.sso == "only")


def check(settings: Settings, people: KnownAccounts) -> None:
    """Raise `SettingsProblem` where nobody could sign in, not those who could in an earlier version, or anybody."""
    if people().by_username:
        faults = [] if settings.environment == "sandbox" else [*account_faults(people(), TRAINING_ACCOUNTS)]
        if faults:
            raise SettingsProblem(" ".join(faults))
        return
    if accounts_of_file(settings.accounts).by_username:
        raise SettingsProblem(
            f"Accounts are kept in the journal's database now, and those of {settings.accounts} are not there yet. "
            f"Take them over with `{COMMAND} accounts import`."
        )
    if settings.sso != "off":  # the provider's people have theirs made as they come
        return
    raise SettingsProblem(
        f"There are no accounts for {settings.environment}, so nobody could sign in. "
        f"Add the first with `{COMMAND} accounts add NAME --role administrator`."
    )


def _with_service(settings: Settings, closing: ExitStack) -> Settings:
    if settings.environment != "sandbox":
        return settings
    from sandbox import CATALOGUE, SandboxServer  # noqa: PLC0415 - a shop with a real service never loads it

    if "catalogue" not in settings.model_fields_set:
        settings = settings.model_copy(update={"catalogue": CATALOGUE})
    if not settings.uses_embedded_sandbox:
        return settings
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    server = SandboxServer(seed="demo", data=settings.data_dir / "sandbox.sqlite")
    server.start()
    closing.callback(server.stop)
    return settings.with_sandbox(**server.access())


def _claim_readings(
    settings: Settings, client: WarrantyClient, limits: ClaimLimits, past: "Callable[[], Past]"
) -> ClaimReadings:
    token = settings.public_token.get_secret_value() if settings.public_token else ""
    return ClaimReadings(
        read=partial(refreshed_claims, client, limits=limits, closed=settings.closed_statuses),
        scope=f"{settings.environment} {settings.base_url} {token}",
        closed=settings.closed_statuses,
        past=lambda moment, query: past().before(moment, query),
    )


def keep_to_owner(folder: Path) -> None:
    """Make the folder, and let nobody else in: drafts, nights and the sandbox's store lie in it.

    One that belongs to another user (a volume that was mounted) stays as it is; then that is said in the log.
    """
    folder.mkdir(mode=_OWNERS_ALONE, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o777 == _OWNERS_ALONE:
        return
    try:
        folder.chmod(_OWNERS_ALONE)
    except OSError:
        _log.warning("the data folder can be read by others, and is not ours to close: chmod 700 it")
