"""By what requests of an address are counted."""

import pytest

from warranty.places.network import network


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"), ("2001:db8:0:1:ffff::9", "2001:db8:0:1::"),
        ("::ffff:192.0.2.7", "192.0.2.7"), ("", ""), ("this machine", "this machine"),
    ],
)  # fmt: skip
def test_one_address_of_a_network_of_64_bits_counts_as_all_of_them(address: str, counted: str) -> None:
    assert network(address) == counted
