"""`python -m tests.attacks.egress run app.py`: Streamlit, in a network that lets nothing out but to this machine.

Whatever the process asks of the network or of another program is written down, line by line, in the file that
EGRESS_LOG names. What would leave is refused at once, or met with silence, as the file beside it says (`.silent`).
"""

import os
import runpy
import sys
import time
from pathlib import Path
from typing import Any

LOG = Path(os.environ["EGRESS_LOG"])
SILENT = LOG.with_suffix(".silent")
_TO = {"socket.connect", "socket.sendto", "socket.sendmsg"}
_NAMES = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
_PROGRAMS = {"subprocess.Popen", "os.system", "os.posix_spawn", "os.exec"}


def heard(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _TO and isinstance(arguments[1], tuple):
        host, port = arguments[1][:2]
    elif event in _NAMES:
        host, port = arguments[0], arguments[1] if len(arguments) > 1 else 0
    elif event in _PROGRAMS:
        _write(f"{event} {arguments[0]!r}")
        return
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    _write(f"{event} {host} {port}")
    if host not in {"127.0.0.1", "localhost", None, ""}:
        if SILENT.exists():
            time.sleep(1)
        raise ConnectionRefusedError(f"nothing leaves for {host}")


def _write(line: str) -> None:
    with LOG.open("a") as log:
        log.write(f"{line}\n")


if __name__ == "__main__":
    sys.addaudithook(heard)
    sys.argv = ["streamlit", *sys.argv[1:]]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
