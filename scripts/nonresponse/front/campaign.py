"""The campaign that somebody's files are: what look finds, and what it cannot decide, from whoever asks."""

import copy
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nonresponse import config
from nonresponse.config import schema
from nonresponse.dag.campaigns import Campaign
from nonresponse.faults import Fault, printable
from nonresponse.front import Refused
from nonresponse.home import HOME
from nonresponse.look import Looked, page
from nonresponse.look.campaigns import TOGETHER, campaigns
from nonresponse.look.campaigns import Campaign as Found
from nonresponse.look.files import look
from nonresponse.wording import listed

SCHEMA = HOME / "workflow/schemas/config.schema.yaml"
NO_VERDICTS = "is a table of counts, with no verdict on a question"
LEFT_OUT = "Left out: "  # how a note on a file of a folder begins that cannot be read
ASKED = re.compile(r"`(\w+):")  # a key that decides it


class Known(NamedTuple):
    """A campaign as config.yaml has it, and what is to be known of it."""

    name: str
    written: dict[str, Any]
    notes: list[str]  # what its logs say of themselves, and what their content does not decide


def known(paths: Sequence[str], name: str | None = None, options: Mapping[str, Any] | None = None) -> Known:
    """The one campaign that these files are, with these options. Refused where they are none, several, or ambiguous."""
    looked = look([str(path) for path in paths])
    made, faults = campaigns(looked, SCHEMA, set())
    faults = [*looked.refused, *faults]
    found = one_of(made, looked, faults, paths)
    written, options = copy.deepcopy(found.written), dict(options or {})
    open_questions = [line.strip() for line in page.open_questions(found)[1:]]
    of_campaign = schema.read_schema(SCHEMA)["$defs"]["campaign"]["properties"]
    decided = {*options, *["unanswered"] * ("refusals" in options)}
    for line in open_questions:
        keys = ASKED.findall(line)
        if keys and line not in found.notes and not {*keys} & decided:
            values = of_campaign.get(keys[0], {}).get("enum", ["VALUE"])
            given = f"{keys[0]}={values[0]} (--set {keys[0]}={values[0]} on the command line)"
            others = f", or with {' or '.join(values[1:])} in its place" if values[1:] else ""
            raise Refused(printable(f"{paths[0]} does not say {line}. Give it as {given}{others}"))
    for key, value in options.items():
        part = next(part for part in ("judgments", "graded", "counts", "runs") if part in written)
        (written if key in of_campaign else written[part])[key] = value
    left_out = [f"{LEFT_OUT}{printable(line)}" for line in page.refusals(faults)]
    return Known(name or found.name, written, [*left_out, *open_questions])


def one_of(made: list[Found], looked: Looked, faults: list[Fault], paths: Sequence[str]) -> Found:
    """The campaign, if there is one alone and no file that was named is left out."""
    given = [os.path.normpath(path) for path in paths]
    named = [fault for fault in faults if fault.file in given]
    if named or not made:
        lines = page.refusals(named or faults) or [f"{listed(given)}: found no file; expected a log"]
        raise Refused(printable(lines[0] + (f" (and {len(lines) - 1} more)" if len(lines) > 1 else "")))
    if len(made) > 1:
        each = [f"{it.name} ({it.sources[0].format}, {page.several([one.path for one in it.sources])})" for it in made]
        open_questions = [what for it in made for one in it.sources for what in one.undecided]
        apart = [what.removeprefix(TOGETHER) for what in open_questions if what.startswith(TOGETHER)]
        why = f"together, {apart[0]}; give each run a name of its own" if apart else "give the files of one"
        raise Refused(printable(f"These files are {len(made)} campaigns, {listed(each)}: {why}"))
    return made[0]


def checked(known: Known, measures: Sequence[str] | None = None) -> Campaign:
    """The campaign, complete, with these measures, or its own, and the comparison alone. Refused with what is wrong."""
    written = known.written | ({"measures": list(measures)} if measures else {})
    settings = {"campaigns": {known.name: copy.deepcopy(written)}, "reliability": {"analyses": ["comparison"]}}
    try:
        complete = config.checked(settings, SCHEMA, "the files")
    except config.ConfigError as error:
        raise Refused(str(error)) from None
    return Campaign(known.name, complete["campaigns"][known.name], unpacked=complete["unpacked"])
