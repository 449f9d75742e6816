"""Breaks one promise of the product at a time and runs the tests that guard it: `make mutants [M=name]`.

Each `*.toml` beside this file lists small mistakes of a refactoring: the promise, a line as it stands and as it would
stand, and the test files that see it. The product is copied; the checkout stays as it is.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
FOLDER: Final = Path(__file__).parent
Mutant = dict[str, str]


def mutants() -> list[Mutant]:
    return [each for file in sorted(FOLDER.glob("*.toml")) for each in tomllib.loads(file.read_text())["mutant"]]


def copied(folder: Path) -> Path:
    listing = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file() and not name.startswith("docs/screens/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def outcome(mutant: Mutant, tree: Path) -> str:
    """`caught` with the test that failed, `missed`, or `stale` where the line does not stand there once."""
    path = tree / mutant["file"]
    whole = path.read_text() if path.exists() else ""
    if whole.count(mutant["old"]) != 1:
        return f"stale: {mutant['file']} has the line {whole.count(mutant['old'])} times"
    path.write_text(whole.replace(mutant["old"], mutant["new"]))
    pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not long", "-p", "no:cacheprovider"]
    try:
        run = subprocess.run(
            [*pytest, *mutant["tests"].split()], cwd=tree, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        path.write_text(whole)
    failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    if run.returncode == 1 and failed:
        return f"caught: {failed[0].partition(' - ')[0]}"
    return f"missed (pytest ended with {run.returncode})"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    chosen = [each for each in mutants() if not asked.names or each["name"] in asked.names]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(asked.workers):
            trees.put(copied(Path(folder) / str(number)))

        def tried(mutant: Mutant) -> str:
            tree = trees.get()
            try:
                return outcome(mutant, tree)
            finally:
                trees.put(tree)

        survivors = 0
        with ThreadPoolExecutor(asked.workers) as pool:
            for mutant, end in zip(chosen, pool.map(tried, chosen), strict=True):
                survivors += not end.startswith("caught")
                print(f"{mutant['name']}: {end}", flush=True)
    print(f"{len(chosen)} mutants, {survivors} not caught")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
