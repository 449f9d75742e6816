"""`check` and `conformance`: what they find in the sandbox, and in a service that does otherwise."""

import json
import re
import ssl
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from sandbox import SandboxServer
from warranty.__main__ import COMMANDS, main
from warranty.commands.conformance import CLAUSES, findings
from warranty.settings import Settings
from warranty.watch.conformance.bench import Bench, Clause, Shown, Trial

SandboxSettings = Callable[..., Settings]
clause = pytest.mark.clause
Said = pytest.CaptureFixture[str]


def test_check_says_that_all_is_well(shop: pytest.MonkeyPatch, capsys: Said, sandbox: SandboxServer) -> None:
    assert main(["check"]) == 0
    said = capsys.readouterr().out
    rows = {line.split("  ")[0]: line for line in said.splitlines()}
    assert "  ok  " in rows["settings"]
    for row in ("service: TLS", "private token", "public token"):
        assert "  ok  " in rows[row]
        assert " ms " in rows[row]
    assert "  ok  " in rows["service: clock"]
    assert "Left unchecked" in said
    assert [token for token in (sandbox.private_token, sandbox.public_token) if token in said] == []


@pytest.mark.parametrize(("name", "value", "status", "says"), [
    ("PRIVATE_TOKEN", "wrong-token-1234567890", 1, r"private token +FAILED"),
    ("PUBLIC_TOKEN", "wrong-token-1234567890", 1, r"public token +FAILED"),
    ("BASE_URL", "https://127.0.0.1:9", 1, "no connection"),
    ("BASE_URL", "https://no-such-host.invalid", 1, "the host has no address"),
    ("LANDINGURL", "https://pages.example", 1, "WARRANTY_LANDINGURL means nothing"),
    ("CA_FILE", None, 1, "the certificate is not trusted"),
    ("JOURNAL_URL", "postgresql://127.0.0.1:9/none", 1, r"journal: database +FAILED"),
    ("PUBLIC_TOKEN", None, 2, "Set WARRANTY_PUBLIC_TOKEN"),
])  # fmt: skip
def test_check_says_what_is_wrong(
    *, shop: pytest.MonkeyPatch, capsys: Said, name: str, value: str | None, status: int, says: str
) -> None:
    if value is None:
        shop.delenv(f"WARRANTY_{name}")
    else:
        shop.setenv(f"WARRANTY_{name}", value)
    assert main(["check"]) == status
    said = capsys.readouterr().out
    assert re.search(says, said)
    assert said.count("FAILED") <= 1


def test_check_finds_a_host_that_speaks_no_tls(shop: pytest.MonkeyPatch, capsys: Said, sandbox: SandboxServer) -> None:
    shop.setenv("WARRANTY_BASE_URL", sandbox.landing_url.replace("http://", "https://"))
    assert main(["check"]) == 1
    assert "does not speak TLS" in capsys.readouterr().out
    assert sandbox.calls() == []


def tried(bench: Bench, *, allow_writes: bool = True) -> dict[Clause, Trial]:
    with bench:
        return dict(findings(bench, allow_writes=allow_writes))


@clause("carts-error.bundle", "item.bundle-fields", "sale.bundle-separately", "carts.no-billing-address")
@clause("carts-error.404", "order.billing-address", "sale-error.404", "sale-error.term-without-item")
@clause("sale-error.line-item-twice", "sale.line-item-once", "limits.line-item-once", "sale.line-items")
@clause("sale.all-or-nothing", "states.refused-sale")
def test_every_clause_holds_in_the_sandbox(staging: SandboxSettings) -> None:
    found = tried(Bench(staging(), email="conformance@example.com"))
    assert {clause.says: finding for clause, finding in found.items() if finding.shown is not Shown.HOLDS} == {}


def test_nothing_is_written_unless_it_is_allowed_and_what_the_settings_do_not_name_is_not_run(
    staging: SandboxSettings, sandbox: SandboxServer
) -> None:
    found = tried(Bench(staging(), email="conformance@example.com"), allow_writes=False)
    assert [call for call in sandbox.calls() if call["written"]] == []
    for clause, finding in found.items():
        assert finding.shown is (Shown.NOT_RUN if clause.writes else Shown.HOLDS), clause
    bare = staging(purchase_warranties_path=None, offers_path=None, landing_url=None, retailer_uuid=None)
    unnamed = tried(Bench(bare, email="conformance@example.com"))
    reasons = [finding.detail for finding in unnamed.values() if finding.shown is Shown.NOT_RUN]
    assert len(reasons) == 5
    assert all("WARRANTY_" in reason for reason in reasons)
    assert all(finding.shown is not Shown.DIFFERS for finding in unnamed.values())


def agrees(request: httpx.Request) -> httpx.Response:
    body: Any = {"success": True, "id": 7, "url": "https://pages.example/x", "warrantable_products": "yes"}
    if request.url.path.endswith("customer-status"):
        body = {"data": [{"status": "RESOLVED", "claim_date": "2026-01-01"}] * 60, "page": "1"}
    return httpx.Response(200, json=body)


def test_a_service_that_says_yes_to_everything_differs_in_every_refusal(staging: SandboxSettings) -> None:
    wrong = Bench(staging(), email="x@example.com", transport=httpx.MockTransport(agrees))
    found = tried(wrong)
    for clause, finding in found.items():
        refuses = any(word in clause.says for word in ("400", "401", "404", "refused", "not accepted", "HTTP"))
        if refuses and finding.shown is Shown.NOT_RUN:
            assert "no term is known" in finding.detail
        elif refuses:
            assert finding.shown is Shown.DIFFERS, clause
    holding = {clause.says for clause, finding in found.items() if finding.shown is Shown.HOLDS}
    assert holding == {
        "The private token is accepted", "Two or more products make a bundle", "An order line of more than 20 is taken",
    }  # fmt: skip


@pytest.mark.parametrize(("path", "wrong", "says"), [
    ("/api/carts", {"url": "https://pages.example/other"}, "The URL is {landing_url}"),
    ("/api/carts", {"warrantable_products": None}, "A new order"),
    ("/api/carts", {"message": {"validation_errors": "one sentence"}}, "No state: 400"),
    ("/api/post-purchase-checkout", {"error": ["a list"]}, "No line items: 400"),
    ("/api/post-purchase-checkout", {"error": "refused"}, "A term that is not offered: 400"),
    ("/api/post-purchase-checkout", {"id": 7}, "A sale by warranty_offer_id"),
    ("/api/warranty-claim-customer-status", {"total_count": "many"}, "The public token is accepted"),
    ("/api/warranty-claim-customer-status", {"per_page": 10}, "An answer holds per_page"),
])  # fmt: skip
def test_one_changed_field_is_found(staging: SandboxSettings, path: str, wrong: dict[str, Any], says: str) -> None:
    settings = staging()
    network = httpx.HTTPTransport(verify=ssl.create_default_context(cafile=settings.ca_file))

    def changed(request: httpx.Request) -> httpx.Response:
        answer = network.handle_request(request)
        answer.read()
        if request.url.path != path:
            return httpx.Response(answer.status_code, content=answer.content)
        body = json.loads(answer.content or b"{}")
        return httpx.Response(
            answer.status_code, json=body | {name: value for name, value in wrong.items() if name in body}
        )

    found = tried(Bench(settings, email="x@example.com", transport=httpx.MockTransport(changed)))
    [finding] = [finding for clause, finding in found.items() if clause.says.startswith(says)]
    assert finding.shown is Shown.DIFFERS


def test_each_clause_is_printed_and_a_service_that_is_away_not_judged(shop: pytest.MonkeyPatch, capsys: Said) -> None:
    assert main(["conformance"]) == 0
    said = capsys.readouterr().out
    assert said.count("holds") + said.count("not run  ") >= len(CLAUSES)
    assert "0 differ" in said
    shop.setenv("WARRANTY_BASE_URL", "https://127.0.0.1:9")
    assert main(["conformance"]) == 3
    assert "the service could not be reached" in capsys.readouterr().out


def test_production_is_left_alone_and_without_settings_nothing_is_called_and_nothing_wrong(
    shop: pytest.MonkeyPatch, capsys: Said, sandbox: SandboxServer
) -> None:
    shop.setenv("WARRANTY_ENVIRONMENT", "production")
    assert main(["conformance", "--allow-writes"]) == 2
    assert "In production nothing is written" in capsys.readouterr().err
    assert [call for call in sandbox.calls() if call["operation"]] == []
    for name in ("ENVIRONMENT", "BASE_URL", "PRIVATE_TOKEN", "PUBLIC_TOKEN", "CA_FILE"):
        shop.delenv(f"WARRANTY_{name}")
    assert main(["check"]) == 0
    assert "embedded sandbox" in capsys.readouterr().out
    assert main(["conformance"]) == 2
    assert "python -m sandbox" in capsys.readouterr().err


def test_every_command_is_listed_and_words_that_mean_nothing_are_refused(capsys: Said) -> None:
    for words, status in ((["--help"], 0), ([], 2), (["unknown"], 2), (["conformance", "--unknown"], 2)):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == status
        said = capsys.readouterr().out
        assert status or [command for command in COMMANDS if command not in said] == []
