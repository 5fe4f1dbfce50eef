"""An analysis of one measure: its tables, or what one block of its trials counts."""

import argparse
import json
from pathlib import Path


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    tables = commands.add_parser("measure", help="the tables of an analysis")
    block = commands.add_parser("block", help="what a block of its trials counts, for `measure --counted`")
    for command in (tables, block):
        command.add_argument("analysis", help="such as stability")
        command.add_argument("--campaign", required=True, help="its name, which the random draws follow from")
        command.add_argument("--task", required=True, help="such as qa")
        command.add_argument("--measure", required=True, help="its id, such as c@1")
        command.add_argument("--file", required=True, type=Path, help="verdicts.parquet")
        command.add_argument(
            "--policy", required=True, type=json.loads, help="what unscored, error and partial count as, a JSON object"
        )
        command.add_argument(
            "--settings", required=True, type=json.loads, help="those that the analysis reads, a JSON object"
        )
    tables.add_argument("--counted", nargs="*", default=[], type=Path, help="what all blocks counted; none: count here")
    tables.add_argument("--output", required=True, nargs="+", type=Path, help="the Parquet files to write")
    block.add_argument("--block", required=True, type=int, help="which one, from 0")
    block.add_argument("--blocks", required=True, type=int, help="of so many")
    block.add_argument("--output", required=True, type=Path, help="the .npz file to write")
    return parser.parse_args()


def main() -> None:
    options = vars(arguments())
    from nonresponse.reliability import jobs, subsets

    command = {"measure": jobs.make_tables, "block": jobs.count_block}[options.pop("command")]
    try:
        command(**options)
    except subsets.SizeError as error:
        raise SystemExit(f"campaigns.{options['campaign']}: {error}") from None


if __name__ == "__main__":
    main()
