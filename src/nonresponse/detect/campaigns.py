"""Make campaigns of config.yaml from files and from what the user says; ask for what neither
says."""

import glob
import json
import os
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial
from itertools import chain, count
from os.path import commonprefix
from pathlib import Path
from typing import Any, get_args

import polars as pl

from nonresponse import campaign as config
from nonresponse import formats, tables
from nonresponse.campaign.models import Campaign as Keys
from nonresponse.detect import BLANK, Choice, DetectedCampaign, Question, Scan, Source
from nonresponse.detect.draft import FEW, MODES, ROLES, Draft
from nonresponse.detect.logs import leave_out_logs, list_files, read_names, recognise
from nonresponse.detect.marks import UNANSWERED, ask_failures, ask_mark, list_marks
from nonresponse.detect.shapes import SHAPES
from nonresponse.detect.tables import (
    complete_draft,
    is_in_key,
    map_columns,
    named_by,
    read_tables,
    run_by_folder,
)
from nonresponse.detect.verdicts import OFFICIAL_QUESTION, official_choices
from nonresponse.faults import Fault, quote, quote_names
from nonresponse.formats.own_columns import find_missing
from nonresponse.formats.text import get_stem
from nonresponse.ingest.files import match_files
from nonresponse.ingest.readers import get_reader
from nonresponse.tables import count_distinct
from nonresponse.tasks.qa import TREC_LABELS
from nonresponse.wording import plural

# What one part lacks where the other is not beside it
LACKS = {
    "runs": ("answers", "one kind of judgments beside them"),
    "judgments": ("judgments", "runs beside them"),
}
TABLE_SETTINGS = {*ROLES, *MODES, *SHAPES, "columns", "verdicts", "pivot"}
VERDICT_LABELS = {"correct": "R", "wrong": "W", "partial": "X"}  # of judgments
EXPORTS = ("ragas", "langsmith", "mlflow")  # tables of metrics, most of which are no verdicts
# Names of files of judgments that are proposed as the official ones
OFFICIAL = ("adjudicated", "official", "final", "gold", "consensus", "majority")
LAST_WORD, FIRST_WORD = re.compile(r"[^\W_]+$"), re.compile(r"^[^\W_]+")
# Names of files and folders that would tell nothing as the name of a campaign.
GENERAL = re.compile("logs?|data|results?|outputs?|out|raw|runs?|evals?|files?|tmp|test|csv|json")


def detect(
    paths: list[str],
    settings: dict[str, Any] | None = None,
    name: str | None = None,
    reserved: Collection[str] = (),
) -> tuple[list[DetectedCampaign], Scan]:
    """Return the campaigns that files make, and what of them is in no campaign.

    paths: files, and folders whose files are read. settings: what the user says, by key of
    config.yaml or by role of a column. name: of the campaign; several are numbered. reserved: names
    that no campaign may get.
    """
    settings, campaign_options = split_settings(settings or {})
    scan, names, format = Scan(), {*reserved, *config.RESERVED}, settings.get("format")
    files = list_files(paths, scan)
    if spec := formats.LOGS.get(format):
        reason = "the user says so"
        scan.sources += [Source(file, spec.part, {"format": format}, reason) for file in files]
        files = []
    elif format != "tabular" and not TABLE_SETTINGS & {*settings}:
        files = recognise(files, scan, settings.get("key"))
    leave_out_logs(scan, settings)
    groups = group_sources(scan.sources, scan.faults)
    campaigns = [
        campaign
        for group in groups
        for campaign in make_log_campaigns(group, select_settings(group[0], scan.sources, settings))
    ]
    settings.pop("format", None)
    settings |= {key: campaign_options[key] for key in ("missing",) if key in campaign_options}
    named_paths = {os.path.normpath(path) for path in paths}
    campaigns += make_table_campaigns(files, settings, scan, named_paths, bool(campaigns))
    for campaign in campaigns:
        campaign.name = choose_name(campaign, names, name)
        names.add(campaign.name)
        campaign.block |= campaign_options
        campaign.questions = [*{question.key: question for question in campaign.questions}.values()]
    scan.faults[:] = dict.fromkeys(scan.faults)
    return campaigns, scan


def split_settings(settings: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings that say how files are read, and those of the campaign. The roles in
    `columns` become keys of their own."""
    settings = {**(settings.get("columns") or {}), **settings}
    settings.pop("columns", None)
    if isinstance(assessors := settings.get("assessors"), list):
        settings["assessors"] = dict(zip(assessors, assessors, strict=True))
    for key in {"verdicts", "states"} & {*settings}:  # numbers are words of a file, too
        words = settings[key] if isinstance(settings[key], dict) else {}
        settings[key] = {str(word): meaning for word, meaning in words.items()} or settings[key]
    if "state" in settings:
        settings["abstained"] = settings.pop("state")
    fields, files, campaign = Keys.model_fields, dict[str, Any](), dict[str, Any]()
    for key, value in settings.items():
        # Some keys are of both, and their values tell which
        is_column = key in ROLES and key in fields and value not in get_args(fields[key].annotation)
        is_list = key in ("systems", "missing") and isinstance(value, list)
        (files if key not in fields or is_column or is_list else campaign)[key] = value
    return files, campaign


def select_settings(log: Source, sources: list[Source], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings without those that are for logs of another format among these; of one
    with a value for each format, this format's."""
    specs = {source.format: formats.LOGS.get(source.format) for source in sources}
    options = {format: spec.options for format, spec in specs.items() if spec}
    foreign = {*chain(*options.values())} - {*options.get(log.format, chain(*options.values()))}
    selected = dict(settings)
    for key in {*foreign, *log.ignored} & {*settings}:
        del selected[key]
    for key, value in [*selected.items()]:
        if isinstance(value, dict) and value and {*value} <= {*specs}:
            del selected[key]
            selected |= {key: value[log.format]} if log.format in value else {}
    return selected


def group_sources(sources: list[Source], faults: list[Fault]) -> list[list[Source]]:
    """Group sources by campaign: those with the same options and the same questions, and runs with
    their judgments."""
    groups: dict[str, list[Source]] = {}
    for source in sources:
        key = json.dumps([source.part, source.task, source.options], sort_keys=True)
        groups.setdefault(f"{key} {source.questions}", []).append(source)
    complete = [group for group in groups.values() if group[0].part not in LACKS]
    kinds: dict[tuple[str, str], list[list[Source]]] = {}
    for group in groups.values():
        if group[0].part in LACKS:
            kinds.setdefault((group[0].task, group[0].format), []).append(group)
    for kind in kinds.values():
        runs, judgments = ([group for group in kind if group[0].part == part] for part in LACKS)
        if runs and len(judgments) == 1:
            complete += [[*group, *judgments[0]] for group in runs]
            continue
        for source in chain(*runs, *judgments):
            noun, lack = LACKS[source.part]
            faults.append(Fault(source.path, 0, f"{noun} ({source.reason})", lack))
    return complete


def make_log_campaigns(group: list[Source], settings: dict[str, Any]) -> list[DetectedCampaign]:
    """Return the campaigns of logs of one format. Where tasks or scorers must not be mixed, each is
    a campaign of its own."""
    has_judgments = any(source.part == "judgments" for source in group)
    excluded = ("format", "official", "key") if has_judgments else ("format",)
    options = {
        key: value for key, value in settings.items() if key not in excluded and value is not False
    }
    for source in group:
        source.options |= options if source.part != "judgments" else {}
    frames: dict[str, pl.DataFrame] = {}
    is_log = group[0].part == "graded" and group[0].format in formats.LOGS
    if is_log and (len(group) > 1 or group[0].format in EXPORTS):
        frames = {log.path: rows for log in group if not (rows := read_rows(log)).is_empty()}
    campaigns = []
    for label, logs in split_by_task(group, frames):
        reason, paths = f"{logs[0].format}: {logs[0].reason}", [log.path for log in logs]
        block: dict[str, Any] = {"task": logs[0].task}
        for part in dict.fromkeys(log.part for log in logs):
            files = [log.path for log in logs if log.part == part]
            part_options = next(log.options for log in logs if log.part == part)
            block[part] = make_block(files, part_options, formats.takes_folders(logs[0].format))
        questions = [question for log in logs for question in log.questions]
        own_frames = [frames[path] for path in paths if path in frames]
        questions += ask_metric_threshold(logs[0].options, own_frames)
        questions = [question for question in questions if not question.decided_by(settings)]
        if has_judgments:
            files = [log.path for log in logs if log.part == "judgments"]
            reader = formats.get_reader(logs[0].format)
            if read_truth := getattr(reader, "list_truth_options", None):
                truth = read_truth(read_names(files[0], ".jsonl"))
                block |= {key: value for key, value in truth.items() if key not in settings}
            questions += ask_official(files, block["judgments"], settings)
        campaign = DetectedCampaign(label, block, paths, reason, questions)
        campaign.notes += dict.fromkeys(note for log in logs for note in log.notes)
        if own_frames:
            rows = pl.concat(own_frames)
            add_sharing(campaign, partial(count_distinct, rows), ["run"], ["question"])
        campaigns.append(campaign)
    note = "The files hold several tasks, scorers or repeated responses: each is a campaign here."
    for campaign in campaigns if campaigns[1:] else []:
        campaign.notes.append(note)
    return campaigns


def add_sharing(
    campaign: DetectedCampaign, count: Callable[..., int], run: list[str], question: list[str]
) -> None:
    """Set `compare_on: all` where no two runs share a question, so that they are not compared."""
    if count(run) > 1 and count(question) == count([*run, *question]):
        campaign.block.setdefault("compare_on", "all")
        note = "No two runs share a question: each is scored by itself (compare_on: all)."
        campaign.notes.append(note)


def read_rows(log: Source) -> pl.DataFrame:
    """Return the rows of a log with its scorer, as far as they distinguish tasks; empty where it
    cannot be read."""
    accounts = [tables.make_empty(tables.IMPORTS)]
    read_log = get_reader("graded", log.options, log.task, accounts, keep=True)
    rows, faults = read_log(log.path, log.options)
    if faults or rows.is_empty():
        return pl.DataFrame()
    rule = pl.concat_str("scorer", pl.col("chosen").list.join(" "))
    scorers = pl.concat(accounts).select("run", "scorer", rule=rule).unique("run")
    rows = rows.filter(~pl.col("missing")).select("run", "question", "epoch", "category", "verdict")
    return rows.join(scorers, on="run", how="left")


def split_by_task(
    group: list[Source], frames: dict[str, pl.DataFrame]
) -> list[tuple[str, list[Source]]]:
    """Split logs into campaigns: by task and by scorer where a question has several, then so that
    no response occurs twice. Each campaign comes with the name of its task or scorer."""
    if not frames:
        return [("", group)]
    numbers = (
        pl.concat(frames.values()).group_by("question").agg(pl.col("category", "rule").n_unique())
    )
    labels = {"category": "category", "rule": "scorer"}  # columns in the name of a campaign
    ambiguous = [name for name in labels if (numbers[name] > 1).any()]
    kinds: dict[tuple[str | None, ...], list[tuple[list[Source], set]]] = {}
    for log in group:
        rows = frames.get(log.path, pl.DataFrame())
        constant = [name for name in ambiguous if rows.height and rows[name].n_unique() == 1]
        label = " ".join(filter(None, (rows[labels[name]][0] for name in constant)))
        kind = kinds.setdefault((label, *(rows[name][0] for name in constant)), [])
        key = ("run", "question", "epoch")
        responses = {*rows.select(key).iter_rows()} if rows.height else set()
        part = next((part for part in kind if part[1].isdisjoint(responses)), None)
        if part is None:
            kind.append(part := ([], set()))
        part[0].append(log)
        part[1].update(responses)
    return [(str(kind[0]), logs) for kind, parts in kinds.items() for logs, _ in parts]


def ask_metric_threshold(options: dict[str, Any], frames: list[pl.DataFrame]) -> list[Question]:
    """Return the question from which number on an answer is correct, for exports whose metrics are
    no verdicts."""
    number = sum(int((rows["verdict"] == "partial").sum()) for rows in frames)
    if options["format"] not in EXPORTS or "correct_from" in options or not number:
        return []
    between = Choice("correct_from", False, "what lies between 0 and 1 is partly right")
    text = (
        f"{quote(options.get('metric', 'the metric'))} lies between 0 and 1 for "
        f"{plural(number, 'answer')}. From which value on is an answer correct?"
    )
    return [Question("correct_from", text, (between,), default=between, form="a number")]


def make_table_campaigns(
    paths: list[str], settings: dict[str, Any], scan: Scan, named_paths: set[str], has_logs: bool
) -> list[DetectedCampaign]:
    """Return the campaigns of plain tables: of verdicts, of counts, and of answers with a key or
    judgments in another table.

    named_paths: the files that the user names. has_logs: whether there are logs. Beside logs or
    verdicts, a table that says neither is left out, unless the user names it.
    """
    drafts, faults = read_tables(paths, settings)
    scan.faults += faults
    for key, value in settings.items() if drafts else ():
        tables_with_it = [table for table in drafts if table.settings.get(key) == value]
        for name in named_by(key, value) if tables_with_it == drafts else ():
            if all(find_missing(name, draft.columns) for draft in drafts):
                expected = f"one of {quote_names(drafts[0].columns)}"
                found = f"no column {name!r} ({key}={name})"
                scan.faults.append(Fault(drafts[0].paths[0], 1, found, expected))
    for draft in drafts:
        complete_draft(draft)
    keys = [draft for draft in drafts if is_key(draft, settings)]
    unjudged = [draft for draft in drafts if draft not in keys and is_unjudged(draft)]
    answers = [draft for draft in unjudged if draft.column("answer") is not None]
    campaigns = []
    if len(keys) == 1 and answers:
        drafts = [draft for draft in drafts if draft not in keys and draft not in answers]
        campaigns = [make_key_campaign(draft, keys[0], settings) for draft in answers]
    elif keys and settings.get("key"):
        drafts = [draft for draft in drafts if draft not in keys]
    for draft in drafts if answers and not campaigns else ():
        ask_judgments(draft)
    judged = [draft for draft in drafts if not is_unjudged(draft)]
    if len(judged) == 1 and "run" in judged[0].roles and answers and not campaigns:
        judged[0].questions += ask_missing(judged[0], answers[0], "verdict")
    for draft in judged[1:]:
        draft.notes.append(
            "It is a campaign of its own, as it has other documented columns than "
            f"{judged[0].paths[0]}, or its records elsewhere. nonresponse compare FILE FILE "
            "compares files with one run each."
        )
    alone, judging = not (campaigns or has_logs or judged), {"verdict", "gold", *MODES} - {"judged"}
    selected = judged + [
        draft
        for draft in drafts
        if draft not in judged
        and judging & {choice.key for choice in draft.choices}
        and (alone or named_paths & {*draft.paths})
    ]
    for draft in drafts:
        if not all(
            question.choices or question.columns or question.form for question in draft.questions
        ):
            expected = "columns of questions, and of verdicts or answers (docs/tables.md)"
            found = f"nothing but {quote_names(draft.columns)}"
            scan.faults.append(Fault(draft.paths[0], 1, found, expected))
        elif draft in selected or (alone and not selected):
            campaigns.append(make_table_campaign(draft))
        else:
            has_answers = draft.column("answer") is not None
            reason = "answers without verdicts" if has_answers else "neither verdicts nor answers"
            scan.left_out |= dict.fromkeys(draft.paths, reason)
    return campaigns


def is_unjudged(draft: Draft) -> bool:
    """Return whether neither the table nor the user says how good its answers are."""
    has_verdicts = "verdict" in draft.roles or draft.has_other_verdicts
    return draft.part != "counts" and not has_verdicts


def is_key(draft: Draft, settings: dict[str, Any]) -> bool:
    """Return whether a table has gold answers or judgments but no answers of runs, or is the key
    that the user names."""
    if "key" in settings:
        return is_in_key(draft.paths[0], settings)
    if not is_unjudged(draft) or "question" not in draft.roles:
        return False
    return has_labels(draft) or ("gold" in draft.roles and draft.column("answer") is None)


def ask_judgments(draft: Draft) -> None:
    """Ask whether verdicts on answers of no run are judgments of the answers in other files."""
    paths, roles = draft.paths, {"question", "answer", "verdict"}
    if not roles <= {*draft.roles} or "run" in draft.roles:
        return
    text = f"Are the verdicts of {paths[0]} judgments of answers in other files?"
    judgments = Choice("key", os.path.commonpath(paths), "yes")
    draft.ask("key", text, judgments, Choice("key", False, "no: it has a run of its own"))


def has_labels(draft: Draft) -> bool:
    """Return whether a table has judgments in our own words: a column `label` with R, W, U and
    X."""
    labels = draft.frame["label"] if "label" in draft.free_columns() else None
    return labels is not None and {*labels.drop_nulls()} <= {*TREC_LABELS}


def make_table_campaign(draft: Draft) -> DetectedCampaign:
    is_long = draft.part == "graded" and draft.options.get("layout") != "wide"
    options = (name_run_by_path(draft) if is_long else {}) | draft.options
    paths, reason = sorted(draft.paths), f"a table, {plural(draft.frame.height, 'row')}"
    block = {"task": draft.task, draft.part: make_block(paths, options)}
    campaign = DetectedCampaign("", block, paths, reason, draft.questions, draft.notes, draft)
    if is_long and not draft.questions:
        run, question = draft.role_columns("run"), draft.role_columns("question")
        add_sharing(campaign, draft.count_distinct, run, question)
    return campaign


def make_block(paths: list[str], options: dict[str, Any], folders: bool = False) -> dict[str, Any]:
    first = {
        "format": options.get("format", "tabular"),
        "files": make_pattern(sorted(paths), folders),
    }
    return first | {name: value for name, value in options.items() if name != "format"}


def name_run_by_path(draft: Draft) -> dict[str, str]:
    """Return the option `run` where the path of a file names its run, and not the file alone."""
    pattern = run_by_folder(draft.paths)
    is_open = "run" not in draft.roles and not draft.asks("run")
    return {"run": pattern} if is_open and pattern != "{file}" else {}


def make_key_campaign(runs: Draft, key: Draft, settings: dict[str, Any]) -> DetectedCampaign:
    """Return the campaign of answers whose judgments or key are in another table."""
    names = ("question", "run", "answer", "epoch", "confidence", "error")
    roles: dict[str, Any] = {role: runs.roles[role] for role in names if role in runs.roles}
    shared = ("question", "run", "empty_questions", "verdicts", "decimal", "encoding", "records")
    questions = [question for question in key.questions if question.key != "run"] + runs.questions
    questions = [question for question in questions if question.key in shared]
    draft = replace(runs, settings=settings, roles=roles, questions=questions, options={}, notes=[])
    block = make_table_block(runs, roles) | name_run_by_path(runs)
    gold, verdict = key.roles.get("gold") or key.roles.get("answer"), key.roles.get("verdict")
    judgments = make_table_block(key, {"answer": gold or BLANK, "label": verdict})
    if not gold:
        answers = draft.list_words(roles["answer"])
        columns = sorted(key.free_columns(), key=lambda name: -key.frame[name].is_in(answers).sum())
        text = f"Which column of {key.paths[0]} has the gold answers?"
        draft.ask("gold", text, *key.choose("gold", columns[:FEW]), columns=tuple(columns))
    paths, is_closed = sorted(key.paths), not (verdict or has_labels(key))
    if is_closed:
        judgments["closed"] = True
    else:
        judgments |= label_verdicts(key) if verdict else {}
        draft.questions += ask_official(paths, judgments, settings)
    golds = [key.frame[gold]] if gold in key.frame.columns else []
    empty = sum(column.null_count() for column in golds) if is_closed else 0
    has_equal = any(draft.frame[roles["answer"]].is_in(column.implode()).any() for column in golds)
    if golds and not has_equal and not golds[0].str.starts_with("[").any():
        runs.notes.append(f"No answer is written as any in {gold!r} of {paths[0]}.")
    runs.note_decimals(draft.frame[roles["answer"]], *golds)
    words = list_marks(UNANSWERED, [draft.frame[roles["answer"]], *golds], empty, is_listed=True)
    if words or is_closed:
        text = "How is it marked that a system did not answer, or in a key that there is no answer?"
        ask_mark(draft, UNANSWERED, text, words, [])
    ask_failures(draft)
    if is_closed:
        exact = Choice("normalise", False, "as they are")
        squad = Choice("normalise", "squad", "without capitals, punctuation and articles")
        text = "How are answers compared with the key?"
        draft.ask("normalise", text, squad, exact, default=exact)
    draft.questions += ask_missing(runs, key, "response")
    block |= {name: runs.options[name] for name in ("decimal",) if name in runs.options}
    for part, options in ((block, "unanswered failed failures"), (judgments, "")):
        shared_names = (*options.split(), "normalise", "empty_questions")
        part |= {name: settings[name] for name in shared_names if settings.get(name)}
    reason = f"answers, with {'the key' if is_closed else 'judgments in'} {paths[0]}"
    block = {"task": "qa", "runs": block, "judgments": judgments}
    paths = [*runs.paths, *paths]
    return DetectedCampaign("", block, paths, reason, draft.questions, runs.notes, runs)


def ask_missing(runs: Draft, partner: Draft, lack: str) -> list[Question]:
    """Return the question of what a missing response (or verdict) counts as, if some run lacks one
    for a question of either table."""
    if (
        not all("question" in table.roles for table in (runs, partner))
        or "missing" in runs.settings
    ):
        return []
    question, run = runs.role_columns("question"), runs.role_columns("run")
    asked = max(table.count_distinct(table.role_columns("question")) for table in (runs, partner))
    if runs.count_distinct([*run, *question]) == runs.count_distinct(run) * asked:
        return []
    choices = tuple(Choice("missing", value) for value in ("unanswered", "exclude", "wrong"))
    text = f"What does a question count as if a run has no {lack} to it?"
    return [Question("missing", text, choices, default=choices[0] if lack == "response" else None)]


def label_verdicts(key: Draft) -> dict[str, Any]:
    """Return the options that read the verdicts of a table as labels of judgments."""
    verdicts = key.options.get("verdicts", {})
    words = {
        word: verdicts.get(word, word.lower()) for word in key.list_words(key.roles["verdict"])
    }
    labels = {word: VERDICT_LABELS.get(verdict, verdict) for word, verdict in words.items()}
    return {"labels": labels} | ({"partial": ["X"]} if "X" in labels.values() else {})


def make_table_block(draft: Draft, roles: dict[str, Any]) -> dict[str, Any]:
    columns = map_columns({"question": draft.roles.get("question", BLANK)} | roles)
    return make_block(draft.paths, {**draft.shape, "columns": columns})


def ask_official(
    paths: list[str], block: dict[str, Any], settings: dict[str, Any]
) -> list[Question]:
    """Set the option `official` for several files of judgments; return the question of which one it
    is. A file called so is proposed."""
    if len(paths) > 1:
        block["official"] = settings.get("official", BLANK)
    if len(paths) < 2 or "official" in settings:
        return []
    choices = tuple(official_choices([*map(get_stem, sorted(paths))]))
    default = next((choice for choice in choices if choice.value.lower() in OFFICIAL), None)
    return [Question("official", OFFICIAL_QUESTION, choices, default=default)]


def make_pattern(paths: list[str], folders: bool) -> str | list[str]:
    """Return a value of `files:` that matches exactly these paths: a simple pattern, else the list
    of them.

    The pattern is cut at words where it then matches the same paths: of alpha.tsv and beta.tsv it
    is *.tsv, not *a.tsv, which would miss a run that is added later.
    """
    begin = commonprefix(paths)  # noqa: RUF071 (letters)
    end = commonprefix([path[::-1] for path in paths])[::-1]  # noqa: RUF071
    top, ending = begin[: begin.rfind("/") + 1], end[end.rfind("/") + 1 :]
    depth = "/".join("*" * (1 + paths[0].removeprefix(top).count("/")))
    word_pattern = f"{LAST_WORD.sub('', begin)}*{FIRST_WORD.sub('', end)}"
    patterns = (
        word_pattern,
        f"{begin}*{end}",
        f"{top}{depth}{Path(ending).suffix}",
        f"{top}**/*{ending}",
        paths,
    )
    tried: Iterable[str | list[str]] = (paths[0], glob.escape(paths[0]), *patterns)
    exact = (candidate for candidate in tried if match_files(candidate, folders) == (paths, {}))
    return next(exact, [glob.escape(path) for path in paths])


def choose_name(campaign: DetectedCampaign, names: set[str], name: str | None) -> str:
    """Return a name for a campaign that no other one has: the given one, or one after its file or
    its folder."""
    if name is None:
        paths = [os.path.normpath(Path(file).absolute()) for file in campaign.paths]
        path = os.path.commonpath(paths)
        words, folder, label = (
            re.findall("[a-z0-9]+", text.lower())
            for text in (get_stem(path), Path(path).parent.name, campaign.name)
        )
        if not any(len(word) > 2 and not GENERAL.fullmatch(word) for word in words):
            words = folder + words
        name = "-".join(words + label)[:80].strip("-") or "campaign"
    numbered = (f"{name}-{number}" for number in count(2))
    return next(free for free in chain([name], numbered) if free not in names)
