"""`check` and `conformance`: what they find in the sandbox, and in a service that does otherwise."""

import json
import os
import ssl
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from sandbox import SandboxServer
from warranty.__main__ import COMMANDS, main, parser
from warranty.conformance.bench import Bench
from warranty.conformance.clause import Clause, Shown, Trial
from warranty.conformance.run import CLAUSES, findings
from warranty.settings import Settings

SandboxSettings = Callable[..., Settings]


@pytest.fixture
def in_staging(sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> pytest.MonkeyPatch:
    """The environment of a shop whose staging service is the sandbox."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("WARRANTY_")]:
        monkeypatch.delenv(name)
    for name, value in {
        "ENVIRONMENT": "staging",
        "BASE_URL": sandbox.base_url,
        "PRIVATE_TOKEN": sandbox.private_token,
        "PUBLIC_TOKEN": sandbox.public_token,
        "CA_FILE": sandbox.ca_file,
    }.items():
        monkeypatch.setenv(f"WARRANTY_{name}", value)
    return monkeypatch


# --- check --------------------------------------------------------------------------------------------------


def test_check_says_that_all_is_well_with_times_and_what_it_left_out(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], sandbox: SandboxServer
) -> None:
    assert main(["check"]) == 0
    said = capsys.readouterr().out
    rows = {line.split("  ")[0]: line for line in said.splitlines()}
    for row in ("settings", "TLS", "private token", "public token"):
        assert "  ok  " in rows[row]
    for row in ("TLS", "private token", "public token"):
        assert " ms " in rows[row]
    assert "Left unchecked" in said
    assert sandbox.private_token not in said
    assert sandbox.public_token not in said


@pytest.mark.parametrize("which", ["PRIVATE_TOKEN", "PUBLIC_TOKEN"])
def test_check_finds_the_token_that_is_wrong(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], which: str
) -> None:
    in_staging.setenv(f"WARRANTY_{which}", "wrong-token-1234567890")
    assert main(["check"]) == 1
    failed = [line for line in capsys.readouterr().out.splitlines() if "FAILED" in line]
    assert [line.startswith(which.lower().replace("_", " ")) for line in failed] == [True]


def test_check_stops_at_a_certificate_that_it_does_not_trust(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], sandbox: SandboxServer
) -> None:
    in_staging.delenv("WARRANTY_CA_FILE")
    assert main(["check"]) == 1
    assert "the certificate is not trusted" in capsys.readouterr().out
    assert [call for call in sandbox.calls() if call["operation"] == "verify_credentials"] == []


@pytest.mark.parametrize(
    ("base_url", "says"),
    [("https://127.0.0.1:9", "no connection"), ("https://no-such-host.invalid", "the host has no address")],
)
def test_check_says_why_there_is_no_connection(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], base_url: str, says: str
) -> None:
    in_staging.setenv("WARRANTY_BASE_URL", base_url)
    assert main(["check"]) == 1
    assert says in capsys.readouterr().out


def test_check_finds_a_host_that_speaks_no_tls(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], sandbox: SandboxServer
) -> None:
    in_staging.setenv("WARRANTY_BASE_URL", sandbox.landing_url.replace("http://", "https://"))
    assert main(["check"]) == 1
    assert "does not speak TLS" in capsys.readouterr().out


def test_check_names_every_missing_setting(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    in_staging.delenv("WARRANTY_BASE_URL")
    in_staging.delenv("WARRANTY_PUBLIC_TOKEN")
    assert main(["check"]) == 2
    assert "Set WARRANTY_BASE_URL and WARRANTY_PUBLIC_TOKEN" in capsys.readouterr().out


def test_check_finds_a_name_that_is_misspelt(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    in_staging.setenv("WARRANTY_LANDINGURL", "https://pages.example")
    assert main(["check"]) == 1
    assert "WARRANTY_LANDINGURL means nothing" in capsys.readouterr().out


def test_without_settings_there_is_nothing_to_call_and_nothing_wrong(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("ENVIRONMENT", "BASE_URL", "PRIVATE_TOKEN", "PUBLIC_TOKEN", "CA_FILE"):
        in_staging.delenv(f"WARRANTY_{name}")
    assert main(["check"]) == 0
    assert "embedded sandbox" in capsys.readouterr().out


# --- conformance --------------------------------------------------------------------------------------------


def tried(bench: Bench, *, allow_writes: bool = True) -> dict[Clause, Trial]:
    with bench:
        return dict(findings(bench, allow_writes=allow_writes))


def test_every_clause_holds_in_the_sandbox(staging: SandboxSettings) -> None:
    found = tried(Bench(staging(), email="conformance@example.com"))
    assert {
        clause.says: finding for clause, finding in found.items() if finding.shown is not Shown.HOLDS
    } == {}


def test_nothing_is_written_unless_it_is_allowed(staging: SandboxSettings, sandbox: SandboxServer) -> None:
    found = tried(Bench(staging(), email="conformance@example.com"), allow_writes=False)
    assert [call for call in sandbox.calls() if call["written"]] == []
    for clause, finding in found.items():
        assert finding.shown is (Shown.NOT_RUN if clause.writes else Shown.HOLDS), clause


def test_what_the_settings_do_not_name_is_not_run(staging: SandboxSettings) -> None:
    bare = staging(purchase_warranties_path=None, offers_path=None, landing_url=None, retailer_uuid=None)
    found = tried(Bench(bare, email="conformance@example.com"))
    reasons = [finding.detail for finding in found.values() if finding.shown is Shown.NOT_RUN]
    assert len(reasons) == 5
    assert all("WARRANTY_" in reason for reason in reasons)
    assert all(finding.shown is not Shown.DIFFERS for finding in found.values())


def test_a_clause_names_a_section_and_is_written_once() -> None:
    assert len({(clause.section, clause.says) for clause in CLAUSES}) == len(CLAUSES)
    assert all(clause.section and clause.says for clause in CLAUSES)


class AgreeableService:
    """A service that says yes to everything, whatever the token, and to plain HTTP as well."""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body: Any = {
            "success": True,
            "id": 7,
            "url": "https://pages.example/x",
            "warrantable_products": "yes",
        }
        if request.url.path.endswith("customer-status"):
            body = {"data": [{"status": "RESOLVED", "claim_date": "2026-01-01"}] * 60, "page": "1"}
        return httpx.Response(200, json=body)


def test_a_service_that_says_yes_to_everything_differs_in_every_refusal(staging: SandboxSettings) -> None:
    wrong = Bench(staging(), email="x@example.com", transport=httpx.MockTransport(AgreeableService()))
    found = tried(wrong)
    for clause, finding in found.items():
        refuses = any(
            word in clause.says for word in ("400", "401", "404", "refused", "not accepted", "HTTP")
        )
        if refuses and finding.shown is Shown.NOT_RUN:
            assert "no term is known" in finding.detail
        elif refuses:
            assert finding.shown is Shown.DIFFERS, clause
    holding = {clause.says for clause, finding in found.items() if finding.shown is Shown.HOLDS}
    assert holding == {
        "The private token is accepted",
        "Two or more products make a bundle",
        "An order line of more than 20 is taken",
    }


@pytest.mark.parametrize(
    ("path", "wrong", "says"),
    [
        ("/api/carts", {"url": "https://pages.example/other"}, "The URL is {landing_url}"),
        ("/api/carts", {"warrantable_products": None}, "A new order"),
        ("/api/carts", {"message": {"validation_errors": "one sentence"}}, "No state: 400"),
        ("/api/post-purchase-checkout", {"error": ["a list"]}, "No line items: 400"),
        ("/api/post-purchase-checkout", {"error": "refused"}, "A term that is not offered: 400"),
        ("/api/post-purchase-checkout", {"id": 7}, "A sale by warranty_offer_id"),
        ("/api/warranty-claim-customer-status", {"total_count": "many"}, "The public token is accepted"),
        ("/api/warranty-claim-customer-status", {"per_page": 10}, "An answer holds per_page"),
    ],
)
def test_one_changed_field_of_an_answer_is_found(
    staging: SandboxSettings, path: str, wrong: dict[str, Any], says: str
) -> None:
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


def test_conformance_prints_each_clause_and_its_status_tells(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conformance"]) == 0
    said = capsys.readouterr().out
    assert said.count("holds") + said.count("not run  ") >= len(CLAUSES)
    assert "0 differ" in said


def test_a_service_that_is_away_is_neither_right_nor_wrong(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    in_staging.setenv("WARRANTY_BASE_URL", "https://127.0.0.1:9")
    assert main(["conformance"]) == 3
    assert "the service could not be reached" in capsys.readouterr().out


def test_nothing_is_tried_out_in_production(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], sandbox: SandboxServer
) -> None:
    in_staging.setenv("WARRANTY_ENVIRONMENT", "production")
    assert main(["conformance", "--allow-writes"]) == 2
    assert "In production nothing is written" in capsys.readouterr().err
    assert [call for call in sandbox.calls() if call["operation"]] == []


def test_conformance_has_nothing_to_call_in_the_embedded_sandbox(
    in_staging: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("ENVIRONMENT", "BASE_URL"):
        in_staging.delenv(f"WARRANTY_{name}")
    assert main(["conformance"]) == 2
    assert "python -m sandbox" in capsys.readouterr().err


# --- the command line ---------------------------------------------------------------------------------------


def test_every_command_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(["--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert [command for command in COMMANDS if command not in said] == []


@pytest.mark.parametrize("words", [[], ["unknown"], ["conformance", "--unknown"]])
def test_words_that_mean_nothing_are_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
