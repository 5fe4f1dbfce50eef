"""`make fuzz N=100000`: so many damaged files, a tenth as many campaigns of each kind that is counted beside a
reference, and a campaign of odd values for every 200 files; exit 1 if anything is found.

python -m fuzz --cases 100000            cases 0 to 99,999 of seed 1
python -m fuzz --case 12345              one of them again
python -m fuzz --campaign 12             one of the campaigns of odd values again
python -m fuzz --cases 0 --counted 10000 --kinds raw graded     campaigns beside a reference alone, of these kinds
python -m fuzz --kind raw 12             one of them again
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="An attack on the readers.")
    parser.add_argument("--cases", type=int, default=2000, help="how many damaged files to read")
    parser.add_argument("--campaigns", type=int, help="how many campaigns to evaluate; else one for every 200 cases")
    parser.add_argument("--counted", type=int, help="how many of each kind to count; else one for every 10 cases")
    parser.add_argument("--kinds", nargs="+", help="which kinds to count; else all")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case, and of the first to count")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other cases")
    parser.add_argument("--case", type=int, help="read one case again, and show it")
    parser.add_argument("--campaign", type=int, help="evaluate one campaign again, and show it")
    parser.add_argument("--kind", nargs=2, metavar=("KIND", "NUMBER"), help="count a campaign again, and show it")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--folder", type=Path, help="where the files of findings are written")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    os.environ["POLARS_MAX_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # before Polars is loaded, by workers, too
    from fuzz.attack import attack, explained
    from fuzz.counted.beside import KINDS

    folder = options.folder or Path(tempfile.mkdtemp(prefix="nonresponse-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    for what in ("case", "campaign"):
        if (number := getattr(options, what)) is not None:
            print(explained(what, options.seed, number, folder))
            return
    if options.kind:
        print(explained(options.kind[0], options.seed, int(options.kind[1]), folder))
        return
    many = options.cases // 200 if options.campaigns is None else options.campaigns
    each = options.cases // 10 if options.counted is None else options.counted
    numbers = {"case": range(options.first, options.first + options.cases), "campaign": range(many)}
    numbers |= {kind: range(options.first, options.first + each) for kind in options.kinds or KINDS}
    found = attack(numbers, options.seed, options.processes, folder)
    counted = f"{each:,} of {', '.join(options.kinds or KINDS)}"
    print(
        f"{options.cases:,} cases, {many:,} campaigns, {counted} of seed {options.seed}: {found} findings, in {folder}"
    )
    print(f"each again: PYTHONPATH=src:tests python -m fuzz --seed {options.seed} --case NUMBER, --campaign NUMBER")
    print("or --kind KIND NUMBER")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
