"""`python -m warranty check`: can this desk talk to the service as it is set up, and what must the firewall allow?"""

import argparse
import smtplib
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.request import getproxies, proxy_bypass

import httpx
import psycopg
from psycopg.conninfo import conninfo_to_dict
from pydantic import SecretStr
from sqlalchemy import select

from warranty import COMMAND
from warranty.client import WarrantyClient
from warranty.client.credentials import token_hint
from warranty.client.tls import Handshake, TlsProblem, handshake, trust
from warranty.commands.telling import SubParsers
from warranty.database.database import Database, now
from warranty.desk.guidance import guidance
from warranty.errors import DeskError, SettingsProblem, WarrantyError
from warranty.settings import Settings, client_from, load_settings, secrets_file, token_calls, unknown_names
from warranty.settings.single_sign_on import provider_address
from warranty.watch.alerts.ways import mail_server

UNCHECKED: Final = (
    "submitting an order, recording a sale, notifying a checkout: they write or mail; "
    f"`{COMMAND} conformance --allow-writes` tries them",
    "the landing pages: only a customer's browser opens them",
    "whether the two tokens belong to the same account, and what the service limits",
)

_NEEDED: Final = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
_SECONDS: Final = 10
_SOON: Final = timedelta(days=14)
_SKEW: Final = timedelta(seconds=10)
"""So far apart clocks are right: deadlines, codes of second factors and what the screens show go by this one."""
_UNTRUSTED: Final = "Name the authority of a network that opens TLS in the CA file, or have it leave this host alone."
_REFUSED: Final = "Have it allow CONNECT to the service's host, and check the name and password in its address."
_PORTS: Final = {"http": 80, "https": 443}
_HEAD: Final = ("What", "Result", "Time", "Note")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `fine` is None where nothing could be found out."""

    what: str
    fine: bool | None
    note: str
    elapsed: timedelta | None = None

    def cells(self) -> tuple[str, str, str, str]:
        """Give the line's cells as text."""
        result = {True: "ok", False: "FAILED", None: "not checked"}[self.fine]
        took = "" if self.elapsed is None else f"{self.elapsed.total_seconds() * 1000:.0f} ms"
        return self.what, result, took, self.note


def table(rows: Sequence[Row]) -> str:
    """Lay rows out in columns as wide as they need; the last column runs on."""
    cells = [row.cells() for row in rows]
    widths = [max(map(len, column)) for column in zip(_HEAD, *cells, strict=True)]
    lines = (map(str.ljust, row, widths) for row in (_HEAD, ["-" * width for width in widths], *cells))
    return "\n".join("  ".join(line).rstrip() for line in lines)


def add_parser(subparsers: SubParsers) -> None:
    """Add the command."""
    means = "verify the settings, TLS and both tokens against the configured environment"
    parser = subparsers.add_parser("check", help=means)
    network = "what the firewall must allow, each tried, without a token: names, connections, proxy, TLS, clock"
    parser.add_argument("--network", action="store_true", help=network)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    try:
        settings = load_settings()
    except SettingsProblem as problem:
        print(table([Row("settings", False, str(problem))]))
        return 2
    if arguments.network:
        print("The firewall must allow, from this machine:")
        for what, host, port in targets(settings):
            print(f"  * TCP to {host} port {port} ({what})")
        print()
        rows = list(network_rows(settings))
    else:
        rows = list(rows_of(settings, unknown=unknown_names(secrets_file())))
        if settings.sso != "off":
            rows.append(provider_row(settings, provider_address()))
    print(table(rows))
    if not arguments.network:
        print("\nLeft unchecked:", *UNCHECKED, sep="\n  * ")
    return 1 if any(row.fine is False for row in rows) else 0


def rows_of(settings: Settings, *, unknown: tuple[str, ...] = ()) -> Iterator[Row]:
    """Check one thing after the other: settings, TLS, the private token, the public token, the assumed reads."""
    yield Row("settings", True, f"environment {settings.environment}")
    for name in unknown:
        yield Row("settings", False, f"{name} means nothing: check its spelling")
    for consequence in settings.consequences:
        yield Row("settings", True, consequence)
    if settings.journal_url.startswith("postgres"):
        yield from journal_rows(settings)
    if settings.uses_embedded_sandbox:
        yield Row("service", None, "the embedded sandbox runs inside the desk only; nothing to call from here")
        return
    yield from (secured := list(spoken("service", settings)))
    if secured[0].fine is False:
        yield Row("tokens", None, "there is no trusted connection to send them over")
        return
    with client_from(settings) as client:
        for name, token, call in token_calls(settings, client):
            header = f", in the header {settings.public_token_header}" if name == "public" else ""
            yield _tried(f"{name} token", call, f"{token_hint(token)}{header}")
        yield from _assumed(client)


def _assumed(client: WarrantyClient) -> Iterator[Row]:
    reads = {"purchase_warranties": "the plans of an order", "offers": "the offers for a product"}
    for name, what in reads.items():
        unset = f"WARRANTY_{name.upper()}_PATH is not set, so it is not used"
        is_set = "its path is set; called only with a real order or product"
        yield Row(what, None, is_set if client.has(name) else unset)


def provider_row(settings: Settings, address: str) -> Row:
    """Ask the address that [auth] names, as the desk does at each sign-in."""
    metadata: dict[str, object] = {}

    def ask() -> None:
        try:
            metadata.update(httpx.get(address, timeout=_SECONDS).raise_for_status().json())
        except (httpx.HTTPError, ValueError, TypeError):
            raise DeskError from None

    cure = "the server_metadata_url of [auth] gives no description of a provider: check it, and the firewall"
    asked = _tried("single sign-on", ask, "", cure)
    if not asked.fine:
        return asked
    if missing := [name for name in _NEEDED if not metadata.get(name)]:
        return replace(asked, fine=False, note=f"the description of the provider has no {', '.join(missing)}")
    note = f"{metadata['issuer']}: {', '.join(f'{group} is {role}' for group, role in settings.sso_roles)}"
    if not metadata.get("end_session_endpoint"):
        note += "; without an end_session_endpoint: who signs out here stays signed in there"
    return replace(asked, note=note)


def targets(settings: Settings) -> Iterator[tuple[str, str, int]]:
    """Give what this machine connects to: what it is, its host and port."""
    if settings.outbound_proxy is not None:
        yield "proxy", *_place(settings.outbound_proxy.get_secret_value())
    elif settings.base_url is not None:
        yield "service", *_place(settings.base_url)
    if settings.alert_mail_to:
        yield "mail", settings.smtp_host or "", settings.smtp_port
    if settings.alert_webhook is not None:
        yield "webhook", *_place(settings.alert_webhook.get_secret_value())
    if settings.sso != "off":
        address = provider_address()
        proxy = _providers_proxy(address)
        yield ("provider's proxy" if proxy else "provider", *_place(proxy.get_secret_value() if proxy else address))
    if settings.journal_url.startswith("postgres"):
        for host, port in servers_of(settings.journal_url):
            yield "journal", host, port


def network_rows(settings: Settings) -> Iterator[Row]:
    """Try one thing after the other; what needs one that failed is left out."""
    for what, host, port in targets(settings):
        reached = list(_reached(what, host, port, settings.connect_timeout))
        yield from reached
        if all(row.fine for row in reached):
            yield from spoken(what, settings)
    yield from journal_rows(settings)


def tls_row(what: str, met: Handshake) -> Row:
    """The row of a handshake that succeeded."""
    left = met.expires - datetime.now(UTC)
    warning = f": only {left.days} days left, tell its operator" if left < _SOON else ""
    note = f"{met.version}, issued by {met.issuer}, until {met.expires:%Y-%m-%d}{warning}"
    return Row(what, True, note, met.elapsed)


def spoken(what: str, settings: Settings) -> Iterator[Row]:
    """What is said over a connection that stands."""
    webhook = settings.alert_webhook.get_secret_value() if settings.alert_webhook else ""
    if what in {"proxy", "service"} and settings.base_url is not None:
        yield from _secured("service", settings.base_url, settings, settings.ca_file, settings.outbound_proxy)
    elif what == "webhook" and webhook.startswith("https:"):
        yield from _secured(what, webhook, settings, settings.alert_ca_file, None)
    elif what in {"provider", "provider's proxy"} and provider_address().startswith("https:"):
        address = provider_address()
        yield from _secured("provider", address, settings, None, _providers_proxy(address))
    elif what == "mail":
        yield _mail(settings)


def servers_of(journal_url: str) -> Iterator[tuple[str, int]]:
    """Give the servers of a PostgreSQL address that are asked by TCP."""
    try:
        read = conninfo_to_dict(f"postgresql:{journal_url.partition(':')[2]}")
    except psycopg.ProgrammingError:  # its text quotes the address; the row of the database says the rest
        return
    hosts, ports = str(read.get("host") or "").split(","), str(read.get("port") or "5432").split(",")
    for place, host in enumerate(hosts):
        if host and not host.startswith("/"):
            yield host, int(ports[place % len(ports)] or 5432)


def _place(address: str) -> tuple[str, int]:
    url = httpx.URL(address)
    return url.host, url.port or _PORTS[url.scheme]


def _providers_proxy(address: str) -> SecretStr | None:
    """The proxy of the environment that a sign-in asks the provider by: what speaks OpenID goes by it, calls do not."""
    url = httpx.URL(address)
    named = getproxies().get(url.scheme)
    if not named or proxy_bypass(url.host):
        return None
    return SecretStr(named if "://" in named else f"http://{named}")


def _reached(what: str, host: str, port: int, timeout: timedelta) -> Iterator[Row]:
    name = _tried(
        f"{what}: name",
        lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM),
        host,
        f"{host} has no address here. Have the name resolved by this machine's DNS.",
    )
    yield name
    if name.fine:
        yield _tried(
            f"{what}: TCP",
            lambda: socket.create_connection((host, port), timeout.total_seconds()).close(),
            f"{host} port {port}",
            f"{host} port {port} cannot be reached. Have the firewall allow TCP to it from this machine.",
        )


def _secured(what: str, address: str, settings: Settings, ca: str | None, proxy: SecretStr | None) -> Iterator[Row]:
    """The proxy's CONNECT, the certificate, and how far the two clocks are apart."""
    try:
        met = handshake(address, trust(ca), timeout=settings.connect_timeout, proxy=proxy)
    except TlsProblem as problem:
        row, cure = f"{what}: TLS", _UNTRUSTED if "certificate" in str(problem) else ""
        if problem.at_proxy:
            row, cure = "proxy: CONNECT", _REFUSED
        yield Row(row, False, f"{problem}. {cure}".rstrip())
        return
    except DeskError as problem:
        yield Row(f"{what}: TLS", False, str(problem))
        return
    if proxy is not None:
        yield Row("proxy: CONNECT", True, f"to {httpx.URL(address).host}")
    yield tls_row(f"{what}: TLS", met)
    yield _clock(what, met.ahead)


def _clock(what: str, ahead: timedelta | None) -> Row:
    if ahead is None:
        return Row(f"{what}: clock", None, "it does not tell its time")
    seconds = round(ahead.total_seconds())
    if abs(ahead) <= _SKEW:
        return Row(f"{what}: clock", True, f"{abs(seconds)} s apart")
    side = "ahead of" if seconds > 0 else "behind"
    note = f"this machine is {abs(seconds)} s {side} it. Have the clocks of both set by NTP."
    return Row(f"{what}: clock", False, note)


def _mail(settings: Settings) -> Row:
    def greet() -> None:
        context = trust(settings.alert_ca_file)
        mail_server(settings, context, seconds=settings.connect_timeout.total_seconds()).close()

    cure = "the server offers no TLS that is trusted here. Check WARRANTY_SMTP_PORT and WARRANTY_ALERT_CA_FILE."
    return _tried("mail: TLS", greet, "", cure)


def journal_rows(settings: Settings) -> Iterator[Row]:
    """Whether the journal's database answers, and its clock."""
    ahead: list[timedelta] = []

    def ask() -> None:
        with closing(Database(settings.journal_url)) as database, database.read() as connection:
            connection.execute(select(1))
            ahead.append(datetime.now(UTC) - now(connection))

    cure = "the journal's database does not answer. Check WARRANTY_JOURNAL_URL, its server and its user."
    yield _tried("journal: database", ask, "", cure)
    yield from (_clock("journal", each) for each in ahead)


def _tried(what: str, work: Callable[[], object], note: str, cure: str = "") -> Row:
    """Do it, and tell how long it took; a call of the service that failed says itself what to do."""
    started, fine = time.perf_counter(), False
    try:
        work()
        fine = True
    except WarrantyError as error:
        words = guidance(error.failure)
        service_says = f" The service says: {' / '.join(error.service_words)}" if error.service_words else ""
        cure = f"{note}. {words.happened} {words.next_step}{service_says} ({error})"
    except (OSError, UnicodeError, smtplib.SMTPException, DeskError):
        pass
    return Row(what, fine, note if fine else cure, timedelta(seconds=time.perf_counter() - started))
