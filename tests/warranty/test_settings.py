"""Settings: from the environment over secrets.toml, complete or refused, with no token in sight."""

import os
import pickle
import traceback
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from sandbox import CLOSED_STATUSES
from warranty.access import Role
from warranty.client import WarrantyClient
from warranty.errors import SettingsProblem
from warranty.settings import PREFIX, Settings, client_from, load_settings, unknown_names, variable
from warranty.settings.values import Merchant

PRIVATE, PUBLIC = "private-token-1234567890", "public-token-1234567890"
STAGING = {
    "WARRANTY_ENVIRONMENT": "staging", "WARRANTY_BASE_URL": "https://staging.service.example",
    "WARRANTY_PRIVATE_TOKEN": PRIVATE, "WARRANTY_PUBLIC_TOKEN": PUBLIC,
}  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def problem(given: dict[str, Any]) -> str:
    with pytest.raises(SettingsProblem) as refused:
        load_settings(given)
    return str(refused.value)


def test_without_any_setting_the_desk_trains_on_its_own_sandbox() -> None:
    settings = load_settings()
    assert (settings.environment, settings.uses_embedded_sandbox, settings.is_for_training) == ("sandbox", True, True)
    assert (settings.base_url, settings.private_token, settings.public_token) == (None, None, None)
    assert (settings.journal_url, settings.terms) == ("sqlite:///data/journal.sqlite3", (12, 24, 36))


def test_the_environment_stands_over_the_secrets_and_an_empty_setting_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARRANTY_SHOP_NAME", "From the environment")
    settings = load_settings({"WARRANTY_SHOP_NAME": "From the file", "WARRANTY_CURRENCY": "eur"})
    assert (settings.shop_name, settings.currency) == ("From the environment", "EUR")
    monkeypatch.setenv("WARRANTY_CA_FILE", "")
    monkeypatch.setenv("WARRANTY_BASE_URL", "  ")
    settings = load_settings({"WARRANTY_LANDING_URL": ""})
    assert (settings.ca_file, settings.base_url, settings.landing_url) == (None, None, None)


def test_the_secrets_file_of_the_folder_is_read(tmp_path: Path) -> None:
    file = tmp_path / ".streamlit" / "secrets.toml"
    file.parent.mkdir()
    file.write_text(
        "\n".join(f"{name} = '{value}'" for name, value in STAGING.items())
        + "\nWARRANTY_TERMS = [6, 18]\n[WARRANTY_MERCHANTS]\nm-1 = 'Harbour'\n[cookie]\nkey = 'x'\n"
    )
    settings = load_settings()
    assert (settings.environment, settings.terms) == ("staging", (6, 18))
    assert settings.merchants == (Merchant("m-1", "Harbour"),)
    file.write_text(f"WARRANTY_PRIVATE_TOKEN = {PRIVATE}")
    with pytest.raises(SettingsProblem, match=r"secrets\.toml cannot be read") as refused:
        load_settings()
    assert PRIVATE not in str(refused.value)


def test_every_missing_setting_is_named_at_once_a_base_url_alone_means_production() -> None:
    assert problem({"WARRANTY_ENVIRONMENT": "production"}) == (
        "Set WARRANTY_BASE_URL, WARRANTY_PRIVATE_TOKEN and WARRANTY_PUBLIC_TOKEN to call the warranty service "
        "(in the environment or in .streamlit/secrets.toml)."
    )
    assert "are the same" in problem(STAGING | {"WARRANTY_PUBLIC_TOKEN": PRIVATE})
    given = {name: value for name, value in STAGING.items() if name != "WARRANTY_ENVIRONMENT"}
    assert load_settings(given).environment == "production"
    elsewhere = {"WARRANTY_ENVIRONMENT": "sandbox", "WARRANTY_BASE_URL": "https://127.0.0.1:8443"}
    assert "WARRANTY_PRIVATE_TOKEN" in problem(elsewhere)


def test_missing_and_wrong_settings_are_named_together() -> None:
    wrong = {
        "ENVIRONMENT": ("live", " must be 'sandbox', 'staging' or 'production'"),
        "BASE_URL": ("http://service.example", " begins with http://, and only https"),
        "TERMS": ("12,a year", " must list terms in months"), "READ_TIMEOUT": ("soon", " must be a number of seconds"),
        "CLAIMS_CONCURRENCY": ("0", " is out of range"), "MERCHANTS": ("Harbour", " must list merchants as id=name"),
        "COUNTRY": ("USA", " must be a country code of two letters"),
        "STATE": ("New York", " must be the code of a state"), "OFFERS_PATH": ("offers", " must be a path"),
        "OUTBOUND_PROXY": ("socks5://proxy", " must be "),
    }  # fmt: skip
    said = problem(named({name: value for name, (value, _) in wrong.items()}))
    assert [name for name, (_, rule) in wrong.items() if f"{PREFIX}{name}{rule}" not in said] == []
    assert "Set WARRANTY_PRIVATE_TOKEN and WARRANTY_PUBLIC_TOKEN" in said
    assert "WARRANTY_STATE must be the code of a state of US" in problem(STAGING | {"WARRANTY_STATE": "ZZ"})


@pytest.mark.parametrize(("environment", "host", "trains"), [
    ("sandbox", "127.0.0.1:8443", True), ("sandbox", "sandbox.example", False), ("staging", "127.0.0.1:8443", False),
])  # fmt: skip
def test_training_accounts_reach_no_service_elsewhere(environment: str, host: str, trains: bool) -> None:
    there = {"WARRANTY_ENVIRONMENT": environment, "WARRANTY_BASE_URL": f"https://{host}"}
    assert load_settings(STAGING | there).is_for_training is trains


def test_what_can_be_missing_has_a_stated_consequence() -> None:
    reads = {"LANDING_URL": "https://pages.example/", "PURCHASE_WARRANTIES_PATH": "/api/purchase-warranties"}
    said = " ".join(load_settings(STAGING).consequences)
    assert [name for name in reads if f"{PREFIX}{name}" not in said] == []
    whole = load_settings(STAGING | named(reads | {"RETAILER_UUID": "r-1"}))
    assert (whole.consequences, whole.landing_url) == ((), "https://pages.example")


@pytest.mark.parametrize(
    ("given", "seconds"), [("5", 5), (2.5, 2.5), (timedelta(seconds=3), 3)]
    + [(wrong, None) for wrong in ("0", "-1", "601", "nan", "inf", "PT5S", "x")],
)  # fmt: skip
def test_a_timeout_is_a_number_of_seconds(given: object, seconds: float | None) -> None:
    if seconds is None:
        assert "WARRANTY_READ_TIMEOUT" in problem({"WARRANTY_READ_TIMEOUT": given})
    else:
        assert load_settings({"WARRANTY_READ_TIMEOUT": given}).read_timeout == timedelta(seconds=seconds)


def test_closed_statuses_are_words_letter_by_letter_and_resolved_alone_unless_named() -> None:
    assert load_settings(STAGING).closed_statuses == ("RESOLVED",)
    assert load_settings({}).closed_statuses == CLOSED_STATUSES, "of the sandbox, also in its commands"
    said = load_settings({"WARRANTY_CLOSED_STATUSES": " RESOLVED, Closed by shop ,RESOLVED,resolved"})
    assert said.closed_statuses == ("RESOLVED", "Closed by shop", "resolved")
    listed = ["Denied, in part", "RESOLVED"]
    assert load_settings({"WARRANTY_CLOSED_STATUSES": listed}).closed_statuses == tuple(listed)
    for none in ([], ",", [1]):
        assert "WARRANTY_CLOSED_STATUSES must list words" in problem({"WARRANTY_CLOSED_STATUSES": none})


def test_files_stand_in_the_data_folder_unless_named_and_what_is_stored_goes_after_days_of_its_own() -> None:
    settings = load_settings({"WARRANTY_DATA_DIR": "/srv/desk"})
    assert settings.journal_url == "sqlite:////srv/desk/journal.sqlite3"
    assert settings.accounts == Path("/srv/desk/accounts.yaml")
    url = "postgresql://desk@db/journal"
    named = load_settings({"WARRANTY_JOURNAL_URL": url, "WARRANTY_ACCOUNTS": "a.yaml"})
    assert (named.journal_url, named.accounts) == (url, Path("a.yaml"))
    settings = load_settings({"WARRANTY_RETENTION_DAYS": "30", "WARRANTY_DRAFT_RETENTION_DAYS": "2"})
    assert (settings.retention, settings.draft_retention) == (timedelta(days=30), timedelta(days=2))


@pytest.mark.parametrize(("said", "meant"), [("80", "80"), ("58 mm", "58"), (80, "80"), ("a5", "A5")])
def test_a_slips_paper_is_a_sheet_or_the_width_of_a_roll(said: object, meant: str) -> None:
    assert load_settings({"WARRANTY_SLIP_WIDTH": said}).slip_width == meant
    assert "WARRANTY_SLIP_WIDTH must be 'A5', '80' or '58'." in problem({"WARRANTY_SLIP_WIDTH": "70"})


def test_a_logo_that_cannot_be_printed_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "cut-off.png").write_bytes(b"\x89PNG\r\n\x1a\n cut off")
    for name in ("cut-off.png", "missing.png"):
        said = problem({"WARRANTY_SHOP_LOGO": str(tmp_path / name)})
        assert said.startswith("WARRANTY_SHOP_LOGO must be a PNG or SVG picture that can be read")
    logo = tmp_path / "logo.svg"
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4z"/></svg>')
    assert load_settings({"WARRANTY_SHOP_LOGO": str(logo)}).shop_logo == logo


@pytest.mark.parametrize(
    "given", [STAGING | {"WARRANTY_TERMS": "never"}, STAGING | {"WARRANTY_BASE_URL": "http://service.example"}]
)
def test_no_traceback_of_a_refusal_holds_a_token_even_with_every_local_value(given: dict[str, str]) -> None:
    with pytest.raises(SettingsProblem) as refused:
        load_settings(dict(given))
    said = with_all_locals(refused.value)
    assert [word in said for word in ("given = ", PRIVATE, PUBLIC)] == [True, False, False]


def with_all_locals(problem: SettingsProblem) -> str:
    """Its traceback below the test."""
    ours = problem.__traceback__
    assert ours is not None
    frames = traceback.TracebackException(SettingsProblem, problem, ours.tb_next, capture_locals=True)
    return "".join(frames.format())


def test_neither_a_refused_client_nor_the_library_asked_directly_tells_what_was_given() -> None:
    with pytest.raises(SettingsProblem) as refused:
        WarrantyClient("http://service.example", private_token=PRIVATE, public_token=PUBLIC)
    assert PRIVATE not in with_all_locals(refused.value)
    with pytest.raises(ValidationError) as invalid:
        Settings.model_validate({"private_token": ["planted"], "base_url": "http://planted"})
    assert "planted" not in str(invalid.value)


@pytest.mark.parametrize(("name", "text", "value"), [
    ("terms", "12, 24,24 ,60", (12, 24, 60)),
    ("merchants", "m-1=Main Street, m-2=A=B", (Merchant("m-1", "Main Street"), Merchant("m-2", "A=B"))),
    ("catalogue", "products.csv", Path("products.csv")), ("aftermarket", "true", True),
    ("claims_calls_per_second", "2.5", 2.5), ("connect_timeout", "2", timedelta(seconds=2)), ("country", "de", "DE"),
    ("trusted_proxies", "10.0.0.0/8, ::1", ("10.0.0.0/8", "::1")),
])  # fmt: skip
def test_each_kind_is_read(monkeypatch: pytest.MonkeyPatch, name: str, text: str, value: object) -> None:
    monkeypatch.setenv(variable(name), text)
    assert getattr(load_settings(), name) == value


@pytest.mark.parametrize(("name", "given"), [
    *(("TRUSTED_PROXIES must list addresses", given) for given in ("*", "proxy.example", "10.0.0.1/8", "127.0.0.1,x")),
    *(("OUTBOUND_PROXY", given) for given in ("proxy.example:3128", "http://proxy/a", "http://", "[[")),
])  # fmt: skip
def test_no_proxy_is_trusted_by_a_name_or_by_a_star_and_what_is_no_address_is_none(name: str, given: str) -> None:
    assert f"{PREFIX}{name}" in problem({f"{PREFIX}{name.partition(' ')[0]}": given})


def test_no_token_shows_and_settings_are_not_pickled() -> None:
    urls = {
        "JOURNAL_URL": "postgresql://desk:hunter2@db/journal", "OUTBOUND_PROXY": "http://desk:hunter2@proxy.example:3",
    }  # fmt: skip
    settings = load_settings(STAGING | named(urls))
    shown = " ".join((repr(settings), str(settings), repr(settings.model_dump()), settings.model_dump_json()))
    assert [token for token in (PRIVATE, PUBLIC) if token in shown] == []
    assert "hunter2" not in repr(settings)
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(settings)


@pytest.mark.parametrize("name", list(Settings.model_fields))
def test_no_error_repeats_a_value(name: str) -> None:
    planted = "pl anted\x00-1234567890"
    with pytest.raises(SettingsProblem) as refused:
        load_settings(STAGING | {variable(name): {planted: planted}, "WARRANTY_TERMS": planted})
    assert "anted" not in str(refused.value)
    assert refused.value.__context__ is None


def test_the_embedded_sandbox_is_put_in_with_its_two_assumed_reads() -> None:
    addresses = dict.fromkeys(("base_url", "landing_url"), "https://127.0.0.1:8443")
    tokens = {"private_token": PRIVATE, "public_token": PUBLIC}
    settings = load_settings().with_sandbox(**addresses, **tokens, retailer_uuid="r-1", ca_file="")
    reads = settings.purchase_warranties_path, settings.offers_path
    assert (reads, settings.uses_embedded_sandbox) == (("/api/purchase-warranties", "/api/warranty-offers"), False)


def test_every_setting_says_what_it_is_for_and_a_name_that_means_none_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []
    monkeypatch.setenv("WARRANTY_BASEURL", "x")
    found = unknown_names({"WARRANTY_TERM": "12", "WARRANTY_TERMS": "12", "other": 1})
    assert found == ("WARRANTY_BASEURL", "WARRANTY_TERM")


def test_a_client_is_made_of_the_settings() -> None:
    settings = load_settings(STAGING | {"WARRANTY_OFFERS_PATH": "/api/offers", "WARRANTY_READ_TIMEOUT": "1"})
    with client_from(settings) as client:
        assert client.has("offers")
        assert not client.has("purchase_warranties")
        slower = client_from(load_settings(STAGING))
        assert client.longest_call("record_sale") < slower.longest_call("record_sale")
    with pytest.raises(SettingsProblem, match="WARRANTY_BASE_URL"):
        client_from(load_settings())


MAIL = {"ALERT_MAIL_TO": "office@shop.example, Owner@SHOP.example", "SMTP_HOST": "mail.shop.example"}
MAIL |= {"SMTP_FROM": "desk@shop.example"}
HOOK = {"ALERT_WEBHOOK": "https://hooks.example/T0/planted?key=planted"}
HOOK |= {"ALERT_WEBHOOK_SECRET": "whsec_cGxhbnRlZC1wbGFudGVkLXBsYW50ZWQtcGxhbnRlZA=="}


def named(given: dict[str, str]) -> dict[str, str]:
    return {f"{PREFIX}{name}": value for name, value in given.items()}


def test_the_ways_of_alerts_are_those_that_are_set_and_no_secret_of_theirs_shows() -> None:
    assert load_settings({}).alert_ways == ()
    settings = load_settings(named(MAIL | HOOK | {"ALERT_FILE": "alerts.jsonl"}))
    assert settings.alert_ways == ("mail", "webhook", "file")
    assert settings.alert_mail_to == ("office@shop.example", "Owner@shop.example")
    assert [secret for secret in ("planted", "cGxhbnRlZC") if secret in repr(settings)] == []


@pytest.mark.parametrize(("given", "said"), [
    ({"ALERT_MAIL_TO": "office@shop.example"}, "SMTP_FROM is missing: WARRANTY_ALERT_MAIL_TO needs it."),
    ({"SMTP_USER": "desk"}, "SMTP_PASSWORD is missing: WARRANTY_SMTP_USER needs it."),
    (HOOK | {"ALERT_WEBHOOK_SECRET": ""}, "ALERT_WEBHOOK_SECRET is missing: WARRANTY_ALERT_WEBHOOK needs it."),
    (MAIL | {"ALERT_MAIL_TO": "a@b.example\r\nBcc: planted@evil.example"}, "ALERT_MAIL_TO must list e-mail addresses"),
    (MAIL | {"SMTP_FROM": "planted\n@shop.example"}, "SMTP_FROM must be an e-mail address"),
    (MAIL | {"SMTP_HOST": "planted example"}, "SMTP_HOST must be the name of a host"),
    (HOOK | {"ALERT_WEBHOOK_SECRET": "planted-secret"}, "ALERT_WEBHOOK_SECRET must be whsec_ and then 24 to 64"),
    (HOOK | {"ALERT_WEBHOOK": "http://hooks.example/planted"}, "ALERT_WEBHOOK must begin with https://."),
])  # fmt: skip
def test_an_alert_that_cannot_go_is_refused_without_its_value(given: dict[str, str], said: str) -> None:
    told = problem(named(given))
    assert (f"WARRANTY_{said}" in told, "planted" in told) == (True, False)


@pytest.mark.parametrize("environment", ["staging", "production"])
def test_where_something_is_real_what_belongs_to_training_is_refused_all_at_once(environment: str) -> None:
    training = {
        "BASE_URL": ("http://service.example", " begins with http://, and only https"),
        "LANDING_URL": ("http://pages.example", " must begin with https://"),
        "PRIVATE_TOKEN": ("sandbox-private-1234567890", " is a sandbox's token: copy the account's own"),
        "PUBLIC_TOKEN": ("sandbox-public-1234567890", " is a sandbox's token: copy the account's own"),
        "ALERT_WEBHOOK": ("http://127.0.0.1/hook", " must begin with https://"),
        "ALERT_WEBHOOK_SECRET": ("whsec_short", " must be whsec_ and then 24 to 64 random bytes"),
    }
    given = named({name: value for name, (value, _) in training.items()})
    said = problem(given | {"WARRANTY_ENVIRONMENT": environment})
    assert [name for name, (_, rule) in training.items() if f"{PREFIX}{name}{rule}" not in said] == []
    assert "1234567890" not in said


AUTH = {
    "redirect_uri": "https://desk.example.com/oauth2callback", "cookie_secret": "0123456789abcdef0123456789abcdef",
    "client_id": "desk", "client_secret": "planted-client-secret",
    "server_metadata_url": "https://id.example/.well-known/openid-configuration",
}  # fmt: skip
ROLES = {"WARRANTY_SSO_ROLES": "desk-staff=staff"}
PRODUCTION = STAGING | {"WARRANTY_ENVIRONMENT": "production"}


def test_single_sign_on_stands_beside_the_form_and_groups_may_hold_what_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings({}).sso == "off"
    settings = load_settings(PRODUCTION | ROLES | {"auth": AUTH})
    assert (settings.sso, settings.sso_roles) == ("beside", (("desk-staff", Role.STAFF),))
    assert load_settings(ROLES | {"auth": AUTH, "WARRANTY_SSO": "only"}).sso == "only"
    assert load_settings({"auth": {}, "WARRANTY_SSO": "off"}).sso == "off"
    found = load_settings({"auth": AUTH, "WARRANTY_SSO_ROLES": ["cn=desk,ou=shop=manager", "b = staff"]})
    assert found.sso_roles == (("cn=desk,ou=shop", Role.MANAGER), ("b", Role.STAFF))
    monkeypatch.setenv("WARRANTY_SSO_STORES", "/shops/north=north, b=south")
    assert load_settings(ROLES | {"auth": AUTH}).sso_stores == (("/shops/north", "north"), ("b", "south"))


@pytest.mark.parametrize(("given", "said"), [
    *(({"auth": AUTH, "WARRANTY_SSO_ROLES": roles}, "WARRANTY_SSO_ROLES must list groups")
      for roles in ("desk-staff", "desk-staff=boss", "=staff", "a=staff,b", 7)),
    *((given, "needs [auth] in .streamlit/secrets.toml") for given in (ROLES, {"WARRANTY_SSO": "only"})),
])  # fmt: skip
def test_what_is_no_list_of_groups_or_has_no_provider_is_told(given: dict[str, Any], said: str) -> None:
    assert said in problem(given)


def test_all_faults_are_told_at_once_each_with_its_name_and_its_cure() -> None:
    auth = {
        "redirect_uri": "http://desk.example.com/", "cookie_secret": "planted" * 9,
        "server_metadata_url": "http://id.example/.well-known/openid-configuration", "okta": {"client_id": "x"},
    }  # fmt: skip
    said = problem(PRODUCTION | {"WARRANTY_COUNTRY": "Atlantis", "auth": auth})
    here = "in [auth] in .streamlit/secrets.toml"
    for fault in (
        "WARRANTY_COUNTRY", "WARRANTY_SSO_ROLES", "client_id is missing", "client_secret is missing",
        f"redirect_uri {here} must be the desk's own address", f"redirect_uri {here} must begin with https://",
        f"server_metadata_url {here} must begin with https://", f"cookie_secret {here} can be guessed", "one provider",
    ):  # fmt: skip
        assert fault in said
    assert "planted" not in said


def test_training_takes_plain_http_of_this_machine_and_a_short_secret() -> None:
    here = AUTH | {
        "redirect_uri": "http://127.0.0.1:{port}/oauth2callback",
        "server_metadata_url": "http://localhost:9400/.well-known/openid-configuration", "cookie_secret": "short",
    }  # fmt: skip
    assert load_settings(ROLES | {"auth": here}).sso == "beside"
    assert "must begin with https://" in problem(PRODUCTION | ROLES | {"auth": here})
    elsewhere = here | {"redirect_uri": "http://desk.example.com/oauth2callback"}
    assert "must begin with https://" in problem(ROLES | {"auth": elsewhere})
