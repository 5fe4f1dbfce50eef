"""Looks at files: what the workflow takes them for and why, what of them it would read, and the block for config.yaml.

Run it in the folder in which snakemake runs. Of a folder it looks at all files in it and below.
"""

import argparse
import sys
from pathlib import Path

from nonresponse.home import HOME

SCHEMA = HOME / "workflow/schemas/config.schema.yaml"


def main(files: list[str], write: Path | None, name: str | None = None) -> None:
    from nonresponse.look import block
    from nonresponse.look.campaigns import NoPlace, campaigns, renamed
    from nonresponse.look.files import look
    from nonresponse.look.page import page

    try:
        taken = block.names_in(write) if write else set()
        looked = look(files)
        made, faults = campaigns(looked, SCHEMA, taken)
        made = renamed(made, name, taken)
        print(page(made, looked, [*looked.refused, *faults]), end="")
        if write and made:
            block.append(made, write)
            print(f"\n{write} has {', '.join(campaign.name for campaign in made)} now.")
    except NoPlace as error:
        sys.exit(str(error))
    sys.exit(0 if made else 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file or a folder")
    parser.add_argument(
        "--name", help="of the campaign: small letters, digits, hyphens; of several, with their numbers"
    )
    parser.add_argument("--write", type=Path, metavar="CONFIG", help="append the block to this config.yaml")
    main(**vars(parser.parse_args()))
