"""The campaign that somebody's files are: what look finds, and what it cannot decide, from whoever asks."""

import copy
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nonresponse import config
from nonresponse.config import schema
from nonresponse.dag.campaigns import Campaign
from nonresponse.faults import printable
from nonresponse.front import Refused
from nonresponse.home import HOME
from nonresponse.look import Looked, page
from nonresponse.look.campaigns import Campaign as Found
from nonresponse.look.campaigns import campaigns
from nonresponse.look.files import look

SCHEMA = HOME / "workflow/schemas/config.schema.yaml"
ASKED = re.compile(r"\(`(\w+):")  # the key that decides it


class Known(NamedTuple):
    """A campaign as config.yaml has it, and what is to be known of it."""

    name: str
    written: dict[str, Any]
    notes: list[str]  # what its logs say of themselves, and what their content does not decide


def known(paths: Sequence[str], name: str | None = None, options: Mapping[str, Any] | None = None) -> Known:
    """The one campaign that these files are, with these options. Refused where they are none, several, or ambiguous."""
    looked = look([str(path) for path in paths])
    made, faults = campaigns(looked, SCHEMA, set())
    found = one_of(made, looked, [*looked.refused, *faults], paths)
    written, options = copy.deepcopy(found.written), dict(options or {})
    open_questions = [line.strip() for line in page.open_questions(found)[1:]]
    for line in open_questions:
        key = ASKED.search(line)
        if key and line not in found.notes and key[1] not in options:
            raise Refused(f"{paths[0]} does not say {line}. Decide it: {key[1]}=…")
    of_campaign = schema.read_schema(SCHEMA)["$defs"]["campaign"]["properties"] if options else ()
    for key, value in options.items():
        part = next(part for part in ("judgments", "graded", "counts", "runs") if part in written)
        (written if key in of_campaign else written[part])[key] = value
    return Known(name or found.name, written, open_questions)


def one_of(made: list[Found], looked: Looked, faults: list, paths: Sequence[str]) -> Found:
    """The campaign, if there is one alone and no file that was named is left out."""
    named = [fault for fault in faults if fault.file in map(str, paths)]
    if named or not made:
        lines = page.refusals(named or faults) or [f"{', '.join(map(str, paths))}: found no file; expected a log"]
        raise Refused(printable(lines[0] + (f" (and {len(lines) - 1} more)" if len(lines) > 1 else "")))
    if len(made) > 1:
        kinds = "; ".join(
            f"{one.name} ({one.sources[0].format}, {page.several([s.path for s in one.sources])})" for one in made
        )
        raise Refused(f"These files are {len(made)} campaigns, of which one at a time is evaluated: {printable(kinds)}")
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
