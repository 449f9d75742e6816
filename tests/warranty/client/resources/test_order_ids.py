"""Order numbers that can be guessed get a warning, random ones none."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warranty.client.resources import order_id_warning


@pytest.mark.parametrize(
    ("order_id", "warning"),
    [
        *((order_id, "easy to guess") for order_id in (
            "1001", "#1001", "ORD-000123", "ord_17", "INV2026/0042", "2026-11-21-0001", "6599143014002",
            "SO 12", "A1001B",
        )),
        *((order_id, "") for order_id in ("abc", "x7", "7f-2")),
    ],
)  # fmt: skip
def test_an_order_id_that_counts_or_is_short_gets_a_warning(order_id: str, warning: str) -> None:
    given_warning = order_id_warning(order_id)
    assert given_warning is not None
    assert warning in given_warning


@pytest.mark.parametrize(
    "order_id",
    ["7689dde5c0f64fffa7ad217f6f73", "123e4567-e89b-12d3-a456-426614174000", "01J9ZQ3V6K8T2M4N5P7R9S0W1X",
     "dQw4w9WgXcQ-3f", ""],
)  # fmt: skip
def test_a_random_order_id_gets_none(order_id: str) -> None:
    assert order_id_warning(order_id) is None


@given(st.uuids(version=4))
def test_no_uuid_gets_a_warning(order_id: uuid.UUID) -> None:
    assert order_id_warning(str(order_id)) is None
    assert order_id_warning(order_id.hex) is None


@given(st.integers(min_value=0, max_value=10**12), st.sampled_from(["", "#", "ORD-", "order ", "S/"]))
def test_every_number_behind_a_prefix_gets_a_warning(number: int, prefix: str) -> None:
    assert order_id_warning(f"{prefix}{number}") is not None
