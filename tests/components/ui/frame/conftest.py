"""The script of every run, with somebody signed in."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from components import wiring
from tests.builders import STAFF
from tests.components.stage import Stage
from tests.dashboard import ROOT
from warranty.access import Operator

OpenShell = Callable[[Operator], AppTest]


@pytest.fixture
def tab_of(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> OpenShell:
    def open_shell(operator: Operator) -> AppTest:
        signed_in = SimpleNamespace(
            operator=lambda **_: operator,
            people=stage.runtime.staff.sign_in.people,
            watch=lambda: lambda: operator,
            works=lambda: None,
            began_at=lambda: datetime.now(UTC),
            begin_sign_out=None,
            tries=None,
            stay=None,
        )
        staff = replace(stage.runtime.staff, sign_in=signed_in)  # type: ignore[arg-type]
        runtime = replace(stage.runtime, staff=staff)
        monkeypatch.setattr(wiring, "runtime", lambda: runtime)
        return AppTest.from_file(str(ROOT / "components" / "shell.py"), default_timeout=30)

    return open_shell


@pytest.fixture
def shell(tab_of: OpenShell) -> AppTest:
    return tab_of(STAFF)
