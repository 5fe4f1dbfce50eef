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
from nonresponse.detect import Choice, Found, Question, Source
from nonresponse.detect.names import plain
from nonresponse.detect.shapes import JSON, kind_of
from nonresponse.faults import Fault
from nonresponse.formats import fields, json_pieces, parquet, records
from nonresponse.formats.declared import Format, Sign, Spec
from nonresponse.formats.json_pieces import get_first_letter
from nonresponse.formats.log_reader import list_score_choices
from nonresponse.formats.text import Faults, UnreadableError, read_lines
from nonresponse.ingest.files import describe_path, escape_path
from nonresponse.ingest.readers import get_reader

# Endings that have the signs of others
AS = {".ndjson": ".jsonl", ".tsv": ".csv", ".txt": ".csv", ".tab": ".csv"}
NO_TEXT = (".csv", ".tsv", *JSON, ".parquet", ".html", ".xml", ".eval")
# Words in names of files of gold answers
KEYS = ("key", "gold", "reference", "references", "answers", "truth")
FIRST = 20  # lines of a file of JSON lines whose names are read
HALF = 0.5  # share of a text's lines that have to match a format
READABLE = "a file or a folder that can be read"
# Names with a leading dot that are read all the same. DeepEval's are all of one run; the first
# there has the most data.
HIDDEN = (".deepeval", ".latest_run_full.json", ".latest_test_run.json", ".temp_test_run_data.json")
# Objects by format, part and file, of files that are read together
Parts = dict[str, dict[str, dict[str, dict]]]


def files_below(paths: list[str], found: Found) -> list[str]:
    """Return the files of these paths and of folders below them, each once; folders that are logs
    go to `found`."""
    files: dict[str, None] = {}
    folders: set[str] = set()
    for path in map(os.path.normpath, paths):
        kind = describe_path(path)
        if kind not in (None, "a folder"):
            found.faults.append(Fault(escape_path(path), 0, kind, READABLE))
            continue
        inside = [] if kind else [path]
        for top, below, names in os.walk(path) if kind else ():
            below[:] = [name for name in below if not name.startswith(".") or name in HIDDEN]
            kept = [name for name in HIDDEN if name in names][:1]
            inside += [
                os.path.normpath(f"{top}/{name}")
                for name in names
                if name[0] != "." or name in kept
            ]
        for file in sorted(inside):
            folder = log_folder(str(Path(file).parent))
            if folder and folder.path not in folders:
                found.sources.append(folder)
                folders.add(folder.path)
            elif not folder and (other := describe_path(file)):
                found.faults.append(Fault(escape_path(file), 0, other, READABLE))
            elif not folder:
                files[file] = None
    return [*files]


def log_folder(path: str) -> Source | None:
    """Return the source of a folder that is a log; null for any other folder."""
    for format, sign in signs("/"):
        there = [
            name for name in f"{sign.names} {sign.any_of}".split() if Path(path, name).is_file()
        ]
        if fits_sign(sign, there):
            return make_source(path, format, sign)
    return None


def recognise(paths: list[str], found: Found) -> list[str]:
    """Return the files of no known format; sources and faults of the others go to `found`."""
    parts: Parts = {}
    others = [path for path in paths if not recognised(path, found, parts)]
    for format, of_format in parts.items():
        for log in formats.LOGS[format].match_files(of_format):
            if isinstance(log, Fault):
                others.append(log.file)
                continue
            source = Source(log.path, "graded", {"format": format, **log.options}, log.reason)
            if "na_prob" in log.options:
                none = Choice("threshold", 1, "no question")
                why = "Above which probability of no answer is a question unanswered?"
                source.questions.append(
                    Question("threshold", why, (none,), default=none, form="a number from 0 to 1")
                )
            found.sources.append(source)
            found.beside |= log.companions
    add_questions(found, others)
    with_one_truth(found)
    return [path for path in others if path not in found.beside]


def recognised(path: str, found: Found, parts: Parts) -> bool:
    """Return whether a file has a known format; it then goes to `found`, or to `parts` if others
    are read with it."""
    kind, head, faults = kind_of(path), dict[str, Any](), list[Fault]()
    if kind == ".json":
        head = outermost(path, faults)
        if faults:
            found.faults += faults
            return True
    names = [*head] or names_in(path, kind)
    inner = ((key, value) for key, value in head.items() if isinstance(value, dict))
    names += [
        f"{key}.{name}"
        for key, inside in inner
        for name in inside
        if isinstance(inside[name], list)
    ]
    for format, sign in signs(AS.get(kind, kind)):
        if fits_sign(sign, names) and has_values(path, format, sign, names):
            if sign.part == "beside":
                found.beside[path] = sign.reason
            elif sign.part == "none":
                found.faults.append(Fault(path, 0, sign.reason, "the file of the run itself"))
            else:
                found.sources.append(make_source(path, format, sign))
            return True
    for spec in formats.LOGS.values():
        if spec.part_of and (part := spec.part_of(head)):
            parts.setdefault(spec.id, {}).setdefault(part, {})[path] = head
            return True
    by_lines = None if kind in NO_TEXT else text_source(path)
    found.sources += [by_lines] if by_lines else []
    return bool(by_lines)


def signs(ending: str) -> Iterator[tuple[Format | Spec, Sign]]:
    """Yield the signs of files with an ending, each with its format; the logs of harnesses come
    first."""
    known = chain[Format | Spec](formats.LOGS.values(), formats.FORMATS.values())
    return ((format, sign) for format in known for sign in format.signs if sign.ending == ending)


def fits_sign(sign: Sign, names: list[str]) -> bool:
    """Return whether these names have all of a sign's `names`, and one of its `some`, and no others
    if `alone`."""
    words = sign.names.split()
    some = not sign.any_of or any(matching_names(sign.any_of, names))
    return (
        some
        and all(any(matching_names(word, names)) for word in words)
        and (not sign.exact or {*names} <= {*words})
    )


def matching_names(words: str, names: list[str]) -> Iterator[str]:
    """Yield the names that match the words of a sign, each a name or a regular expression."""
    for word in words.split():
        yield from [word] if word in names else filter(re.compile(word).fullmatch, names)


def outermost(path: str, faults: list[Fault]) -> dict[str, Any]:
    """Return the members of the object in a JSON file, `samples` as null; empty if the file has
    another value."""
    head: dict[str, Any] = {}
    if get_first_letter(path, {}) == "[":
        return head
    for piece in json_pieces.read_pieces(path, [("samples",)], {}, faults):
        if piece.path:
            head[piece.path[0]] = None if piece.path == ("samples",) else piece.value
        if piece.path == ("samples",) and "eval" in head:
            break  # what comes further down is not needed, and may be long
    return head


def names_in(path: str, kind: str) -> list[str]:
    """Return the names that signs may match: columns, members of JSON lines, or XML elements."""
    if kind in (".jsonl", ".ndjson"):
        return list(dict.fromkeys(name for record in first_records(path) for name in record))
    if kind == ".parquet":
        try:
            return parquet.columns_of(path, {})
        except UnreadableError:
            return []
    if kind == ".xml":
        from nonresponse.formats import xml  # which loads much of the standard library

        elements, _ = xml.read_elements(path, {})
        return [
            name
            for element in elements
            for name in (element.name, *(f"@{attribute}" for attribute in element.attributes))
        ]
    return header(path, kind) if kind in records.SEPARATORS else []


def header(path: str, kind: str) -> list[str]:
    """Return the names of the columns of a delimited text."""
    line = next((line for _, line in read_lines(path, {}, Faults(path)) if line.strip()), "")
    return next(csv.reader([line], delimiter=records.SEPARATORS[kind]), [])


def first_records(path: str, most: int | None = FIRST) -> list[dict]:
    """Return the first records of a file of JSON lines."""
    return [record for _, record in islice(json_pieces.read_json_lines(path, "", {}, []), most)]


def has_values(path: str, format: Format | Spec, sign: Sign, names: list[str]) -> bool:
    """Return whether the content of a file fits a sign whose names alone may occur in other
    files."""
    is_truth = hook(format.id, "is_truth")
    if not sign.part and is_truth:
        alone = {*names} == {*sign.names.split()} or is_key(path)
        return alone and is_truth(names, first_records(path)) is not None
    if not sign.labels:
        return True
    labels = records.read_table(path)[0]["label"].drop_nulls().str.strip_chars().str.to_lowercase()
    return bool(len(labels)) and bool(labels.is_in(sign.labels).all())


def make_source(path: str, format: Format | Spec, sign: Sign) -> Source:
    """Return the source of a file of a format, with what it leaves open."""
    part, is_truth, task = (
        sign.part,
        hook(format.id, "is_truth"),
        sign.task or (*format.tasks, "qa")[0],
    )
    source = Source(
        path,
        part,
        {"format": format.id},
        sign.reason or f"it has {', '.join(sign.names.split())}",
        task,
    )
    if not part and is_truth:
        source.part = (
            "judgments" if is_truth(names_in(path, ".jsonl"), first_records(path, None)) else "runs"
        )
        source.notes.append(f"{path} is taken for {source.part} by its values.")
    elif not part:
        source.part = "judgments" if is_key(path) else "runs"
        source.notes.append(
            f"{path} is taken for {source.part} by its name, since its form is that of both."
        )
    if isinstance(format, Spec):
        source.notes += [f"{format.id}: {format.blind}."] if format.blind else []
        if format.option and (names := list_score_choices(format, path)):
            each = tuple(Choice(format.option, name) for name in names)
            why = f"Which {format.option} says whether an answer is correct?"
            source.questions.append(Question(format.option, why, each, default=each[0]))
    return source


def is_key(path: str) -> bool:
    """Return whether a word in the name of a file or of its folder means gold answers."""
    words = [
        *plain(Path(path).name).split("_"),
        *plain(Path(path).absolute().parent.name).split("_"),
    ]
    return any(word in KEYS for word in words)


def text_source(path: str) -> Source | None:
    """Return the source of a text if most of its lines match a format. Signs with a tag, the
    vaguest, come last."""
    read, faults = fields.read_fields(path, {})
    texts = [" ".join(words) for _, words in read]
    for format, sign in sorted(signs(""), key=lambda known: "?P<tag>" in known[1].names):
        pattern = re.compile(sign.names, re.IGNORECASE)
        tags = Counter(
            match.groupdict().get("tag", "") for line in texts if (match := pattern.fullmatch(line))
        )
        [(_, times)] = tags.most_common(1) or [("", 0)]
        if not faults and times and times >= HALF * len(texts):
            return make_source(path, format, sign)
    return None


def with_one_truth(found: Found) -> None:
    """Make runs of files that are the truth by their values, where another one is also named so."""
    judged = [source for source in found.sources if source.part == "judgments"]
    truths = [source for source in judged if hook(source.format, "is_truth")]
    if any(is_key(source.path) for source in truths):
        for source in truths:
            source.part = "judgments" if is_key(source.path) else "runs"


def add_questions(found: Found, others: list[str]) -> None:
    """Add to each log whose questions may be in a file beside it the file that has all of them."""
    for source in found.sources:
        questions_in = (
            formats.LOGS[source.format].read_question_ids if source.format in formats.LOGS else None
        )
        keys = (
            {path: asked for path in others if (asked := questions_in(path))}
            if questions_in
            else {}
        )
        read = get_reader("graded", source.options, source.task, keep=True)
        rows, _ = read(source.path, source.options) if keys else (None, [])
        for path, asked in keys.items():
            if rows is not None and rows.height and {*rows["question"]} <= asked:
                source.options["key"] = path
                found.beside[path] = f"the questions of {source.path}"
                break


def hook(format: str, name: str) -> Any:
    """Return what the module of a shared task's format has by this name; null if nothing, and for
    logs."""
    return None if format in formats.LOGS else getattr(formats.get_reader(format), name, None)
