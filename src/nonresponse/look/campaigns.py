"""Makes campaigns of config.yaml from the files that were found, and tries each as the workflow would read it."""

import copy
import glob
import json
import os
import re
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple, cast

import polars as pl

from nonresponse import campaign as config
from nonresponse import formats, tables
from nonresponse.campaign.options import source
from nonresponse.faults import OWN_BLOCK, Fault, listed, shown
from nonresponse.formats import repeated
from nonresponse.formats.roles import plain
from nonresponse.formats.text import stem
from nonresponse.ingest import check, reading
from nonresponse.ingest.files import matched
from nonresponse.ingest.readers import graded_reader, read_counted, run_reader
from nonresponse.ingest.row_checks import check_graded
from nonresponse.look import QUESTIONS, Looked, Source, records_of, repetitions
from nonresponse.look.naming import by_folder, free
from nonresponse.look.questions import fitting
from nonresponse.look.turned import turned
from nonresponse.look.with_states import are_misnamed
from nonresponse.look.words import LETTERS
from nonresponse.settings import Files, Options
from nonresponse.wording import plural

OFFICIAL = ("adjudicated", "official", "final", "gold", "consensus", "majority")  # names of files of judgments
ANOTHER = ("another right answer", "another category")  # faults of an id that may be another question in each set
FEW = 0.25  # share of the rows that may contradict others
SHOWN = {"answer": pl.String}  # a column of graded responses that the page shows, and that tables do not keep


class NoPlace(Exception):
    """Why campaigns cannot be added to a file, or cannot have a name."""


class Campaign(NamedTuple):
    """A campaign, and what the workflow would read for it."""

    name: str
    written: dict  # as in config.yaml
    sources: list[Source]
    rows: pl.DataFrame  # responses with `file` and `line`, or counts
    notes: list[str]  # what logs say of themselves


def campaigns(looked: Looked, taken: set[str]) -> tuple[list[Campaign], list[Fault]]:
    """The campaigns of the sources, under names that are not `taken`; and the faults of files that cannot be read."""
    made: list[Campaign] = []
    faults: list[Fault] = []
    names = {*taken, *config.RESERVED}
    asked = [one for one in looked.sources if one.part == QUESTIONS]
    for group in groups([one for one in looked.sources if one.part != QUESTIONS], faults):
        each = [tried(group, names)]
        [(_, wrong)] = each
        if wrong and len(group) > 1:
            each = apart(group, wrong, names)
        made += [one for one, _ in each if one]
        faults += [fault for _, wrong in each for fault in wrong]
    return with_questions(made, asked, names, faults), faults


def apart(group: list[Source], wrong: list[Fault], names: set[str]) -> list[tuple[Campaign | None, list[Fault]]]:
    """Campaigns of files that cannot be read together; `wrong`: the faults found when they are.

    Tried in this order: one campaign of all files that have no faults by themselves; one of the files that repeat no
    rows of others, and one of the files that do; a campaign for each file.
    """
    suspected = [one for one in group if one.part != "judgments" and one.path in {fault.file for fault in wrong}]
    beside = [one for one in group if one.part == "judgments"]
    alone = [(one, tried([one, *beside], {*names})) for one in suspected]
    bad = {one.path: faults for one, (_, faults) in alone if faults}
    rest = [one for one in group if one.path not in bad]
    found: list[tuple[Campaign | None, list[Fault]]] = [(None, faults) for faults in bad.values()]
    if bad and len(rest) > len(beside):
        together = tried(rest, names)
        if not together[1]:
            return [together, *found]
    if beside:
        return [(None, wrong)]
    rest = [one._replace(apart=f"there is {wrong[0].found} ({wrong[0].file})") for one in rest]
    again = [one for one in rest if one.path in {fault.file for fault in wrong}]
    first = [one for one in rest if one not in again]
    if again and len(first) > 1 and not (of_first := tried(first, names))[1]:
        of_others = tried(again, names)
        return [of_first, *(apart(again, of_others[1], names) if of_others[1] else [of_others]), *found]
    return [tried([one], names) for one in rest] + found


def with_questions(made: list[Campaign], asked: list[Source], names: set[str], faults: list[Fault]) -> list[Campaign]:
    """The campaigns, each with the first table that has all its questions; tables that fit none go to `faults`."""
    tables_of = [
        (one, set(reading.questions(cast(Files, {"file": one.path} | one.options))[0]["question"])) for one in asked
    ]
    beside = "answers to its questions beside it"
    why = {one.path: [Fault(one.path, 0, f"a table of questions ({one.why})", beside)] for one in asked}
    done = []
    for campaign in made:
        again = None
        if table := fitting(campaign.written, campaign.rows, tables_of):
            again, why[table.path] = tried([*campaign.sources, table], names - {campaign.name})
        done.append(again or campaign)
    faults += [fault for of_table in why.values() for fault in of_table]
    return done


def groups(sources: list[Source], faults: list[Fault]) -> list[list[Source]]:
    """Sources that may make one campaign: those with the same options, and runs with their judgments.

    Runs without judgments, unless they can be counted, and judgments without runs are added to `faults`.
    """
    alike: dict[str, list[Source]] = {}
    for one in with_empty_states(sources):
        alone = one.part == "counts" and not one.options  # a table of counts is a campaign
        letters = one.options.get("verdicts") in LETTERS  # unlike words, letters mean something else elsewhere
        words = ("states",) if letters else ("states", "verdicts")
        options = {name: value for name, value in one.options.items() if name not in words}
        alike.setdefault(one.path if alone else json.dumps([one.part, one.task, options]), []).append(one)
    made = [group for group in alike.values() if group[0].part in ("graded", "counts")]
    for kind in dict.fromkeys((one.task, one.format) for one in sources):
        own = [group for group in alike.values() if (group[0].task, group[0].format) == kind]
        runs, judgments = ([group for group in own if group[0].part == part] for part in ("runs", "judgments"))
        if runs and len(judgments) == 1:
            made += [[*group, *judgments[0]] for group in runs]
            continue
        if not judgments and all(one.countable is not None for group in runs for one in group):
            made += [[one.unjudged() for one in group] for group in runs]
            continue
        one_kind = "one kind of judgments or right answers beside them"
        faults += [Fault(one.path, 0, f"answers ({one.why})", one_kind) for group in runs for one in group]
        expected = "runs with answers beside them, and no other kind of judgments"
        faults += [Fault(one.path, 0, f"judgments ({one.why})", expected) for group in judgments for one in group]
    return made


def with_empty_states(sources: list[Source]) -> list[Source]:
    """The sources, of which those of tables get the column of states or errors that other such tables have, if it is
    empty here: of the files of several runs, some may have no silence at all.
    """
    of_others: dict[str, list[dict]] = {}
    for one in sources:
        if found := states_in(one):
            of_others.setdefault(but_states(one), []).append(found)
    done = []
    for one in sources:
        several, own = of_others.get(but_states(one), []), states_in(one)
        most = max(several, key=len, default={})
        if own != most and all(found.items() <= most.items() for found in several):
            frame, lacking = records_of.rows_of(one.path, one.options)[0], {*most.values()} - {*own.values()}
            if all(name in frame.columns and frame[name].is_null().all() for name in lacking):
                one = one._replace(options=one.options | {"columns": one.options.get("columns", {}) | most})
        done.append(one)
    return done


def states_in(one: Source) -> dict[str, str]:
    """The columns of states and errors of a source."""
    return {ours: name for ours, name in one.options.get("columns", {}).items() if ours in ("state", "error")}


def but_states(one: Source) -> str:
    """A text that is the same for sources that differ in states, errors, and the words of verdicts at most."""
    options = {name: value for name, value in one.options.items() if name not in ("states", "verdicts", "columns")}
    own = states_in(one)
    columns = {ours: name for ours, name in one.options.get("columns", {}).items() if ours not in own}
    return json.dumps([one.part, one.task, options, columns], sort_keys=True)


def tried(group: list[Source], names: set[str]) -> tuple[Campaign | None, list[Fault]]:
    """The campaign of these sources, read as the workflow reads it, or null; and the faults, empty if there is one."""
    group = by_folder(group)
    block: dict = {"task": group[0].task}
    for part in dict.fromkeys(one.part for one in group):
        own = [one for one in group if one.part == part]
        if part == QUESTIONS:
            block[part] = {"file": own[0].path} | own[0].options if own[0].options else own[0].path
            continue
        paths = sorted(one.path for one in own)
        files = pattern(paths, formats.folders(own[0].format))
        options = own[0].options
        for name in ("verdicts", "states"):  # the words of all files together
            words = {word: meant for one in own for word, meant in one.options.get(name, {}).items()}
            options = options | ({name: words} if words else {})
        block[part] = {"format": options["format"], "files": files} | options if options else files
        if part == "judgments" and len(paths) > 1:
            official = next((path for path in paths if plain(stem(path)) in OFFICIAL), paths[0])
            block[part]["official"] = stem(official)
    name = free(group, names)
    try:
        checked = config.checked({"campaigns": {name: copy.deepcopy(block)}})["campaigns"][name]
    except config.ConfigError as error:
        return None, [Fault(group[0].path, 0, str(error), "what config.yaml can name")]
    rows, notes, faults = read_campaign(checked)
    if torn(group, faults) and (found := repetitions.measures([(one.path, one.options) for one in group])):
        name, values = found
        turned_round = [turned(one, name) for one in group]
        if None not in turned_round and not (again := tried([one for one in turned_round if one], names))[1]:
            return again
        what = f"a row for each {shown(name)} of a response ({listed(values)})"
        expected = "a row for each response, with a column for each: `pivot:` in " + OWN_BLOCK
        return None, [Fault(group[0].path, 1, what, expected)]
    for single in told_apart(group, faults, rows.height):
        again = tried(single, names)
        if not again[1]:
            return again
    if faults:
        return None, faults
    if "graded" in block and no_two_share(rows):
        block["compare_on"] = "all"
    names.add(name)
    return Campaign(name, block, group, rows, notes), []


def no_two_share(rows: pl.DataFrame) -> bool:
    """Whether there are several runs, no two of which have a response to the same question."""
    return rows["run"].n_unique() > 1 and not check.share_some(rows.filter(~pl.col("missing")).lazy())


def told_apart(group: list[Source], faults: list[Fault], rows: int) -> Iterator[list[Source]]:
    """Ways to read the same tables that may resolve several rows for one response, the best first.

    Either columns tell these rows apart, or repeated rows are dropped; if at most a share FEW of the rows contradict
    others, contradicted responses may become unscored. Where ids begin anew in each set of questions
    (`repetitions.sets`), there is no other way. Yields nothing if the tables also have other faults.
    """
    if not torn(group, faults, ANOTHER) or any("duplicates" in one.options for one in group):
        return
    files = [(one.path, one.options) for one in group]
    divided = [[with_sets(one, more, what) for one in group] for more, what in repetitions.sets(files)]
    yield from divided
    if divided or not torn(group, faults):
        return
    if not any("run" in one.options or "epoch" in one.options.get("columns", {}) for one in group):
        for more, what in repetitions.settings(files):
            yield [one._replace(options=one.options | more, undecided=(*one.undecided, what)) for one in group]
    again = f"what {plural(len(faults), 'row')} for a response with another row mean"
    here = {"same": "nothing, where they say the same"}
    if len(faults) <= FEW * rows and not any("gold" in one.options for one in group):
        here["unscored"] = "that it is unscored, where they do not say the same"
    for kept, what in here.items():
        same, said = {"duplicates": kept}, f"{again}: here {what} (`duplicates:`)"
        yield [one._replace(options=one.options | same, undecided=(*one.undecided, said)) for one in group]


def with_sets(one: Source, more: dict, what: str) -> Source:
    """The source with these options, by which an id is another question in each set, and what they leave open.

    A set may be a category of the questions, which `misnamed` has passed over as it was none of the ids.
    """
    passed = one.options.get("ignore", [])
    left = passed if "layout" in one.options else [name for name in passed if name not in more["question"]]
    undecided = [are_misnamed(left) if said == are_misnamed(passed) else said for said in one.undecided]
    options = {name: value for name, value in one.options.items() if name != "ignore"} | more
    options |= {"ignore": left} if left else {}
    return one._replace(options=options, undecided=(*filter(None, undecided), what))


def torn(group: list[Source], faults: list[Fault], others: tuple[str, ...] = ()) -> bool:
    """Whether the only faults of some graded tables are several rows for one response, and others that begin so."""
    several = all(fault.found.startswith(("a second verdict", "a second response", *others)) for fault in faults)
    return bool(faults) and several and all(one.format == "tabular" and one.part == "graded" for one in group)


def read_campaign(campaign: Options) -> tuple[pl.DataFrame, list[str], list[Fault]]:
    """The responses or counts of a checked campaign; the notes of its logs; all faults."""
    kind, task = source(campaign), campaign["task"]
    options: Any = campaign[kind]
    if kind == "counts":
        counted: Files = cast(Files, options) if isinstance(options, dict) else {}
        files = matched(counted["files"]).files if counted else [options]
        frame, account, faults = read_counted(files, counted, task)
        return frame, notes_of(account), faults
    files = matched(options["files"], formats.folders(options["format"])).files
    return (graded if kind == "graded" else raw)(campaign, options, files)


def graded(campaign: Options, options: Files, files: list[str]) -> tuple[pl.DataFrame, list[str], list[Fault]]:
    """The graded responses of a campaign; the notes of its logs; all faults."""
    task, accounts = campaign["task"], [tables.empty(tables.IMPORTS)]
    rows, faults = reading.read_files(files, graded_reader(options, task, accounts), tables.GRADED | SHOWN, "run")
    rows = rows.with_columns(pl.col("candidate").fill_null(""))
    rows = repeated.once(rows, tables.GRADED_KEY, repeated.GRADE, repeated.wanted(options))
    asked, wrong = asked_in(campaign, tables.empty(tables.QUESTIONS))
    faults += check_graded(rows, task, repeated.remark(options)) + wrong
    account = pl.concat(accounts)
    faults = faults or check.check_graded(campaign, rows.lazy(), asked, reading.runs_of(rows), account)
    return tables.spelt(rows), notes_of(account), faults


def raw(campaign: Options, options: Files, files: list[str]) -> tuple[pl.DataFrame, list[str], list[Fault]]:
    """The responses of raw runs; no notes, since these are no logs; all faults of the runs and their judgments."""
    gold, task = campaign["judgments"], campaign["task"]
    responses, names, faults = reading.responses(files, options, task)
    labels, judged = config.known_labels(campaign), matched(gold["files"]).files
    judgments, wrong = reading.judgments(judged, gold, labels, task)
    asked, unread = asked_in(campaign, reading.questions_judged(judgments))
    faults = faults + wrong + unread or check.check_responses(campaign, responses.lazy(), judgments, asked, names)
    return tables.spelt(reading.read_files(files, run_reader(options), tables.RESPONSES, "run")[0]), [], faults


def asked_in(campaign: Options, otherwise: pl.DataFrame) -> tuple[pl.DataFrame, list[Fault]]:
    """The table of questions of a campaign, `otherwise` if it names none; and the faults of that table."""
    return reading.questions(campaign["questions"]) if "questions" in campaign else (otherwise, [])


def notes_of(account: pl.DataFrame) -> list[str]:
    """The notes of logs on themselves, each once, with the number of runs that have it."""
    said = account.select(note=pl.concat_list("chosen", "notes")).explode("note").drop_nulls()
    notes = said.group_by("note", maintain_order=True).agg(pl.len()).rows()
    return [f"{note} ({plural(number, 'run')})" for note, number in notes]


def pattern(paths: list[str], folders: bool) -> str | list[str]:
    """The value of `files:` that matches exactly these paths: a simple pattern, or else the list of them.

    In the name of a file, * and ? would be a pattern that other files match, too.
    """
    alone = [glob.escape(path) for path in paths]
    begin, end = map(os.path.commonprefix, (paths, [path[::-1] for path in paths]))  # common letters, not folders
    end = end[::-1]
    top, ending = begin[: begin.rfind("/") + 1], Path(paths[0]).suffix
    depth = "/".join(["*"] * (1 + paths[0].removeprefix(top).count("/")))
    last = end[end.rfind("/") + 1 :]
    several = (f"{begin}*{end}", f"{top}{depth}", f"{top}{depth}{ending}", f"{top}**/*{last}", paths)
    return next((one for one in (paths[0], alone[0], *several) if matched(one, folders) == (paths, {})), alone)


def renamed(made: list[Campaign], name: str | None, taken: set[str]) -> list[Campaign]:
    """The campaigns as NAME, NAME-2, …; unchanged without a name. Raises NoPlace if the name is invalid or taken."""
    if name is None:
        return made
    if not re.fullmatch("[a-z0-9][a-z0-9-]{0,79}", name) or name in {*taken, *config.RESERVED}:
        raise NoPlace(f"--name {name}: another, of small letters, digits and hyphens, that no campaign has")
    names = (one for one in chain([name], (f"{name}-{number}" for number in count(2))) if one not in taken)
    return [campaign._replace(name=one) for campaign, one in zip(made, names, strict=False)]
