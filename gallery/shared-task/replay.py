"""A shared task from its first run to its last: each submitted file is evaluated as it comes, the page made at the end.

In a folder of its own, which holds what an organiser's repository would: config.yaml, truth.jsonl, submissions/ and
history.parquet.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parents[1] / "src"


def nonresponse(folder: Path, *arguments: str) -> None:
    """A command in the folder, of the clone that this file is in."""
    code = f"import sys; sys.path[0] = {str(LIBRARY)!r}; from nonresponse.front.command import main; main()"
    subprocess.run([sys.executable, "-c", code, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def replay(truth: Path, submitted: list[Path], folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "submissions").mkdir(parents=True)
    shutil.copy(HERE / "config.yaml", folder)
    shutil.copy(truth, folder / "truth.jsonl")
    for file in submitted:
        shutil.copy(file, folder / "submissions")
        nonresponse(folder, "history", "shared-task", "--label", file.stem)
    nonresponse(folder, "run")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--truth", type=Path, required=True, help="the right answers")
    parser.add_argument("--folder", type=Path, required=True, help="where it happens; what is there is removed")
    parser.add_argument("submitted", type=Path, nargs="+", help="the runs, in the order in which they come in")
    given = parser.parse_args()
    replay(given.truth, given.submitted, given.folder)
