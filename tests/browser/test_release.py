"""What a shop installs: the wheel alone, in an environment and a folder without the repository."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from playwright.sync_api import Page

from tests.browser.browser_shop import come
from tests.dashboard import ROOT, Dashboard
from warranty import VERSION

PRODUCT = ("launch.py", "app.py", ".streamlit/config.toml", "pages", "components", "warranty", "sandbox")


def run(*command: str | Path, folder: Path = ROOT) -> str:
    # Where this process found its modules is nothing that an installed program may lean on.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "WARRANTY_"))}
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=150
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder)
    return folder


def fresh_environment(folder: Path) -> Path:
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    return folder / "bin" / "python"


def install(python: Path, *what: str | Path) -> None:
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", *what)


@pytest.fixture(scope="module")
def installed(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`warranty-desk` of a fresh environment that borrows the libraries of this one."""
    python = fresh_environment(tmp_path_factory.mktemp("environment"))
    libraries = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    (Path(libraries) / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    install(python, "--no-deps", "--no-index", *released.glob("*.whl"))
    return python.with_name("warranty-desk")


def tracked(paths: Sequence[str]) -> set[str]:
    listed = subprocess.run(["git", "ls-files", "-z", *paths], cwd=ROOT, capture_output=True, check=True).stdout
    return set(filter(None, listed.decode().split("\0")))


def test_the_wheel_takes_in_all_of_the_product_in_a_folder_of_its_own_and_the_sdist_the_tests_too() -> None:
    """`pages` and `components` at the top of site-packages would be everybody's."""
    wheel, sdist = (
        {Path(file.distribution_path).as_posix() for file in builder(str(ROOT)).recurse_included_files()}
        for builder in (WheelBuilder, SdistBuilder)
    )
    assert wheel == {f"warranty_desk/{name}" for name in tracked(PRODUCT)}
    assert tracked(["."]) <= sdist | {".gitignore"}


@pytest.mark.long
def test_a_desk_from_the_wheel_starts_in_an_empty_folder(installed: Path, tmp_path: Path, page: Page) -> None:
    assert run(installed, "--version", folder=tmp_path) == f"Warranty Desk {VERSION}\n"
    with Dashboard(tmp_path / "data", command=[str(installed)], folder=tmp_path) as desk:
        assert httpx.get(f"{desk.url}/healthz").json() == {"status": "ok", "environment": "sandbox"}
        assert "What the desk adds to the platform's page" in httpx.get(desk.url).text
        assert f"URL: http://127.0.0.1:{desk.port}" in desk.log  # our .streamlit/config.toml is in force
        assert f"at work in {tmp_path}" in desk.log
        come(page, desk, "manager")
        assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.long
@pytest.mark.timeout(400)  # it fetches them all
def test_the_wheel_installs_with_the_locked_libraries_into_a_fresh_environment(released: Path, tmp_path: Path) -> None:
    python = fresh_environment(tmp_path / "environment")
    install(python, "--no-compile", "--require-hashes", "-r", ROOT / "requirements.txt")  # half of it is never run
    install(python, "--no-deps", "--no-index", *released.glob("*.whl"))
    run(sys.executable, "-m", "pip", "--python", python, "check")
    shop = tmp_path / "shop"
    shop.mkdir()
    with Dashboard(shop / "data", command=[str(python.with_name("warranty-desk"))], folder=shop) as desk:
        assert httpx.get(f"{desk.url}/healthz").json()["status"] == "ok"
