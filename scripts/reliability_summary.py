"""The tables of an analysis that are of a whole campaign, such as those with a row per measure."""

import argparse
import json
from pathlib import Path


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("analysis", help="such as swap")
    parser.add_argument("--task", required=True, help="such as qa")
    parser.add_argument("--settings", required=True, type=json.loads, help="those that it reads, a JSON object")
    parser.add_argument("--files", required=True, nargs="+", type=Path, help="the tables to summarise")
    parser.add_argument("--published", nargs="*", default=[], type=Path, help="published tables to set beside")
    parser.add_argument("--output", required=True, nargs="+", type=Path, help="the CSV files to write")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    from nonresponse import tables
    from nonresponse.reliability import analyses

    summary = analyses.get(options.analysis).summary
    found = summary.make(options.files, options.task, options.settings, options.published)
    for table, path in zip(found, options.output, strict=True):
        tables.write_text(table.write_csv(), path)


if __name__ == "__main__":
    main()
