"""The quick journeys so many times, beside so many busy loops: `python -m tests.browser.again 100 --beside 2`.

Stops at the first run in which one fails, and prints it. What comes once in a hundred runs comes here.
"""

import argparse
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
_RUN: Final = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not long")


def _busy() -> None:
    while True:
        pass


@contextmanager
def _beside(loops: int) -> Iterator[None]:
    """So many cores' worth of something else."""
    others = [multiprocessing.Process(target=_busy, daemon=True) for _ in range(loops)]
    for each in others:
        each.start()
    try:
        yield
    finally:
        for each in others:
            each.terminate()


def main() -> int:
    """Run them; the exit status is that of the run that failed."""
    reader = argparse.ArgumentParser(prog="python -m tests.browser.again", description=__doc__)
    reader.add_argument("times", type=int, help="how many runs")
    reader.add_argument("--beside", type=int, default=0, metavar="LOOPS", help="busy loops beside them")
    reader.add_argument("tests", nargs="*", default=[str(_HERE)], help="instead of all of this folder")
    asked = reader.parse_args()
    with _beside(asked.beside):
        for number in range(1, asked.times + 1):
            begun = time.monotonic()
            run = subprocess.run(
                [*_RUN, *asked.tests], cwd=_HERE.parents[1], capture_output=True, text=True, check=False
            )
            took = f"run {number} of {asked.times}: {time.monotonic() - begun:.0f} s"
            sys.stdout.write(f"{took}, {'all passed' if run.returncode == 0 else 'failed'}\n")
            sys.stdout.flush()
            if run.returncode:
                sys.stdout.write(run.stdout + run.stderr)
                return run.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
