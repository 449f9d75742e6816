"""Whose address is counted: that of who connects, and what a proxy says of it only where a setting names the proxy."""

import pytest

from warranty.errors import SettingsProblem
from warranty.settings import load_settings


@pytest.mark.parametrize(
    ("said", "read"), [("127.0.0.1", ("127.0.0.1",)), ("10.0.0.0/8, ::1", ("10.0.0.0/8", "::1")), ("", ())]
)
def test_proxies_are_named_by_addresses_and_networks(said: str, read: tuple[str, ...]) -> None:
    assert load_settings({"trusted_proxies": said}).trusted_proxies == read


@pytest.mark.parametrize("said", ["*", "proxy.example", "10.0.0.1/8", "127.0.0.1,x"])
def test_nobody_is_trusted_by_a_name_or_by_a_star(said: str) -> None:
    with pytest.raises(SettingsProblem, match="WARRANTY_TRUSTED_PROXIES must list addresses"):
        load_settings({"trusted_proxies": said})
