"""The address of a landing page, and the way back from an address to an order id."""

from urllib.parse import quote, unquote_to_bytes


def landing_page_address(landing_url: str, retailer_uuid: str, order_id: str) -> str:
    """{landing_url}/carts/<retailer_uuid>/checkout/<order_id> (section "POST /api/carts").

    The order id is percent-encoded whole, slashes too, so that it stays one segment of the path.
    """
    # Assumption landing.percent-encoding
    return f"{landing_url}/carts/{retailer_uuid}/checkout/{quote(order_id, safe='')}"


def segments(raw_path: bytes) -> list[str] | None:
    """The segments of a path as the client wrote it, decoded one by one; None where one is no text.

    Decoding before splitting would let an encoded slash reach another order.
    """
    try:
        return [unquote_to_bytes(part).decode("utf-8") for part in raw_path.split(b"/")]
    except UnicodeDecodeError:
        return None
