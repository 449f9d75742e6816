"""Whose address an address is, where requests are counted by it."""

from ipaddress import IPv6Address, ip_address


def network(address: str) -> str:
    """What requests of an IP address are counted by: itself, of IPv6 the network of 64 bits.

    Whoever has one address of such a network has all 2⁶⁴ of them. What is no address is given back as it is.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))
