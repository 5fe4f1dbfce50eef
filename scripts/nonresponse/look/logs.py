"""Which log of a harness a file or a folder is, by its content; its name counts where content does not tell."""

import io
from itertools import islice
from pathlib import Path

from nonresponse.faults import Fault, listed
from nonresponse.formats import abstentionbench, helm, inspect, json_pieces
from nonresponse.formats.logs import at, number, records
from nonresponse.formats.text import ending, read_bytes, stem
from nonresponse.look.found import Found, Looked

FIRST = 20  # lines of a file of JSON lines that are looked at
KNOWN = "a log of a format in docs/formats.md"


def folder_of(path: str) -> Found | None:
    """The log that a folder is; null where it is none."""
    there = Path(path)
    if (there / helm.SPEC).is_file():
        return Found(path, "graded", {"format": "helm"}, f"a folder with {helm.SPEC}")
    steps = [name for name in (*abstentionbench.LAST, abstentionbench.FIRST) if (there / name).is_file()]
    if steps and (there / abstentionbench.CONFIG).is_file():
        why = f"a folder with {abstentionbench.CONFIG} and {steps[0]}"
        return Found(path, "graded", {"format": "abstentionbench"}, why)
    return None


def add_json(path: str, looked: Looked, squad: dict[str, dict]) -> bool:
    """Adds a file of one JSON value to what was looked at; parts of SQuAD 2.0 are added to `squad`, by their kind.

    Whether it was: what is none of them may be a table.
    """
    data, faults = read_bytes(path, {})
    if faults:
        looked.refused.extend(faults)
        return True
    try:
        head = top(data)
    except json_pieces.NotJson as error:
        looked.refused.append(Fault(path, error.line, error.found, "JSON"))
        return True
    if "eval" in head and head.keys() & {"samples", "status", "results"}:
        looked.found.append(of_inspect(path, "it has `eval`, and `samples` or `status`"))
    elif isinstance(at(head, "results", "results"), list):
        looked.found.append(Found(path, "graded", {"format": "promptfoo"}, "it has `results` within `results`"))
    elif {"convos", "metrics"} <= head.keys() or {"is_correct", "is_not_attempted"} <= head.keys():
        why = "it has the shares is_correct and is_not_attempted, and no state of a question"
        looked.found.append(Found(path, "counts", {"format": "simple-evals"}, why))
    elif "results" in head and head.keys() & {"config_general", "n-samples", "n-shot", "higher_is_better"}:
        looked.beside[path] = "results of a harness, which are read with the samples or details beside them"
    elif any("paragraphs" in article for article in records(head.get("data"))):
        squad.setdefault("key", {})[path] = head["data"]
    elif head and all(isinstance(value, str) for value in head.values()):
        squad.setdefault("predictions", {})[path] = head
    elif head and all(is_share(value) for value in head.values()):
        squad.setdefault("probabilities", {})[path] = head
    else:
        return False
    return True


def top(data: bytes) -> dict:
    """The values of an object by name, of which one called samples is not read; empty for any other value."""
    head: dict[str, object] = {}
    for piece in json_pieces.pieces(data, ("samples",)):
        if piece.path:
            head[piece.path[0]] = None if piece.path == ("samples",) else piece.value
        if piece.path == ("samples",) and "eval" in head:
            break  # what comes further down is not needed, and may be long
    return head


def is_share(value: object) -> bool:
    """Whether it is a number from 0 to 1."""
    share = number(value)
    return share is not None and 0 <= share <= 1


def of_inspect(path: str, why: str) -> Found:
    """A log of Inspect; of several scorers, the first whose scores can be read."""
    options = {"format": "inspect"}
    own = inspect.scorers(path, options)
    if len(own) < 2:
        return Found(path, "graded", options, why)
    readable = [name for name in own if not inspect.read(path, options | {"scorer": name}).faults]
    scorer = (readable or own)[0]
    which = f"which scorer counts: here {scorer}, of {listed(own)} (`scorer:`)"
    return Found(path, "graded", options | {"scorer": scorer}, why, (which,))


def of_lines(path: str) -> Found | None:
    """The log that a file of JSON lines is; null where it is none, and may be a table."""
    names: set[str] = set()
    for _, record in islice(json_pieces.lines_of(path, KNOWN, {}, []), FIRST):
        names |= record.keys()
    if "doc_id" in names and names & {"resps", "filtered_resps", "arguments", "filter"}:
        return Found(path, "graded", {"format": "lm-eval"}, "its lines have doc_id, and what was answered, of lm-eval")
    if {"testIdx", "promptIdx", "success"} <= names:
        return Found(path, "graded", {"format": "promptfoo"}, "its lines have testIdx, promptIdx and success")
    if "spec" in names or {"event_id", "sample_id", "type"} <= names:
        return Found(path, "graded", {"format": "openai-evals"}, "it has a `spec`, or events with a sample_id")
    if {"id", "value"} == names:
        return Found(path, "runs", {"format": "pan"}, "its lines have id and value", (), "validation")
    if {"id", "same"} <= names <= {"id", "same", "authors"}:
        return Found(path, "judgments", {"format": "pan"}, "its lines have id and same", (), "validation")
    return None


def of_parquet(path: str) -> Found | None:
    """The log that a Parquet file is; null where it is none, and may be a table."""
    import pyarrow
    from pyarrow import parquet

    data, _ = read_bytes(path, {})
    try:
        names = set(parquet.read_schema(io.BytesIO(data)).names)
    except (pyarrow.ArrowException, OSError, ValueError):
        return None
    if any({f"{bars}doc{bars}", f"{bars}metric{bars}"} <= names for bars in ("", "__")):
        return Found(path, "graded", {"format": "lighteval"}, "it has the columns doc and metric")
    return None


def of_file(path: str, looked: Looked, squad: dict[str, dict]) -> bool:
    """Whether a file is taken for a log, or refused as none that can be read; else it may be a table."""
    kind = ending(path)
    if kind == ".eval":
        looked.found.append(of_inspect(path, "its ending is .eval"))
    elif kind == ".json":
        return add_json(path, looked, squad)
    else:
        log = of_lines(path) if kind in (".jsonl", ".ndjson") else of_parquet(path) if kind == ".parquet" else None
        looked.found.extend([log] if log else [])
        return log is not None
    return True


def add_squad(parts: dict[str, dict], looked: Looked) -> None:
    """Adds predictions for SQuAD 2.0, each with the key that has its questions and the probabilities of these."""
    keys, likely = parts.get("key", {}), parts.get("probabilities", {})
    asked = {path: ids_of(articles) for path, articles in keys.items()}
    for path, given in parts.get("predictions", {}).items():
        key = next((file for file, ids in asked.items() if given.keys() <= ids), None)
        if key is None:
            found = "an object of texts, which would be predictions for SQuAD 2.0"
            looked.refused.append(Fault(path, 0, found, "the data file with all of its questions beside it"))
            continue
        options: dict[str, str] = {"format": "squad2", "key": key}
        undecided: tuple[str, ...] = ()
        fitting = [file for file, shares in likely.items() if given.keys() <= shares.keys()]
        own = [file for file in fitting if stem(path) in stem(file)]
        if file := next(iter(own or fitting), None):
            template = str(Path(file).with_name(Path(file).name.replace(stem(path), "{run}"))) if own else file
            options["na_prob"] = template
            undecided = ("above which probability there is no answer: here 1, so that none counts (`threshold:`)",)
            looked.beside[file] = "probabilities that there is no answer, read with the predictions"
        looked.beside[key] = "the data file of SQuAD 2.0, read with the predictions"
        why = f"an object of texts, whose questions are those of {key}"
        looked.found.append(Found(path, "graded", options, why, undecided))
    used = looked.beside.keys()
    for file in [file for part in ("key", "probabilities") for file in parts.get(part, {}) if file not in used]:
        what = "the data file of SQuAD 2.0" if file in keys else "an object of numbers from 0 to 1"
        looked.refused.append(Fault(file, 0, what, "predictions for its questions beside it"))


def ids_of(articles: object) -> set[str]:
    """The questions of a data file of SQuAD 2.0."""
    parts = [part for article in records(articles) for part in records(at(article, "paragraphs"))]
    return {str(at(question, "id")) for part in parts for question in records(at(part, "qas"))}
