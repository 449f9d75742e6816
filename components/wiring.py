"""The composition root: settings -> sandbox where none is configured, client, journal, desk, sign-in; made once.

Everything here is shared by all people and tabs of this process, and nothing here is made on a rerun.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache, partial

from components.serving.jobs import JobRegistry
from components.serving.sandbox_control import SandboxControl
from components.sign_in.sign_in import SignIn
from components.sign_in.sign_outs import JournalledSignOuts
from components.sign_in.throttle import Throttle
from components.sign_in.training import TRAINING_ACCOUNTS, TrainingAccount
from warranty.accounts import Accounts, AccountsFile
from warranty.alerts.watch import start_watching
from warranty.claims.readings import ClaimReadings
from warranty.client import WarrantyClient, client_from
from warranty.client.recent_calls import RecentCalls
from warranty.desk import Desk
from warranty.errors import SettingsProblem
from warranty.history import Nights
from warranty.history.past import Past
from warranty.journal import Journal, open_journal
from warranty.retrieval import ClaimLimits, retrieve_claims
from warranty.settings import Settings, load_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """The parts of a running dashboard."""

    settings: Settings
    client: WarrantyClient
    journal: Journal
    desk: Desk
    jobs: JobRegistry
    claims: ClaimReadings
    past: Past
    sign_in: SignIn
    training: Sequence[TrainingAccount]
    recent_calls: RecentCalls
    sandbox_control: SandboxControl | None
    stop_sandbox: Callable[[], None]
    stop_watching: Callable[[], None]

    def now(self) -> datetime:
        """This moment, by the clock that what is sent is written down with."""
        return self.journal.now()

    def close(self) -> None:
        """Let what is on its way end, then close everything."""
        self.stop_watching()
        self.claims.close()
        self.jobs.close()
        self.client.close()
        self.journal.close()
        logging.getLogger("warranty.calls").removeHandler(self.recent_calls)
        if self.sandbox_control:
            self.sandbox_control.close()
        self.stop_sandbox()


@cache
def runtime() -> Runtime:
    """The one runtime of this process; the server's start makes it, every run of a script finds it.

    Not `st.cache_resource`: the first call comes from the server's start, where there is no script to warn about.

    Raises `SettingsProblem` with sentences when the configuration cannot be used.
    """
    return build(load_settings())


def build(settings: Settings) -> Runtime:
    """Put the parts together; starts the embedded sandbox where no service is configured."""
    check(settings)
    settings, stop_sandbox = _with_service(settings)
    training = TRAINING_ACCOUNTS if settings.environment == "sandbox" else ()
    accounts = _accounts(settings, training)
    client = client_from(settings)
    recent_calls = RecentCalls()
    calls = logging.getLogger("warranty.calls")
    calls.setLevel(logging.INFO)
    calls.addHandler(recent_calls)
    journal = open_journal(settings.journal_url)
    past = Past(Nights.of(settings), closed=settings.closed_statuses)
    return Runtime(
        settings=settings,
        client=client,
        journal=journal,
        desk=Desk(client=client, journal=journal, environment=settings.environment),
        jobs=JobRegistry(),
        claims=_claim_readings(settings, client, past),
        past=past,
        sign_in=SignIn(
            accounts=accounts,
            # Counters of one machine share its cookies whatever the port: the name keeps environments apart.
            cookie_name=f"warranty_desk_{settings.environment}",
            sign_outs=JournalledSignOuts(journal),
            by_name=Throttle(free_tries=5),
            by_address=Throttle(free_tries=50),
        ),
        training=training,
        recent_calls=recent_calls,
        sandbox_control=_sandbox_control(settings),
        stop_sandbox=stop_sandbox,
        stop_watching=start_watching(settings, journal, client),
    )


def check(settings: Settings) -> None:
    """Raise `SettingsProblem` where nobody could sign in: the sandbox only has accounts that everybody may know."""
    if settings.environment != "sandbox" and not AccountsFile(settings.accounts).load().by_username:
        raise SettingsProblem(
            f"There are no accounts for {settings.environment}, so nobody could sign in. "
            "Add the first with `python -m warranty accounts add NAME --role manager`."
        )


def _with_service(settings: Settings) -> tuple[Settings, Callable[[], None]]:
    if settings.environment != "sandbox":
        return settings, lambda: None
    from sandbox import CATALOGUE, CLOSED_STATUSES, SandboxServer  # noqa: PLC0415 - a shop with a real service never loads it

    own = {"catalogue": CATALOGUE, "closed_statuses": CLOSED_STATUSES}
    settings = settings.model_copy(
        update={name: value for name, value in own.items() if name not in settings.model_fields_set}
    )
    if not settings.uses_embedded_sandbox:
        return settings, lambda: None
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    server = SandboxServer(seed="demo", data=settings.data_dir / "sandbox.sqlite")
    server.start()
    return settings.with_sandbox(**server.access()), server.stop


def _sandbox_control(settings: Settings) -> SandboxControl | None:
    if settings.environment != "sandbox" or settings.base_url is None:
        return None
    return SandboxControl(settings.base_url, ca_file=settings.ca_file)


def _claim_readings(settings: Settings, client: WarrantyClient, past: Past) -> ClaimReadings:
    token = settings.public_token.get_secret_value() if settings.public_token else ""
    limits = ClaimLimits(at_once=settings.claims_concurrency, per_second=settings.claims_calls_per_second)
    return ClaimReadings(
        read=partial(retrieve_claims, client, limits=limits),
        scope=f"{settings.environment} {settings.base_url} {token}",
        closed=settings.closed_statuses,
        past=past,
    )


def _accounts(settings: Settings, training: Sequence[TrainingAccount]) -> Callable[[], Accounts]:
    """A reader of the accounts: the file is read again only when it changed, and a removed person is out at once."""
    file = AccountsFile(settings.accounts)
    trainees = {entry.username: entry.account() for entry in training}
    without_file = file.load().cookie_key  # one key per process while no file keeps one

    @lru_cache(maxsize=1)
    def read(_changed: int | None) -> Accounts:
        kept = file.load()
        return Accounts(
            by_username={**trainees, **kept.by_username},
            cookie_key=kept.cookie_key if file.exists() else without_file,
        )

    return lambda: read(settings.accounts.stat().st_mtime_ns if file.exists() else None)
