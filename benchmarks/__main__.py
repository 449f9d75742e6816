"""`python -m benchmarks [NAME …]`: run the benchmarks, print the table, keep it in docs/benchmarks.md.

Every module here with a `measure()` is a benchmark; each runs in a process of its own, one after the other. With
names only these are run, and only their sections of the document are replaced.
"""

import argparse
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from benchmarks.report import keep, names, row, run, section


def main() -> int:
    """Run what was asked for; the status is 1 when a benchmark could not be run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names())}; none: all")
    parser.add_argument("--print-only", action="store_true", help="leave docs/benchmarks.md as it is")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(names())
    if unknown:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    sections, failed = {}, False
    for name in arguments.names or names():
        started = time.perf_counter()
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
            try:
                results = process.submit(run, name).result()
            except Exception as problem:  # noqa: BLE001 - one benchmark that fails must not lose the others
                print(f"{name} could not be run: {problem!r}", file=sys.stderr)
                failed = True
                continue
        sections[name] = section(name, results)
        print(f"{name} ({time.perf_counter() - started:.0f} s)")
        for result in results:
            print(f"  {row(result)}")
    if not arguments.print_only:
        keep(sections)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
