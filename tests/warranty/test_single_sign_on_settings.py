"""The settings of single sign-on: the platform's [auth] and ours beside it, looked at before the start."""

from typing import Any

import pytest

from warranty.access import Role
from warranty.errors import SettingsProblem
from warranty.settings import load_settings

AUTH = {
    "redirect_uri": "https://desk.example.com/oauth2callback", "cookie_secret": "0123456789abcdef0123456789abcdef",
    "client_id": "desk", "client_secret": "planted-client-secret",
    "server_metadata_url": "https://id.example/.well-known/openid-configuration",
}  # fmt: skip
ROLES = {"WARRANTY_SSO_ROLES": "desk-staff=staff"}
PRODUCTION = {
    "WARRANTY_ENVIRONMENT": "production", "WARRANTY_BASE_URL": "https://service.example",
    "WARRANTY_PRIVATE_TOKEN": "private", "WARRANTY_PUBLIC_TOKEN": "public",
}  # fmt: skip


def refusal(given: dict[str, Any]) -> str:
    with pytest.raises(SettingsProblem) as caught:
        load_settings(given)
    return str(caught.value)


def test_without_auth_there_is_none_and_with_it_it_stands_beside_the_form() -> None:
    assert load_settings({}).sso == "off"
    settings = load_settings(PRODUCTION | ROLES | {"auth": AUTH})
    assert (settings.sso, settings.sso_roles) == ("beside", (("desk-staff", Role.STAFF),))
    assert load_settings(ROLES | {"auth": AUTH, "WARRANTY_SSO": "only"}).sso == "only"
    assert load_settings({"auth": {}, "WARRANTY_SSO": "off"}).sso == "off"


def test_names_of_groups_may_hold_what_parts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = load_settings({"auth": AUTH, "WARRANTY_SSO_ROLES": ["cn=desk,ou=shop=manager", "b = staff"]})
    assert found.sso_roles == (("cn=desk,ou=shop", Role.MANAGER), ("b", Role.STAFF))
    monkeypatch.setenv("WARRANTY_SSO_STORES", "/shops/north=north, b=south")
    assert load_settings(ROLES | {"auth": AUTH}).sso_stores == (("/shops/north", "north"), ("b", "south"))


@pytest.mark.parametrize("roles", ["desk-staff", "desk-staff=boss", "=staff", "a=staff,b", 7])
def test_what_is_no_list_of_groups_and_roles_is_told(roles: object) -> None:
    assert "WARRANTY_SSO_ROLES must list groups" in refusal({"auth": AUTH, "WARRANTY_SSO_ROLES": roles})


def test_all_faults_are_told_at_once_each_with_its_name_and_its_cure() -> None:
    auth = {
        "redirect_uri": "http://desk.example.com/", "cookie_secret": "planted" * 9,
        "server_metadata_url": "http://id.example/.well-known/openid-configuration", "okta": {"client_id": "x"},
    }  # fmt: skip
    said = refusal(PRODUCTION | {"WARRANTY_COUNTRY": "Atlantis", "auth": auth})
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
    assert "must begin with https://" in refusal(PRODUCTION | ROLES | {"auth": here})
    elsewhere = here | {"redirect_uri": "http://desk.example.com/oauth2callback"}
    assert "must begin with https://" in refusal(ROLES | {"auth": elsewhere})


@pytest.mark.parametrize("given", [ROLES, {"WARRANTY_SSO": "only"}])
def test_groups_without_a_provider_are_told(given: dict[str, str]) -> None:
    assert "needs [auth] in .streamlit/secrets.toml" in refusal(given)
