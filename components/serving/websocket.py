"""The live connection: how far back what is sent is compressed by what was sent before."""

from functools import partial

from uvicorn.protocols.websockets import websockets_sansio_impl as platforms

# platform: name uvicorn.protocols.websockets.websockets_sansio_impl.ServerPerMessageDeflateFactory
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory


def compress_by_the_run_before() -> None:
    """Let this process's server look back 32 kB, the most there is, for what it sends; to be called before it is made.

    A run of a screen is some 20 to 30 kB, most of it as in the run before. The server looks back 4 kB, and has no
    option for it: it would send 14 kB of New order where 1 is new (docs/platform-notes/live-connection.md).
    """
    wide = partial(_factory, ServerPerMessageDeflateFactory)
    platforms.ServerPerMessageDeflateFactory = wide  # type: ignore[assignment,attr-defined]


def _factory(
    make: type[ServerPerMessageDeflateFactory], *, client_max_window_bits: int, **_: object
) -> ServerPerMessageDeflateFactory:
    return make(client_max_window_bits=client_max_window_bits, compress_settings={"memLevel": 5})
