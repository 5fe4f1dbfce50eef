"""Make campaigns of config.yaml from files and from what the user says; ask for what neither
says."""

import glob
import json
import os
import re
from collections.abc import Collection, Iterable
from itertools import chain, count
from os.path import commonprefix
from pathlib import Path
from typing import Any, get_args

import polars as pl

from nonresponse import campaign as config
from nonresponse import formats, tables
from nonresponse.campaign.models import Campaign as Keys
from nonresponse.detect import OPEN, Choice, Detected, Found, Question, Source
from nonresponse.detect.draft import MODES, ROLES, Draft, Table, distinct
from nonresponse.detect.logs import files_below, hook, names_in, recognise
from nonresponse.detect.names import ABSTENTION
from nonresponse.detect.shapes import SHAPES
from nonresponse.detect.tables import (
    has_columns,
    make_draft,
    named_by,
    read_tables,
    run_by_folder,
    split_roles,
)
from nonresponse.detect.verdicts import ask_failures, ask_unanswered, looking_like
from nonresponse.faults import Fault, quote, quote_names
from nonresponse.formats.text import get_stem
from nonresponse.ingest.files import match_files
from nonresponse.ingest.readers import get_reader
from nonresponse.tasks.qa import TREC_LABELS
from nonresponse.wording import plural

KEYS = (["run"], ["question"], ["run", "question"])
OF_TABLES = {*ROLES, *MODES, *SHAPES, "columns", "verdicts", "pivot"}
EXPORTS = ("ragas", "langsmith", "mlflow")  # tables of metrics, most of which are no verdicts
# Names of files of judgments that are proposed as the official ones
OFFICIAL = ("adjudicated", "official", "final", "gold", "consensus", "majority")
# Names of files and folders that would tell nothing as the name of a campaign.
GENERAL = re.compile("logs?|data|results?|outputs?|out|raw|runs?|evals?|files?|tmp|test|csv|json")


def detect(
    paths: list[str],
    settings: dict[str, Any] | None = None,
    name: str | None = None,
    taken: Collection[str] = (),
) -> tuple[list[Detected], Found]:
    """Return the campaigns of files and of folders below which they are, and what of the files is
    in none.

    settings: what the user says, by key of config.yaml or by role of a column. name: of the
    campaign; of several, they are numbered. taken: names that no campaign may get.
    """
    settings, of_campaign = split_settings(settings or {})
    found, names = Found(), {*taken, *config.RESERVED}
    files = files_below(paths, found)
    format = settings.get("format")
    if format in formats.LOGS:
        part = formats.LOGS[format].part
        found.sources += [
            Source(path, part, {"format": format}, "the user says so") for path in files
        ]
        files = []
    elif format != "tabular" and not OF_TABLES & {*settings}:
        files = recognise(files, found)
    campaigns = [
        campaign
        for group in groups(found.sources, found.faults)
        for campaign in campaigns_of_logs(group, settings)
    ]
    wanted = {*settings, "missing"} - {"format"}
    of_tables_settings = {
        key: value for key, value in (settings | of_campaign).items() if key in wanted
    }
    campaigns += campaigns_of_tables(
        files,
        of_tables_settings,
        found,
        {os.path.normpath(path) for path in paths},
        bool(campaigns),
    )
    for campaign in campaigns:
        campaign.name = free_name(campaign, names, name)
        names.add(campaign.name)
        campaign.written |= of_campaign
        campaign.questions = list(
            {question.key: question for question in campaign.questions}.values()
        )
    found.faults[:] = list(dict.fromkeys(found.faults))
    return campaigns, found


def split_settings(settings: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the user says of how files are read, and what of the campaign. Roles stand beside
    other keys."""
    settings = {**(settings.get("columns") or {}), **settings}
    settings.pop("columns", None)
    if "state" in settings:
        settings["abstained"] = settings.pop("state")
    known, files, campaign = Keys.model_fields, dict[str, Any](), dict[str, Any]()
    for key, value in settings.items():
        own = key in known and not is_option_of_files(key, value, get_args(known[key].annotation))
        (campaign if own else files)[key] = value
    return files, campaign


def is_option_of_files(key: str, value: Any, allowed: tuple[Any, ...]) -> bool:
    """Return whether the value of a key that campaigns and their files have is one of the files."""
    return (key in ROLES and value not in allowed) or (
        key in ("systems", "missing") and isinstance(value, list)
    )


def groups(sources: list[Source], faults: list[Fault]) -> list[list[Source]]:
    """Return sources that make one campaign each: those with the same options, and runs with their
    judgments."""
    alike: dict[str, list[Source]] = {}
    for source in sources:
        same = json.dumps([source.part, source.task, source.options], sort_keys=True)
        alike.setdefault(same, []).append(source)
    grouped = [group for group in alike.values() if group[0].part in ("graded", "counts")]
    lacks = {"runs": "one kind of judgments beside them", "judgments": "runs beside them"}
    kinds: dict[tuple[str, str], dict[str, list[list[Source]]]] = {}
    for group in alike.values():
        if group[0].part in lacks:
            kind = kinds.setdefault((group[0].task, group[0].format), {name: [] for name in lacks})
            kind[group[0].part].append(group)
    for kind in kinds.values():
        if kind["runs"] and len(kind["judgments"]) == 1:
            grouped += [[*group, *kind["judgments"][0]] for group in kind["runs"]]
            continue
        faults += [
            Fault(
                source.path,
                0,
                f"{'answers' if part == 'runs' else part} ({source.why})",
                lacks[part],
            )
            for part, own in kind.items()
            for source in chain(*own)
        ]
    return grouped


def campaigns_of_logs(group: list[Source], settings: dict[str, Any]) -> list[Detected]:
    """Return the campaigns of files of one format: one for each task and scorer where these are not
    to be mixed."""
    judged = any(source.part == "judgments" for source in group)
    others = ("format", "official") if judged else ("format",)
    options = {
        key: value for key, value in settings.items() if key not in others and value is not False
    }
    for source in group:
        source.options |= options if source.part != "judgments" else {}
    several = group[1:] and group[0].part == "graded" and group[0].format in formats.LOGS
    each = {source.path: rows_of(source) for source in group} if several else {}
    read = {path: rows for path, rows in each.items() if not rows.is_empty()}
    campaigns = []
    for label, own in split_by_task(group, read):
        parts = dict.fromkeys(source.part for source in own)
        of_part = {part: [source for source in own if source.part == part] for part in parts}
        written: dict[str, Any] = {"task": own[0].task}
        written |= {part: source_block(of) for part, of in of_part.items()}
        if (by_truth := hook(own[0].format, "of_truth")) and "judgments" in parts:
            stated = by_truth(names_in(of_part["judgments"][0].path, ".jsonl"))
            written |= {key: value for key, value in stated.items() if key not in settings}
        every = [question for source in own for question in source.questions]
        every += partly_right(own)
        questions = [question for question in every if not question.decided_by(settings)]
        if "judgments" in parts:
            of_judgments = sorted(source.path for source in of_part["judgments"])
            official, asked = ask_official(of_judgments, settings)
            written["judgments"] |= official
            questions += asked
        why, paths = f"{own[0].format}: {own[0].why}", [source.path for source in own]
        campaign = Detected(label, written, paths, why, questions)
        campaign.notes += dict.fromkeys(note for source in own for note in source.notes)
        if there := [
            read[source.path].select("run", "question") for source in own if source.path in read
        ]:
            rows = pl.concat(there)
            add_sharing(campaign, *(distinct(rows, names) for names in KEYS))
        campaigns.append(campaign)
    note = "The files hold several tasks, scorers or repeated responses: each is a campaign here."
    for campaign in campaigns if campaigns[1:] else []:
        campaign.notes.append(note)
    return campaigns


def add_sharing(campaign: Detected, runs: int, questions: int, responses: int) -> None:
    """Write into a campaign that its runs are not compared, where no two of them share a
    question."""
    if runs > 1 and questions == responses:
        campaign.written.setdefault("compare_on", "all")
        note = "No two runs share a question: each is scored by itself (compare_on: all)."
        campaign.notes.append(note)


def source_block(sources: list[Source]) -> dict[str, Any]:
    """Return the block of a part of a campaign."""
    paths, options = sorted(source.path for source in sources), dict(sources[0].options)
    format = options.pop("format")
    return {"format": format, "files": pattern(paths, formats.takes_folders(format)), **options}


def rows_of(log: Source) -> pl.DataFrame:
    """Return the rows of a log with its scorer, as far as they distinguish tasks; empty where it
    cannot be read."""
    accounts = [tables.empty(tables.IMPORTS)]
    read = get_reader("graded", log.options, log.task, accounts, keep=True)
    rows, faults = read(log.path, log.options)
    if faults or rows.is_empty():
        return pl.DataFrame()
    scorers = pl.concat(accounts).select(
        "run", "scorer", rule=pl.concat_str("scorer", pl.col("chosen").list.join(" "))
    )
    kept = rows.filter(~pl.col("missing")).select("run", "question", "epoch", "category", "verdict")
    return kept.join(scorers.unique("run"), on="run", how="left").with_columns(
        file=pl.lit(log.path)
    )


def split_by_task(
    group: list[Source], read: dict[str, pl.DataFrame]
) -> list[tuple[str, list[Source]]]:
    """Return logs by campaign, each with its task or scorer: by these where a question has several,
    then by repeats."""
    if not read:
        return [("", group)]
    every = pl.concat(read.values())
    several = every.group_by("question").agg(pl.col("category", "rule").n_unique())
    called = {"category": "category", "rule": "scorer"}  # in the name of a campaign
    mixed = [name for name in called if (several[name] > 1).any()]
    kinds: dict[tuple[str | None, ...], list[Source]] = {}
    for log in group:
        own = read.get(log.path, pl.DataFrame())
        single = [name for name in mixed if own.height and own[name].n_unique() == 1]
        label = " ".join(filter(None, (own[called[name]][0] for name in single)))
        kinds.setdefault((label, *(own[name][0] for name in single)), []).append(log)
    key = ["run", "question", "epoch"]
    return [
        (str(kind[0]), part)
        for kind, own in kinds.items()
        for part in disjoint([(log, responses(read.get(log.path), key)) for log in own])
    ]


def disjoint(items: list[tuple[Any, set]]) -> list[list[Any]]:
    """Return items in groups such that no two of a group have an element of their sets in
    common."""
    disjoint_groups: list[tuple[list[Any], set]] = []
    for item, own in items:
        part = next((part for part in disjoint_groups if part[1].isdisjoint(own)), None)
        if part is None:
            disjoint_groups.append(part := ([], set()))
        part[0].append(item)
        part[1].update(own)
    return [part for part, _ in disjoint_groups]


def responses(rows: pl.DataFrame | None, columns: list[str]) -> set:
    """Return the responses in a file, as far as it was read."""
    return set() if rows is None else set(rows.select(columns).iter_rows())


def partly_right(group: list[Source]) -> list[Question]:
    """Return the question from which value on an answer is correct, for exports whose metrics are
    no verdicts."""
    if group[0].format not in EXPORTS or "correct_from" in group[0].options:
        return []
    number = sum(
        int((rows["verdict"] == "partial").sum())
        for log in group
        if not (rows := rows_of(log)).is_empty()
    )
    if not number:
        return []
    as_is = Choice("correct_from", False, "what lies between 0 and 1 is partly right")
    metric = quote(group[0].options.get("metric", "the metric"))
    why = (
        f"{metric} lies between 0 and 1 for {plural(number, 'answer')}. From which value on "
        "is an answer correct?"
    )
    return [Question("correct_from", why, (as_is,), default=as_is, form="a number")]


def campaigns_of_tables(
    paths: list[str], settings: dict[str, Any], found: Found, named: set[str], others: bool
) -> list[Detected]:
    """Return the campaigns of plain tables: judged ones, counts, and answers with their gold
    answers beside them.

    named: paths that the user names. others: whether there are logs. Files of a folder that has
    such, or tables with verdicts, are left out if nothing says what they are.
    """
    read, faults = read_tables(paths, settings)
    found.faults += faults
    found.faults += misnamed(read, settings) if read else []
    drafts = [make_draft(table) for table in read]
    keys = [draft for draft in drafts if is_key(draft, settings)]
    answers = [
        draft
        for draft in drafts
        if draft not in keys and is_unjudged(draft) and draft.column("answer") is not None
    ]
    campaigns = []
    if len(keys) == 1 and answers:
        drafts = [draft for draft in drafts if draft not in keys and draft not in answers]
        campaigns = [campaign_with_key(draft, keys[0], settings) for draft in answers]
    sure = [draft for draft in drafts if not is_unjudged(draft)]
    note_other_columns(sure)
    alone = not (campaigns or others or sure)
    kept = [
        draft
        for draft in drafts
        if draft in sure or (judgeable(draft) and (alone or named & {*draft.table.paths}))
    ]
    for draft in drafts:
        if any(not question.choices and not question.columns for question in draft.questions):
            expected = "columns of questions, and of verdicts or answers (docs/tables.md)"
            only = f"nothing but {quote_names(draft.table.columns)}"
            found.faults.append(Fault(draft.table.paths[0], 1, only, expected))
        elif draft in kept or (alone and not kept):
            campaigns.append(campaign_of_table(draft))
        else:
            answered = draft.column("answer") is not None
            what = "answers that nobody judged" if answered else "neither verdicts nor answers"
            found.left_out |= dict.fromkeys(draft.table.paths, what)
    return campaigns


def note_other_columns(judged: list[Draft]) -> None:
    """Note on each table but the first why it is a campaign of its own: its documented columns
    differ, or its records are elsewhere in the file."""
    for draft in judged[1:]:
        if draft.table is not judged[0].table:
            columns = sorted({*judged[0].roles.values()} ^ {*draft.roles.values()})
            why = (
                f"not all files have {quote_names(columns)}"
                if columns
                else "its records are elsewhere"
            )
            draft.notes.append(
                f"It is a campaign of its own, as {why}. nonresponse compare FILE FILE compares "
                "files with one run each."
            )


def misnamed(read: list[Table], settings: dict[str, Any]) -> list[Fault]:
    """Return a fault for each column that the user names and that no table has."""
    return [
        Fault(
            read[0].paths[0],
            1,
            f"no column {name!r} ({key}={name})",
            f"one of {quote_names(read[0].columns)}",
        )
        for key, value in settings.items()
        for name in named_by(key, value)
        if not any(
            key not in table.settings
            or table.settings[key] != value
            or has_columns(table.columns, name)
            for table in read
        )
    ]


def is_unjudged(draft: Draft) -> bool:
    """Return whether nothing in a table, nor the user, says how good its answers are."""
    if draft.part == "counts":
        return draft.asks("n_ac")
    return "verdict" not in draft.roles and not draft.moded


def judgeable(draft: Draft) -> bool:
    """Return whether a table has columns that could say how good its answers are."""
    return draft.part == "counts" or any(
        choice.key in ("verdict", "gold", "assessors", "systems")
        for question in draft.questions
        if question.key == "verdict"
        for choice in question.choices
    )


def is_key(draft: Draft, settings: dict[str, Any]) -> bool:
    """Return whether a table has gold answers or judgments alone, or is the answer key by the
    user's word."""
    if "key" in settings:
        return os.path.normpath(str(settings["key"])) in draft.table.paths
    if not is_unjudged(draft) or "question" not in draft.roles:
        return False
    return has_labels(draft) or ("gold" in draft.roles and draft.column("answer") is None)


def has_labels(draft: Draft) -> bool:
    """Return whether a table has judgments in our own words: a column `label` with R, W, U and
    X."""
    return "label" in draft.free() and {*draft.frame["label"].drop_nulls()} <= {*TREC_LABELS}


def campaign_of_table(draft: Draft) -> Detected:
    """Return the campaign of a table."""
    paths = sorted(draft.table.paths)
    options = dict(draft.options)
    format = options.pop("format", "tabular")
    long = draft.part == "graded" and options.get("layout") != "wide"
    run = run_by_folder(paths) if long and "run" not in draft.roles else "{file}"
    by_file = {} if run == "{file}" or draft.asks("run") else {"run": run}
    written = {"format": format, "files": pattern(paths, False), **by_file, **options}
    why = f"a table, {plural(draft.frame.height, 'row')}"
    campaign = Detected(
        "",
        {"task": draft.task, draft.part: written},
        paths,
        why,
        draft.questions,
        draft.notes,
        draft.table,
    )
    if long and not draft.questions:
        own, asked = draft.parts("run"), draft.parts("question")
        questions, responses = draft.distinct(asked), draft.distinct([*own, *asked])
        if draft.by_row:  # each row is a question, whatever else names it
            questions = responses = draft.frame.height
        add_sharing(campaign, draft.distinct(own), questions, responses)
    return campaign


def campaign_with_key(runs: Draft, key: Draft, settings: dict[str, Any]) -> Detected:
    """Return the campaign of answers with their judgments, or with an answer key, in other
    tables."""
    names = ("question", "run", "answer", "epoch", "confidence", "error")
    kept: dict[str, Any] = {role: runs.roles[role] for role in names if role in runs.roles}
    asked = Draft(runs.table, settings, kept)
    asked.questions = [
        question for question in runs.questions if question.key in ("question", "run")
    ]
    gold = key.roles.get("gold") or key.roles.get("answer", OPEN)
    written = table_block(runs, kept)
    judgments = table_block(key, {"question": key.roles.get("question", OPEN), "answer": gold})
    paths, closed = sorted(key.table.paths), not has_labels(key)
    official, which = ask_official(paths, settings)
    judgments |= {"closed": True} if closed else official
    asked.questions += [] if closed else which
    golds = [key.frame[gold]] if gold in key.frame.columns else []
    answers = [asked.frame[kept["answer"]], *golds]
    abstentions = looking_like(ABSTENTION, answers)
    # An empty answer of a key says that there is none
    abstentions += [""] if closed and any(column.has_nulls() for column in golds) else []
    if abstentions or closed:
        in_key = " In a key, such a word says that a question has no answer."
        ask_unanswered(asked, abstentions, answers, [], in_key)
    ask_failures(asked)
    if closed:
        as_is = Choice("normalise", False, "as they are")
        squad = Choice("normalise", "squad", "without capitals, punctuation and articles")
        why = "How are answers compared with the key?"
        asked.ask("normalise", why, squad, as_is, default=as_is)
    if "missing" not in settings and "question" in runs.roles and "question" in key.roles:
        own, run = runs.parts("question"), runs.parts("run")
        questions = max(
            distinct(question.frame, question.parts("question")) for question in (runs, key)
        )
        each = [Choice("missing", value) for value in ("unanswered", "exclude", "wrong")]
        if distinct(runs.frame, [*run, *own]) < distinct(runs.frame, run) * questions:
            why = "What is a question to which a run has no response?"
            asked.ask("missing", why, *each, default=each[0])
    of_answers = ("unanswered", "failed", "failures", "normalise")
    written.update({name: settings[name] for name in of_answers if settings.get(name)})
    judgments |= {"normalise": settings["normalise"]} if settings.get("normalise") else {}
    why = f"answers, with {'the key' if closed else 'judgments in'} {paths[0]}"
    whole = {"task": "qa", "runs": written, "judgments": judgments}
    return Detected(
        "", whole, [*runs.table.paths, *paths], why, asked.questions, runs.notes, runs.table
    )


def table_block(draft: Draft, roles: dict[str, Any]) -> dict[str, Any]:
    """Return the block of runs or judgments in a table."""
    options, columns = split_roles({"question": OPEN} | roles)
    files = pattern(sorted(draft.table.paths), False)
    return {"format": "tabular", "files": files, **draft.table.shape, **options, "columns": columns}


def ask_official(
    paths: list[str], settings: dict[str, Any]
) -> tuple[dict[str, str], list[Question]]:
    """Return the option `official` of several files of judgments, and the question which of them is
    it; a name that says so is proposed."""
    if len(paths) < 2:
        return {}, []
    if "official" in settings:
        return {"official": settings["official"]}, []
    each = [Choice("official", get_stem(path)) for path in paths]
    default = next((choice for choice in each if choice.value.lower() in OFFICIAL), None)
    each += [Choice("official", "majority", "what more than half of them say")] * (len(paths) > 2)
    why = "Whose judgments are the official ones?"
    return {"official": OPEN}, [Question("official", why, tuple(each), default=default)]


def pattern(paths: list[str], folders: bool) -> str | list[str]:
    """Return the value of `files:` that matches exactly these paths: a simple pattern, or else the
    list of them."""
    begin = commonprefix(paths)  # noqa: RUF071 (letters)
    end = commonprefix([path[::-1] for path in paths])[::-1]  # noqa: RUF071
    top, last = begin[: begin.rfind("/") + 1], end[end.rfind("/") + 1 :]
    depth = "/".join("*" * (1 + paths[0].removeprefix(top).count("/")))
    several = (f"{begin}*{end}", f"{top}{depth}{Path(last).suffix}", f"{top}**/*{last}", paths)
    tried: Iterable[str | list[str]] = (paths[0], glob.escape(paths[0]), *several)
    exact = (candidate for candidate in tried if match_files(candidate, folders) == (paths, {}))
    return next(exact, [glob.escape(path) for path in paths])


def free_name(campaign: Detected, names: set[str], name: str | None) -> str:
    """Return a name for a campaign that is not in `names`: the given one, or one after its file or
    its folder."""
    if name is None:
        path = os.path.commonpath(
            [os.path.normpath(Path(file).absolute()) for file in campaign.paths]
        )
        last, above, own = (
            re.findall("[a-z0-9]+", text.lower())
            for text in (get_stem(path), Path(path).parent.name, campaign.name)
        )
        tells = any(len(word) > 2 and not GENERAL.fullmatch(word) for word in last)
        name = "-".join([*([] if tells else above), *last, *own])[:80].strip("-") or "campaign"
    numbered = (f"{name}-{number}" for number in count(2))
    return next(free for free in chain([name], numbered) if free not in names)
