"""`make fuzz N=10000`: so many campaigns of each kind, counted beside a reference; exit 1 if
anything is found.

python -m fuzz --counted 10000 --kinds raw graded     campaigns of these kinds
python -m fuzz --kind raw 12                          one of them again
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="An attack on counts.")
    parser.add_argument("--counted", type=int, default=200, help="how many of each kind to count")
    parser.add_argument("--kinds", nargs="+", help="which kinds to count; else all")
    parser.add_argument("--first", type=int, default=0, help="the number of the first to count")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other campaigns")
    parser.add_argument(
        "--kind", nargs=2, metavar=("KIND", "NUMBER"), help="count a campaign again, and show it"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--folder", type=Path, help="where the files of findings are written")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    # Before Polars is loaded, by workers, too
    os.environ["POLARS_MAX_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
    from fuzz.attack import attack
    from fuzz.counted.beside import KINDS, explained

    folder = options.folder or Path(tempfile.mkdtemp(prefix="nonresponse-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    if options.kind:
        print(explained(options.kind[0], options.seed, int(options.kind[1]), folder))
        return
    kinds = options.kinds or KINDS
    numbers = {kind: range(options.first, options.first + options.counted) for kind in kinds}
    found = attack(numbers, options.seed, options.processes, folder)
    print(f"{options.counted:,} of {', '.join(kinds)}: {found} findings, in {folder}")
    print("each again: PYTHONPATH=src:tests python -m fuzz --kind KIND NUMBER")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
