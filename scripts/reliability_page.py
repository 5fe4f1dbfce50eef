"""The page on a campaign's reliability: figures, tables, and sentences on what the analyses found."""

import argparse
import json
from pathlib import Path


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaign", required=True, help="its name")
    parser.add_argument("--task", required=True, help="such as qa")
    parser.add_argument(
        "--folder", required=True, type=Path, help="the campaign's results; the page is written here too"
    )
    parser.add_argument("--settings", required=True, type=json.loads, help="those that the page reads, a JSON object")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    from nonresponse.reliability import page

    page.write(page.Campaign(options.campaign, options.task, options.folder, options.settings))


if __name__ == "__main__":
    main()
