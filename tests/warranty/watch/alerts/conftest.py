"""A mail server, a webhook and a file that are told, and the settings that name them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.warranty.watch.alerts.receivers import SECRET, Hook, Mailbox, hook_receiver, mail_server
from warranty.settings import Settings, load_settings

MakeSettings = Callable[..., Settings]


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def mailbox(authority: trustme.CA) -> Iterator[Mailbox]:
    with mail_server(authority) as taken:
        yield taken


@pytest.fixture
def hook(authority: trustme.CA) -> Iterator[Hook]:
    with hook_receiver(authority) as taken:
        yield taken


@pytest.fixture
def ca_file(authority: trustme.CA, tmp_path: Path) -> str:
    path = tmp_path / "authorities.pem"
    authority.cert_pem.write_to_path(str(path))
    return str(path)


@pytest.fixture
def by_mail(mailbox: Mailbox) -> dict[str, Any]:
    return {
        "alert_mail_to": "office@shop.example, owner@shop.example", "smtp_host": "localhost", "smtp_port": mailbox.port,
        "smtp_user": "desk", "smtp_password": "planted-password", "smtp_from": "desk@shop.example",
    }  # fmt: skip


@pytest.fixture
def by_hook(hook: Hook) -> dict[str, Any]:
    return {"alert_webhook": hook.url, "alert_webhook_secret": SECRET}


@pytest.fixture
def settings(tmp_path: Path, ca_file: str) -> MakeSettings:
    def make(*ways: dict[str, Any], **given: Any) -> Settings:
        told = {name: value for way in ways for name, value in way.items()}
        return load_settings({"data_dir": str(tmp_path), "alert_ca_file": ca_file, **told, **given})

    return make
