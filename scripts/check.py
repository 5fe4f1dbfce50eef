"""All faults of a campaign's files in one report; exit 1 if there is any, so that no later job runs."""

import sys
from pathlib import Path

from nonresponse import commands
from nonresponse.settings import Options

OPTIONS = {
    "options": {"type": commands.from_json, "help": "task and files as in config.yaml, a JSON object"},
    "faults": {"type": commands.from_json, "help": "the tables of faults within the folder, a JSON list"},
    "shards": {"type": commands.from_json, "help": "the numbers of the shards, a JSON list"},
    "accounts": {"type": commands.from_json, "help": "the tables of what logs say of themselves within it, as JSON"},
    "report": {"type": Path, "help": "where the report goes when there are faults"},
    "output": {"type": Path, "help": "the certificate to write when there are none"},
    "data": {"type": Path, "help": "the same as JSON, for pages"},
}


def main(
    campaign: str,
    options: Options,
    folder: Path,
    faults: list[str],
    shards: list[int],
    accounts: list[str],
    report: Path,
    output: Path,
    data: Path,
) -> None:
    from nonresponse import tables
    from nonresponse.faults import report as as_text
    from nonresponse.ingest import check, doubts, imports
    from nonresponse.pages import blocks

    said = imports.read_accounts(folder / name for name in accounts)
    faulty, there, names = check.checked(options, folder, faults, shards, said)
    if faulty:
        tables.write_text(as_text(faulty, campaign), report)
        sys.stderr.write(as_text(faulty, campaign, str(report)))
        raise SystemExit(1)
    report.unlink(missing_ok=True)
    found, notes = f"no faults; {there}", doubts.dropped(options, folder, shards)
    notes += doubts.judged_in_part(options, folder, shards)
    notes += doubts.doubts(*names, options.get("attributes"))
    if accounts:
        format = next(part["format"] for part in (options.get("graded"), options.get("counts")) if part)
        notes += imports.warnings(said, format)
    tables.write_text("".join(f"{line}\n" for line in [f"{campaign}: {found}", *notes]), output)
    heading = "What the check of the files found"
    blocks.write({"found": blocks.Topic(heading, [found]), "notes": blocks.Topic("Notes", notes)}, data)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
