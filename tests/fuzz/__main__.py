"""`make fuzz N=10000`: so many campaigns of each kind, counted beside a reference; exit 1 if
anything is found.

python -m fuzz --counted 10000 --kinds raw graded     campaigns of these kinds
python -m fuzz --kind raw 12                          one of them again
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

SIZE = 50  # campaigns that a process does at a time


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
    from fuzz.counted.check import KINDS, check_case, explain

    folder = options.folder or Path(tempfile.mkdtemp(prefix="nonresponse-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    if options.kind:
        print(explain(options.kind[0], options.seed, int(options.kind[1]), folder))
        return
    printed, spawn = set(), multiprocessing.get_context("spawn")
    kinds = options.kinds or KINDS
    with ProcessPoolExecutor(options.processes, spawn) as pool:
        for kind in kinds:
            numbers = range(options.first, options.first + options.counted)
            tasks = (repeat(kind), repeat(options.seed), numbers, repeat(folder))
            results = zip(numbers, pool.map(check_case, *tasks, chunksize=SIZE), strict=True)
            for number, result in results:
                if result and result[:2] not in printed:  # each sort once
                    printed.add(result[:2])
                    print(f"{explain(kind, options.seed, number, folder)}\n", flush=True)
    print(f"{options.counted:,} of {', '.join(kinds)}: {len(printed)} findings, in {folder}")
    print("each again: PYTHONPATH=src:tests python -m fuzz --kind KIND NUMBER")
    sys.exit(len(printed) > 0)


if __name__ == "__main__":
    main()
