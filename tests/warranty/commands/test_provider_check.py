"""What `check` says of single sign-on, asked of a real provider."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.provider import Provider, running_provider
from warranty.__main__ import main


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as running:
        yield running


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARRANTY_SSO_ROLES", "desk-staff=staff")


def test_check_asks_the_provider_and_says_what_the_groups_are(
    provider: Provider, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    provider.secrets_in(tmp_path)
    assert main(["check"]) == 0
    assert f"{provider.url}: desk-staff is staff" in capsys.readouterr().out
    main(["check", "--network"])
    said = capsys.readouterr().out
    assert f"port {provider.url.rpartition(':')[2]} (provider)" in said


def test_an_address_that_describes_no_provider_fails_the_check(
    provider: Provider, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Provider(f"{provider.url}/nowhere").secrets_in(tmp_path)
    assert main(["check"]) == 1
    assert "gives no description of a provider" in capsys.readouterr().out
