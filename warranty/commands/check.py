"""`python -m warranty check`: can this desk talk to the service as it is configured?"""

import argparse
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import httpx

from warranty import COMMAND
from warranty.client import WarrantyClient
from warranty.client.credentials import token_hint
from warranty.commands.network import Row, journal_rows, network_rows, spoken, table, targets
from warranty.desk.guidance import guidance
from warranty.errors import SettingsProblem, WarrantyError
from warranty.settings import Settings, client_from, load_settings, secrets_file, token_calls, unknown_names
from warranty.settings.single_sign_on import provider_address

UNCHECKED: Final = (
    "submitting an order, recording a sale, notifying a checkout: they write or mail; "
    f"`{COMMAND} conformance --allow-writes` tries them",
    "the landing pages: only a customer's browser opens them",
    "whether the two tokens belong to the same account, and what the service limits",
)

_NEEDED: Final = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
_SECONDS: Final = 10


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "check", help="verify the settings, TLS and both tokens against the configured environment"
    )
    parser.add_argument(
        "--network",
        action="store_true",
        help="what the firewall must allow, each tried, without a token: names, connections, proxy, TLS, clock",
    )
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
            yield _called(f"{name} token", f"{token_hint(token)}{header}", call)
        yield from _assumed(client)


def _called(what: str, note: str, call: Callable[[], object]) -> Row:
    started = datetime.now(UTC)
    try:
        call()
    except WarrantyError as error:
        words = guidance(error.failure)
        service_says = f" The service says: {' / '.join(error.service_words)}" if error.service_words else ""
        return Row(what, False, f"{note}. {words.happened} {words.next_step}{service_says} ({error})")
    return Row(what, True, note, datetime.now(UTC) - started)


def _assumed(client: WarrantyClient) -> Iterator[Row]:
    reads = {"purchase_warranties": "the plans of an order", "offers": "the offers for a product"}
    for name, what in reads.items():
        note = f"WARRANTY_{name.upper()}_PATH is not set, so it is not used"
        if client.has(name):
            note = "its path is set; called only with a real order or product"
        yield Row(what, None, note)


def provider_row(settings: Settings, address: str) -> Row:
    """Ask the address that [auth] names, as the desk does at each sign-in."""
    started = time.perf_counter()
    try:
        metadata = httpx.get(address, timeout=_SECONDS).raise_for_status().json()
        missing = [name for name in _NEEDED if not metadata.get(name)]
    except (httpx.HTTPError, ValueError, AttributeError):
        note = "the server_metadata_url of [auth] gives no description of a provider: check it, and the firewall"
        return Row("single sign-on", False, note)
    if missing:
        return Row("single sign-on", False, f"the description of the provider has no {', '.join(missing)}")
    roles = ", ".join(f"{group} is {role}" for group, role in settings.sso_roles)
    note = f"{metadata['issuer']}: {roles}"
    if not metadata.get("end_session_endpoint"):
        note += "; without an end_session_endpoint: who signs out here stays signed in there"
    return Row("single sign-on", True, note, timedelta(seconds=time.perf_counter() - started))
