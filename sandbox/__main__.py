"""`python -m sandbox`: the stand-in alone. One line of JSON on stdout says where it is; logs go to stderr."""

import argparse
import json
import logging
import signal
import sys
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from sandbox.server import SandboxServer
from sandbox.service.service import Seed
from sandbox.store.claim_book import ClaimsOrder
from sandbox.store.database import SandboxDataProblem


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until SIGTERM or SIGINT; 0 when stopped so, 1 when it could not start."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    sandbox = SandboxServer(
        seed=options.seed,
        port=options.port,
        landing_port=options.landing_port,
        data=options.data,
        random_seed=options.random_seed,
        claims_order=options.claims_order,
        public_token_header=options.public_token_header,
        clock=options.clock,
        tokens=options.tokens,
    )
    try:
        sandbox.start()
    except (SandboxDataProblem, OSError) as problem:
        sys.stderr.write(f"The sandbox cannot start: {problem}\n")
        return 1
    try:
        sys.stdout.write(json.dumps(sandbox.access()) + "\n")
        sys.stdout.flush()
        stop.wait()
    finally:
        sandbox.stop()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="A stand-in of the warranty service.")
    parser.add_argument("--port", type=int, default=0, help="port of the interface (HTTPS); 0: any free one")
    parser.add_argument("--landing-port", type=int, default=0, help="port of the landing pages (HTTP); 0: any")
    parser.add_argument("--data", type=Path, metavar="FILE", help="keep everything in this file (default: memory)")
    parser.add_argument("--seed", choices=get_args(Seed), default="demo", help="what it holds at first")
    parser.add_argument(
        "--tokens",
        default="sandbox",
        metavar="WORD",
        help="what its tokens begin with; a desk that is not called a sandbox takes none of the default's",
    )
    parser.add_argument("--random-seed", type=int, default=1, help="another number, other demo data")
    parser.add_argument(
        "--claims-order",
        choices=get_args(ClaimsOrder),
        default="shuffled",
        help="order of the claims in a response; the interface names none, so it is shuffled",
    )
    parser.add_argument(
        "--public-token-header", default="Authorization", metavar="NAME", help="header of the public token"
    )
    parser.add_argument("--clock", type=_moment, metavar="TIME", help="stand still at this time (ISO 8601)")
    return parser


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


if __name__ == "__main__":
    sys.exit(main())
