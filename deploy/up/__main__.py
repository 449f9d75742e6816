"""`make up`: a chain on this machine, for trying it. Ctrl-C ends all of it and removes what it wrote."""

import signal
import sys
import threading

from components.people.sign_in.training import TRAINING_ACCOUNTS
from deploy.up.chain import Chain
from deploy.up.machine import MissingProgram


def main() -> int:
    """Run until Ctrl-C or SIGTERM; 0 then, 1 where a program is missing."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    _say("Starting PostgreSQL, the sandbox, two replicas and nginx …")
    try:
        with Chain() as chain:
            accounts = ", ".join(f"{entry.username} / {entry.password}" for entry in TRAINING_ACCOUNTS)
            _say(f"""
Open       {chain.proxy.url}
Authority  {chain.proxy.ca_file}
           made for this run: trust it in the browser, or pass its warning by
Sign in    {accounts}
Replicas   {", ".join(f"{replica.url} (process {replica.pid})" for replica in chain.replicas)}
           end one with `kill` and see the other take over; logs in {chain.folder}
Ctrl-C ends all and removes what was written.""")
            stop.wait()
            _say("Ending …")
    except MissingProgram as missing:
        _say(f"{missing}\n`make up` needs Debian's nginx-light and postgresql; `make run` needs neither.")
        return 1
    return 0


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
