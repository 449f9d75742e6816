"""What holds for every test."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _main_module_is_put_back() -> Iterator[None]:
    """A screen that is run by AppTest takes the main module's place, and processes started later would run it."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
