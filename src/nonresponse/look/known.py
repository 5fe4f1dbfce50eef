"""Which known format a file or a folder has, by the signs in the formats' records."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import polars as pl

from nonresponse import formats
from nonresponse.faults import Fault, listed
from nonresponse.formats import fields, json_pieces, parquet, records, xml
from nonresponse.formats.declared import Format, Log, Sign
from nonresponse.formats.json_files import begins_with
from nonresponse.formats.roles import plain
from nonresponse.formats.text import Unreadable, read_bytes
from nonresponse.look import Looked, Source, records_of
from nonresponse.look.words import KEYS, different, meanings

AS = {".ndjson": ".jsonl", ".tsv": ".csv", ".txt": ".csv", ".tab": ".csv"}  # endings that have the signs of others
NO_TEXT = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".html", ".xml", ".eval")
WHY = {
    **dict.fromkeys((".csv", ".parquet"), "it has the columns {}"),
    **{".json": "an object with {}", ".jsonl": "its lines have {}", ".xml": "it has the elements {}"},
    "/": "a folder with {}",
}
FIRST = 20  # lines of a file of JSON lines that are looked at
Parts = dict[str, dict[str, dict[str, dict]]]  # objects by format, part and file, of files that are read together
HALF = 0.5  # share of a text's lines that have to match a format
WHICH = "whether it holds answers of a run or the right ones: here {}"


def signs(ending: str) -> Iterator[tuple[Format | Log, Sign]]:
    """The signs of files with an ending, each with its format; the logs of harnesses come first."""
    known = chain[Format | Log](formats.LOGS.values(), formats.FORMATS.values())
    return ((format, sign) for format in known for sign in format.signs if sign.ending == ending)


def folder_of(path: str) -> Source | None:
    """The source of a folder that is a log; null for any other folder."""
    for format, sign in signs("/"):
        there = [name for name in f"{sign.names} {sign.some}".split() if Path(path, name).is_file()]
        if fits(sign, there):
            return of_sign(path, format, sign, ", ".join(there[: len(sign.names.split()) + bool(sign.some)]))
    return None


def of_file(path: str, looked: Looked, parts: Parts) -> bool:
    """Whether a file is of a known format or refused; it then goes to `looked`, or to `parts` if others go with it."""
    kind, head = records_of.kind_of(path), dict[str, object]()
    if kind == ".json":
        faults = list[Fault]()
        head = outermost(path, faults)
        if faults:
            looked.refused.extend(faults)
            return True
    names = list(head) or names_in(path, kind)
    inner = ((key, value) for key, value in head.items() if isinstance(value, dict))
    names += [f"{key}.{name}" for key, inside in inner for name in inside if isinstance(inside[name], list)]
    for format, sign in signs(AS.get(kind, kind)):
        if fits(sign, names) and has_values(path, format, sign, names):
            if sign.part == "beside":
                looked.beside[path] = sign.why
            elif sign.part == "none":
                looked.refused.append(Fault(path, 0, sign.why, "the file of the run itself"))
            else:
                every = names if kind in records.SEPARATORS else dict.fromkeys(meant(sign.names, names))
                looked.sources.append(of_sign(path, format, sign, listed(every)))
            return True
    for id, part_of in formats.having("part_of").items():
        if (part := part_of(head)) and not are_verdicts(head):
            parts.setdefault(id, {}).setdefault(part, {})[path] = head
            return True
    by_lines = None if kind in NO_TEXT else of_text(path)
    looked.sources.extend([by_lines] if by_lines else [])
    return bool(by_lines)


def are_verdicts(head: dict[str, object]) -> bool:
    """Whether all values of an object are words for verdicts."""
    texts = [one for one in head.values() if isinstance(one, str)]
    return len(texts) == len(head) and bool(meanings(different(pl.Series(texts, dtype=pl.String))))


def outermost(path: str, faults: list[Fault]) -> dict[str, object]:
    """The members of the object in a JSON file, `samples` as null; empty if the file has another value."""
    head: dict[str, object] = {}
    if begins_with(path, {}) == "[":  # do not read an array: it may be long
        return head
    for piece in json_pieces.pieces_of(path, [("samples",)], {}, faults):
        if piece.path:
            head[piece.path[0]] = None if piece.path == ("samples",) else piece.value
        if piece.path == ("samples",) and "eval" in head:
            break  # what comes further down is not needed, and may be long
    return head


def names_in(path: str, kind: str) -> list[str]:
    """The names that signs may match: columns, members of JSON lines, or XML elements; empty for an unreadable file."""
    if kind in (".jsonl", ".ndjson"):
        return list(dict.fromkeys(name for record in first(path) for name in record))
    if kind == ".parquet":
        try:
            return parquet.columns_of(read_bytes(path, {})[0])
        except Unreadable:
            return []
    if kind == ".xml":
        elements, _ = xml.read_elements(path, {})
        return [name for one in elements for name in (one.name, *(f"@{attribute}" for attribute in one.attributes))]
    columns = records.read_table(path)[0].columns if kind in records.SEPARATORS else []
    return [name for name in columns if name != "line"]


def first(path: str) -> list[dict]:
    """The first records of a file of JSON lines."""
    return [record for _, record in islice(json_pieces.lines_of(path, "", {}, []), FIRST)]


def fits(sign: Sign, names: list[str]) -> bool:
    """Whether these names have all of a sign's `names`, and one of its `some`, and no others if it stands `alone`."""
    words = sign.names.split()
    some = not sign.some or any(meant(sign.some, names))
    return some and all(any(meant(word, names)) for word in words) and (not sign.alone or {*names} <= {*words})


def meant(words: str, names: list[str]) -> Iterator[str]:
    """The names that match the words of a sign, each a name or a regular expression."""
    for word in words.split():
        pattern = re.compile(word)
        yield from [word] if word in names else filter(pattern.fullmatch, names)


def has_values(path: str, format: Format | Log, sign: Sign, names: list[str]) -> bool:
    """Whether the content of a file also fits a sign whose names alone may occur in other files."""
    module = formats.module(format.id)
    if not sign.part and hasattr(module, "is_truth"):
        alone = {*names} == {*sign.names.split()} or right_by_name(path)
        return alone and module.is_truth(names, first(path)) is not None
    if hasattr(module, "fits"):
        return module.fits(path)
    return not sign.labels or has_labels(path, sign.labels)


def has_labels(path: str, known: tuple[str, ...]) -> bool:
    """Whether the column `label` of a table has only known labels, and at least one."""
    labels = records.read_table(path)[0]["label"].drop_nulls().str.strip_chars().str.to_lowercase()
    return bool(len(labels)) and labels.is_in(known).all()


def of_sign(path: str, format: Format | Log, sign: Sign, said: str) -> Source:
    """The source of a file of a format; `said`: the names that show the format, if not those of the sign."""
    module = formats.module(format.id)
    why = (sign.why or WHY[sign.ending]).format(said or ", ".join(sign.names.split()))
    part, undecided, more = sign.part, tuple[str, ...](), dict[str, str]()
    if not part and hasattr(module, "is_truth"):
        values = [one for _, one in json_pieces.lines_of(path, "", {}, [])]
        truth = bool(module.is_truth(names_in(path, ".jsonl"), values))
        part = "judgments" if truth else "runs"
        said, undecided = module.what_values_say(truth, values)
        if truth and not right_by_name(path):
            undecided += (WHICH.format("the right ones"),)
        why = f"{why}, and {said}"
    elif not part:
        right = right_by_name(path)
        part, here = ("judgments", "the right ones") if right else ("runs", "a run")
        undecided = (f"{WHICH.format(here)}, as its name has it",)
    chosen = getattr(module, "choose", lambda path: (more, undecided))(path)
    doubt = chosen if isinstance(chosen, Fault) else None
    more, undecided = chosen if doubt is None else (more, undecided)
    task = sign.task or (*format.tasks, "qa")[0]
    return Source(path, part, {"format": format.id} | more, why, undecided, task, doubt=doubt)


def right_by_name(path: str) -> bool:
    """Whether a word in the name of a file or of its folder means right answers (KEYS)."""
    words = [*plain(Path(path).name).split("_"), *plain(Path(path).absolute().parent.name).split("_")]
    return any(word in KEYS for word in words)


def of_text(path: str) -> Source | None:
    """The source of a text if most of its lines match a format; else null. Signs with a tag, the vaguest, come last."""
    lines, faults = fields.read_fields(path, {})
    said = [" ".join(words) for _, words in lines]
    for format, sign in sorted(signs(""), key=lambda known: "?P<tag>" in known[1].names):
        pattern = re.compile(sign.names, re.IGNORECASE)
        tags = Counter(match.groupdict().get("tag", "") for line in said if (match := pattern.fullmatch(line)))
        [(tag, times)] = tags.most_common(1) or [("", 0)]
        if not faults and times and times >= HALF * len(said):
            return of_sign(path, format, sign, tag)
    return None


def with_one_truth(sources: list[Source]) -> list[Source]:
    """The sources; if one of several that are the truth by their values is also named so, the others become runs."""
    judged = [one for one in sources if one.part == "judgments"]
    truths = [one for one in judged if hasattr(formats.module(one.format), "is_truth")]
    if not any(right_by_name(one.path) for one in truths):
        return sources
    runs = {one.path for one in truths if not right_by_name(one.path)}
    return [one._replace(part="runs") if one.path in runs else one for one in sources]


def add_together(parts: Parts, looked: Looked) -> None:
    """Adds each file that is known by others beside it, with these."""
    for format, of_format in parts.items():
        for found in formats.module(format).together(of_format):
            if isinstance(found, Fault):
                looked.refused.append(found)
            else:
                looked.sources.append(Source.of_log(format, found))
                looked.beside.update(found.beside)


def add_questions(looked: Looked) -> None:
    """Adds to each log whose questions may be in a file beside it the file found with all of them, which then is no
    source of its own.
    """
    for format, questions_in in formats.having("questions_in").items():
        logs = [one for one in looked.sources if one.format == format]
        found = {one.path for one in looked.sources if one not in logs} | {fault.file for fault in looked.refused}
        keys = {path: asked for path in sorted(found) if logs and (asked := questions_in(path))}
        for one in logs:
            samples = formats.module(format).read_log(one.path, {}).samples if keys else []
            ids = {sample.question for sample in samples}
            if key := next((path for path, asked in keys.items() if ids <= asked), None):
                looked.sources[looked.sources.index(one)] = one._replace(options=one.options | {"key": key})
                looked.beside[key] = f"the questions of {format}, read with what was said of their answers"
    looked.sources[:] = [one for one in looked.sources if one.path not in looked.beside]
    looked.refused[:] = [fault for fault in looked.refused if fault.file not in looked.beside]
