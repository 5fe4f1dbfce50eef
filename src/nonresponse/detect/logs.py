"""Recognise logs of harnesses and files of shared tasks by the signs that their formats declare."""

import csv
import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from nonresponse import formats
from nonresponse.detect import Choice, Question, Scan, Source
from nonresponse.detect.names import ALIASES, columns_called, plain
from nonresponse.detect.shapes import HEAD_LINES, JSON, are_all, kind_of
from nonresponse.faults import Fault
from nonresponse.formats import fields, json_pieces, parquet, records
from nonresponse.formats.declared import Format, Sign, Spec
from nonresponse.formats.json_pieces import get_first_letter
from nonresponse.formats.log_reader import find_lacking_score, list_score_choices
from nonresponse.formats.text import Faults, read_lines
from nonresponse.ingest.files import describe_path, escape_path
from nonresponse.ingest.readers import get_reader

# Endings that have the signs of others
SAME_SIGNS = {".ndjson": ".jsonl", ".tsv": ".csv", ".txt": ".csv", ".tab": ".csv"}
NO_TEXT = (".csv", ".tsv", *JSON, ".parquet", ".html", ".xml", ".eval")
# Words in names of files of gold answers
KEYS = ("key", "gold", "reference", "references", "ref", "truth")
MEMBERS = 50  # members of an object in a JSON file whose own members signs may name
HEAD_RECORDS = 20  # lines of a file of JSON lines whose names are read
HALF = 0.5  # share of a text's lines that have to match a format
READABLE = "a file or a folder that can be read"
# Names with a leading dot that are read all the same. DeepEval's are all of one run; the first
# there has the most data.
MANIFEST = "manifest.sha256"  # in a folder of results
HIDDEN = (".deepeval", ".latest_run_full.json", ".latest_test_run.json", ".temp_test_run_data.json")


def list_files(paths: list[str], scan: Scan) -> list[str]:
    """Return the files of these paths and of folders below them, each once; folders that are logs
    go to `scan`."""
    files: dict[str, None] = {}
    folders: set[str] = set()
    for path in map(os.path.normpath, paths):
        is_folder = describe_path(path) == "a folder"
        for file in sorted(walk(path)) if is_folder else [path]:
            kind = describe_path(file)
            source = find_log_folder(str(Path(file).parent)) if is_folder or not kind else None
            if source and source.path not in folders:
                scan.sources.append(source)
                folders.add(source.path)
            elif kind and not source:
                scan.faults.append(Fault(escape_path(file), 0, kind, READABLE))
            elif not source:
                files[file] = None
    return [*files]


def walk(folder: str) -> Iterator[str]:
    """Yield the files below a folder, without our own results and without hidden files other than
    HIDDEN."""
    for top, subfolders, names in os.walk(folder):
        if MANIFEST in names:
            subfolders.clear()
            continue
        subfolders[:] = [name for name in subfolders if name[0] != "." or name in HIDDEN]
        hidden = [name for name in HIDDEN if name in names][:1]
        visible = [name for name in names if name[0] != "."]
        yield from (os.path.normpath(f"{top}/{name}") for name in visible + hidden)


def find_log_folder(path: str) -> Source | None:
    """Return the source of a folder that is a log; null for any other folder."""
    for format, sign in find_signs("/"):
        names = f"{sign.names} {sign.any_of}".split()
        if fits_sign(sign, [name for name in names if Path(path, name).is_file()]):
            return make_source(path, format, sign)
    return None


def recognise(paths: list[str], scan: Scan, key: object) -> list[str]:
    """Return the files of no known format; sources and faults of the others go to `scan`.

    key: the file that the user names as one.
    """
    texts: dict[str, set[str]] = {}
    keys = {path for path in paths if is_key(path)}
    if isinstance(key, str):
        keys = {os.path.normpath(key)} & {*paths}
    unknown = [path for path in paths if not recognise_file(path, scan, texts, keys)]
    add_keys(scan, unknown, texts)
    recognised_paths = {*scan.companions, *(source.path for source in scan.sources)}
    return [path for path in unknown if path not in recognised_paths]


def recognise_file(path: str, scan: Scan, texts: dict[str, set[str]], keys: set[str]) -> bool:
    """Return whether a file has a known format; it then goes to `scan`, and the names of an object
    of texts to `texts`. A form of both runs and judgments counts if some file is a key."""
    kind, head, faults = kind_of(path), dict[str, Any](), list[Fault]()
    if kind == ".json":
        head = read_members(path, faults)
        if faults:
            scan.faults += faults
            return True
    names = [*head] or read_names(path, kind)
    for key, members in islice(head.items(), MEMBERS):
        names += [f"{key}.{name}" for name in members] if isinstance(members, dict) else []
    if isinstance(columns := head.get("columns"), list) and "data" in head:  # a data frame
        names += [name for name in columns if isinstance(name, str)]
    for format, sign in find_signs(SAME_SIGNS.get(kind, kind)):
        if (sign.part or keys) and fits_sign(sign, names) and has_labels(path, sign):
            if sign.part == "beside":
                scan.companions[path] = sign.reason
            elif sign.part == "none":
                scan.faults.append(Fault(path, 0, sign.reason, "the file of the run itself"))
            elif (log := make_source(path, format, sign, path in keys)).part == "none":
                scan.left_out[path] = formats.LOGS[format.id].no_scores
            else:
                scan.sources.append(log)
            return True
    if head and are_all(str, head):
        texts[path] = {*head}
    has_header = any(columns_called(names, ALIASES["question"]))  # which no text has
    source = None if kind in NO_TEXT or has_header else recognise_text(path)
    scan.sources += [source] if source else []
    return bool(source)


def leave_out_logs(scan: Scan, settings: dict[str, Any]) -> None:
    """Leave out logs without the score that the user names, unless none has it. Logs of another
    harness that leave no choice of a score keep theirs."""
    reasons: dict[str, str] = {}
    graded = [source for source in scan.sources if source.part == "graded"]
    specs = {log.path: formats.LOGS[log.format] for log in graded if log.format in formats.LOGS}
    names = {path: settings.get(spec.option) for path, spec in specs.items()}
    logs = [log for log in graded if isinstance(names.get(log.path), str)]
    for log in logs if len(logs) > 1 else []:
        if fault := find_lacking_score(specs[log.path], log.path, str(names[log.path])):
            reasons[log.path] = f"{fault.found}; expected {fault.expected}"
    holders = {log.format for log in logs if log.path not in reasons}
    for log in logs if holders else []:
        option = specs[log.path].option
        has_choice = any(question.key == option for question in log.questions)
        if log.format not in holders and not has_choice:
            del reasons[log.path]
            log.ignored = (option,)
    if holders:
        scan.left_out |= reasons
        scan.sources[:] = [source for source in scan.sources if source.path not in reasons]


def find_signs(ending: str) -> Iterator[tuple[Format | Spec, Sign]]:
    """Yield the signs of files with an ending, each with its format; the logs of harnesses come
    first."""
    for format in chain[Format | Spec](formats.LOGS.values(), formats.FORMATS.values()):
        yield from ((format, sign) for sign in format.signs if sign.ending == ending)


def fits_sign(sign: Sign, names: list[str]) -> bool:
    """Return whether these names have all of a sign's `names`, one of its `any_of`, and no others
    if it is `exact`."""
    words = sign.names.split()
    has_some = not sign.any_of or any(matching_names(sign.any_of, names))
    has_all = all(any(matching_names(word, names)) for word in words)
    return has_some and has_all and (not sign.exact or {*names} <= {*words})


def matching_names(words: str, names: list[str]) -> Iterator[str]:
    """Yield the names that match the words of a sign, each a name or a regular expression."""
    for word in words.split():
        yield from [word] if word in names else filter(re.compile(word).fullmatch, names)


def read_members(path: str, faults: list[Fault]) -> dict[str, Any]:
    """Return the members of the object in a JSON file, `samples` as null; empty if the file has
    another value."""
    head: dict[str, Any] = {}
    if get_first_letter(path) == "[":
        return head
    for piece in json_pieces.read_pieces(path, [("samples",)], {}, faults):
        if piece.path:
            head[piece.path[0]] = None if piece.path == ("samples",) else piece.value
        if piece.path == ("samples",) and "eval" in head:
            break  # what comes further down is not needed, and may be long
    return head


def read_names(path: str, kind: str) -> list[str]:
    """Return the names that signs may match: columns, members of JSON lines, or XML elements."""
    if kind in (".jsonl", ".ndjson"):
        lines = json_pieces.read_json_lines(path, "", {}, [])
        names_by_line = (record for _, record in islice(lines, HEAD_RECORDS))
        return list(dict.fromkeys(chain.from_iterable(names_by_line)))
    if kind == ".parquet":
        return [*parquet.read_schema(path)]
    if kind == ".xml":
        from nonresponse.formats import xml  # which loads much of the standard library

        names: list[str] = []
        for element in xml.read_elements(path, {})[0]:
            names += [element.name, *(f"@{attribute}" for attribute in element.attributes)]
        return names
    if kind not in records.SEPARATORS:
        return []
    head = islice(read_lines(path, Faults(path)), HEAD_LINES)
    header = next((line for _, line in head if line.strip()), "")
    return next(csv.reader([header], delimiter=records.SEPARATORS[kind]), [])


def has_labels(path: str, sign: Sign) -> bool:
    """Return whether a file has only the labels of a sign, if that names any."""
    if not sign.labels:
        return True
    frame, _ = records.read_table(path)
    if "label" not in frame.columns:  # the file is damaged
        return False
    labels = frame["label"].drop_nulls().str.strip_chars().str.to_lowercase()
    return bool(len(labels)) and bool(labels.is_in(sign.labels).all())


def make_source(
    path: str, format: Format | Spec, sign: Sign, has_gold_answers: bool = False
) -> Source:
    """Return the source of a file of a known format, with its questions."""
    reason = sign.reason or f"it has {', '.join(sign.names.split())}"
    task = sign.task or (*format.tasks, "qa")[0]
    source = Source(path, sign.part, {"format": format.id}, reason, task)
    if not sign.part:
        source.part = "judgments" if has_gold_answers else "runs"
        source.notes.append(
            f"{path} is taken for {source.part} by its name, since its form is that of both."
        )
    if isinstance(format, Spec):
        source.notes += filter(None, [format.caveat])
        choices = list_score_choices(format, path) if format.option else ([], False)
        names, is_verdict = choices or ([], False)
        source.part = "none" if choices is None else source.part
        if names:
            scorers = tuple(Choice(format.option, name) for name in names)
            text = f"Which {format.option} says whether an answer is correct?"
            default = scorers[0] if is_verdict else None
            source.questions.append(Question(format.option, text, scorers, default=default))
    return source


def is_key(path: str) -> bool:
    """Return whether a word in the name of a file or of its folder means gold answers."""
    names = (Path(path).name, Path(path).absolute().parent.name)
    return any(word in KEYS for name in names for word in plain(name).split("_"))


def recognise_text(path: str) -> Source | None:
    """Return the source of a text if most of its lines match a format. Signs with a tag, the
    vaguest, come last."""
    rows, faults = fields.read_fields(path, {})
    texts = [" ".join(words) for _, words in rows]
    for format, sign in sorted(find_signs(""), key=lambda pair: "?P<tag>" in pair[1].names):
        pattern = re.compile(sign.names, re.IGNORECASE)
        matches = filter(None, map(pattern.fullmatch, texts))
        tags = Counter(match.groupdict().get("tag", "") for match in matches)
        if tags and not faults and max(tags.values()) >= HALF * len(texts):
            return make_source(path, format, sign)
    return None


def add_keys(scan: Scan, paths: list[str], texts: dict[str, set[str]]) -> None:
    """Give each log that has its questions in another file the first file that has all of them.
    Objects of texts are logs if there is such a file."""
    for spec in formats.LOGS.values():
        sources = [source for source in scan.sources if source.format == spec.id]
        if spec.holds_texts:
            reason = "an object of texts, each by its question"
            sources = [Source(path, spec.part, {"format": spec.id}, reason) for path in texts]
        read_ids = spec.read_question_ids if sources else None
        keys = {path: ids for path in paths if read_ids and (ids := read_ids(path))}
        for source in sources if keys else []:
            ids = texts.get(source.path, set())
            if not ids:
                read_log = get_reader("graded", source.options, source.task, keep=True)
                rows, _ = read_log(source.path, source.options)
                ids = {*rows["question"]} if rows.height else ids
            if key := next((path for path in keys if ids and ids <= keys[path]), None):
                source.options["key"] = key
                scan.companions[key] = f"the questions of {source.path}"
                if spec.holds_texts:
                    scan.sources.append(source)
