"""Makes a campaign from files: what `look` finds, and the caller's options for what it cannot decide."""

import copy
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nonresponse import campaign as config
from nonresponse import tasks
from nonresponse.campaign.keys import allowed_values, keys_of
from nonresponse.campaign.models import Campaign as Keys
from nonresponse.faults import Fault, printable, shown
from nonresponse.formats.metric_tables import from_which
from nonresponse.formats.tabular import OF_QUESTIONS
from nonresponse.front import Refused
from nonresponse.look import Looked, page
from nonresponse.look.campaigns import Campaign as Found
from nonresponse.look.campaigns import campaigns, read_campaign
from nonresponse.look.files import look
from nonresponse.wording import listed
from nonresponse.workflow.campaigns import Campaign

NO_VERDICTS = "is a table of counts, with no verdict on a question"
ASKED = re.compile(r"`(\w+):")  # a key of config.yaml that decides an open question


class Known(NamedTuple):
    """A campaign as config.yaml has it, with notes on it."""

    name: str
    written: dict[str, Any]
    left_out: list[str]  # files in the folder that cannot be read, each with the reason
    notes: list[str]  # questions that the files leave open, and notes of the logs


def known(paths: Sequence[str], name: str | None = None, options: Mapping[str, Any] | None = None) -> Known:
    """The campaign of these files, with these options. Refused where they are none or several, or something is open."""
    if not paths:
        raise Refused("No file is named: give a file or a folder, or several")
    looked = look([str(path) for path in paths])
    made, faults = campaigns(looked, set())
    faults = [*looked.refused, *faults]
    found = one_of(made, looked, faults, paths)
    options = dict(options or {})
    before, found = found, with_options(found._replace(name=name or found.name), options)
    decided = {*options, *["unanswered"] * ("refusals" in options)}
    lines = [line.strip() for line in page.open_questions(found)[1:]]
    lines = [line for line in lines if line in found.notes or not {*ASKED.findall(line)} & decided]
    metric, now = (it.written.get("graded", {}).get("metric") for it in (before, found))
    if metric != now:  # what look asks of the metric that it would have taken is not asked of another
        lines = [line for line in lines if line in found.notes or shown(metric) not in line]
        between = found.rows.filter(verdict="partial").height
        lines += [from_which(now, between)] if between and "correct_from" not in decided else []
    of_campaign = keys_of(Keys)
    for line in lines:
        keys = ASKED.findall(line)
        if keys and line not in found.notes:
            values = allowed_values(of_campaign[keys[0]].type) if keys[0] in of_campaign else ()
            values = values or ("VALUE",)
            given = f"{keys[0]}={values[0]} (--set {keys[0]}={values[0]} on the command line)"
            others = f", or with {' or '.join(values[1:])} in its place" if values[1:] else ""
            raise Refused(printable(f"{paths[0]} does not say {line}. Give it as {given}{others}"))
    left_out = [f"Left out: {printable(line)}" for line in page.refusals(faults)]
    return Known(found.name, found.written, left_out, lines)


def with_options(found: Found, options: Mapping[str, Any]) -> Found:
    """The campaign with these options, and with the rows and notes of its logs as they are then read.

    Refused where they cannot be read so.
    """
    written, of_campaign = copy.deepcopy(found.written), keys_of(Keys)
    for key, value in options.items():
        part = next(part for part in ("judgments", "graded", "counts", "runs") if part in written)
        of_part = written[part].setdefault("columns", {}) if key in OF_QUESTIONS else written[part]
        (written if key in of_campaign else of_part)[key] = value
    found = found._replace(written=written)
    if {*options} <= {*of_campaign}:
        return found
    rows, notes, faults = read_campaign(checked(Known(found.name, written, [], [])).options)
    if faults:
        raise Refused(printable(first_of(page.refusals(faults))))
    return found._replace(rows=rows, notes=notes)


def first_of(lines: Sequence[str]) -> str:
    """The first of some lines, and how many more there are."""
    return lines[0] + (f" (and {len(lines) - 1} more)" if len(lines) > 1 else "")


def one_of(made: list[Found], looked: Looked, faults: list[Fault], paths: Sequence[str]) -> Found:
    """The only campaign. Refused if there are none or several, or if a file named in `paths` cannot be read."""
    given = [os.path.normpath(path) for path in paths]
    named = [fault for fault in faults if fault.file in given]
    if named or not made:
        lines = page.refusals(named or faults) or [f"{listed(given)}: found no file; expected a log"]
        raise Refused(printable(first_of(lines)))
    if len(made) > 1:
        each = [f"{it.name} ({it.sources[0].format}, {page.several([one.path for one in it.sources])})" for it in made]
        apart = [one.apart for it in made for one in it.sources if one.apart]
        why = f"together, {apart[0]}; give each run a name of its own" if apart else "give the files of one"
        raise Refused(printable(f"These files are {len(made)} campaigns, {listed(each)}: {why}"))
    return made[0]


def compared_measures(known: Known, measures: Sequence[str] | None = None) -> Sequence[str]:
    """The measures that a comparison shows: these, else what the options name, else the task's measures of logs.

    Empty where the campaign's own defaults hold: nobody judged, or the task has no measures of logs.
    """
    own = checked(known)
    task = tasks.get(own.task)
    own_defaults = own.options["measures_named"] or not own.judged or [*own.measures] == [*task.of_unanswerable]
    return measures or ([] if own_defaults else task.of_logs)


def checked(known: Known, measures: Sequence[str] | None = None) -> Campaign:
    """The campaign with all defaults, these measures (or its own), and only the analysis `comparison`.

    Refused if the configuration is invalid.
    """
    written = known.written | ({"measures": list(measures)} if measures else {})
    settings = {"campaigns": {known.name: copy.deepcopy(written)}, "reliability": {"analyses": ["comparison"]}}
    try:
        complete = config.checked(settings, "the files")
    except config.ConfigError as error:
        raise Refused(str(error)) from None
    return Campaign(known.name, complete["campaigns"][known.name], unpacked=complete["unpacked"])
