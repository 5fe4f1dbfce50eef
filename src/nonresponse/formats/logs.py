"""What is read of a harness's log, and the values in it."""

import json
import math
import re
import string
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from nonresponse.faults import Fault

LONGEST = 4000  # letters of a text that is carried along for people to read
NAME_LENGTH = 80  # letters of an input in the name of a question
# What SQuAD's rule strips
ARTICLES = r"\b(a|an|the)\b"
PUNCTUATION = str.maketrans("", "", string.punctuation)
# Bound on whole numbers that are names; Python refuses to write more than 4,300 digits
LARGEST = 10**100


class Sample(NamedTuple):
    """A response as a log has it."""

    line: int  # its place: the line it begins on; where there are no lines, its number
    run: str
    question: str
    verdict: str
    epoch: int = 1
    confidence: float | None = None
    category: str | None = None
    answer: str | None = None  # "" = an empty one; null = the log does not say
    gold: str | None = None  # the gold answer, "" = there is none; null = the log does not say
    missing: bool = False  # the run never saw the question
    # Texts for people to read, cut to LONGEST, each null where the log has none:
    asked: str | None = None  # the text of the question
    # The gold answer, also where the log does not say whether there is one
    target: str | None = None
    explanation: str | None = None  # what the judge said of the answer
    metadata: str | None = None  # what else is known of the question, as JSON


class Statement(NamedTuple):
    """What a log says of itself, and what its samples give by its own rule."""

    run: str
    measure: str = ""  # as the log calls it
    stated: float | None = None
    recomputed: float | None = None
    told: int | None = None  # the number of samples that the log says it has
    why: str = ""  # why the two cannot be reconciled
    # What a reader of the scores has to know, such as that it stopped early
    notes: tuple[str, ...] = ()
    judge: str = ""  # the model that judged; "" = none did, or the log does not say
    prompt: str = ""  # a digest of what the judge was told
    # How the judge's failures are read: unscored, or "as graded" if the log does not show them
    failures: str = ""
    texts: str = ""  # a digest of the questions' texts and names
    # The metric, filter or split by which it is read, if it has several
    chosen: tuple[str, ...] = ()
    scorer: str = ""  # what the measure is a mean or share of; "" = it is the measure itself
    # Of one that has several prompts: its name, which the run's is but for the prompt
    provider: str = ""


class Log(NamedTuple):
    samples: list[Sample]
    statements: list[Statement]  # one for each run that the log names
    faults: list[Fault]


def find_files(folder: str, names: Iterable[str]) -> dict[str, str]:
    """Return the paths of the files that a folder has, by name."""
    paths = {name: Path(folder, name) for name in names}
    return {name: str(path) for name, path in paths.items() if path.is_file()}


def note_missing_samples(present: int, stated: float | None) -> list[str]:
    return [f"{present} of {stated:.10g} samples in the log"] if stated and present < stated else []


def note_missing_questions(absent: int, asked: int) -> list[str]:
    return [f"{absent} of {asked} questions of the key are missing"] if absent else []


def digest(value: object) -> str:
    """Return a short checksum of what JSON can write, whatever the order of its names."""
    import hashlib

    encoded = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(encoded.encode("utf-8", "replace")).hexdigest()[:8]


def dig(value: object, *path: str | int) -> object:
    """Return what stands at the end of a path of names and numbers; null for nothing."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


# The functions below, of a value and a path, take what stands at the end of the path.


def list_objects(value: object, *path: str | int) -> list[dict]:
    """Return the objects of a list; none where there is no list."""
    value = dig(value, *path) if path else value
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def get_object(value: object, *path: str | int) -> dict:
    """Return an object; an empty one for anything else."""
    value = dig(value, *path) if path else value
    return value if isinstance(value, dict) else {}


def get_text(value: object, *path: str | int) -> str | None:
    """Return a text fit for UTF-8, or a whole number as text; null for blanks and all else."""
    value = dig(value, *path) if path else value
    if not isinstance(value, str):
        is_name = isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST
        return str(value) if is_name else None
    if not value or value.isspace():
        return None
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def clean_answer(value: object, *path: str | int) -> str | None:
    """Return the text of an answer, of its parts, or of the model's last message; "" if there is
    nothing but blanks; null for anything but text."""
    value = dig(value, *path) if path else value
    if isinstance(value, list):
        messages = list_objects(value)
        if any("content" in message for message in messages):
            messages = [item for item in messages if item.get("role") in ("assistant", None)]
            value = dig(messages, -1, "content")
    text = get_text(join_message(value) if isinstance(value, list) else value)
    return "" if text is None and isinstance(value, str | list) else text


def join_message(value: object) -> str:
    """Return the text of a message: itself, or the texts of its parts."""
    if isinstance(value, list):
        texts = (part.get("text", "") if isinstance(part, dict) else part for part in value)
        return "".join(map(str, texts))
    return value if isinstance(value, str) else ""


def cut_text(*values: object) -> str | None:
    """Return the beginning of the first text in these values; of messages, the user's last."""
    for value in values:
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            value = " | ".join(value)
        elif isinstance(value, list):
            messages = [item for item in list_objects(value) if item.get("role") == "user"]
            value = dig(messages, -1, "content")
        if text := clean_answer(value):
            return text[:LONGEST]
    return None


def name_input(asked: str) -> str:
    """Return an input as part of a name: its beginning, and a checksum where that is not all."""
    line = " ".join(asked.split())
    return line if len(line) <= NAME_LENGTH else f"{line[:NAME_LENGTH]} {digest(asked)}"


def encode_metadata(value: object) -> str | None:
    """Return an object as JSON; null for anything else, and for one that is empty or too long."""
    encoded = json.dumps(value, sort_keys=True) if isinstance(value, dict) and value else ""
    return encoded if 0 < len(encoded) <= LONGEST else None


def get_number(value: object, *path: str | int) -> float | None:
    """Return a number or a boolean as a number, NaN as one; null for anything else."""
    value = dig(value, *path) if path else value
    if isinstance(value, bool | int | float):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    return None


def get_finite(value: object, *path: str | int) -> float | None:
    """Return a number that is neither infinite nor NaN; null for anything else."""
    number = get_number(value, *path)
    return number if number is not None and math.isfinite(number) else None


def get_integer(value: object, *path: str | int) -> int | None:
    """Return a whole number that a table can hold; null for anything else."""
    value = dig(value, *path) if path else value
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if abs(value) < 2**31 else None


def judge_score(value: float | None, best: int) -> str | None:
    """Return the verdict of a score from 0 to 1: unscored for null and NaN; null for others.

    Ragas adds 1e-10 to what it divides by, so that its 1 is 0.9999999999.
    """
    if value is None or math.isnan(value):
        return "unscored"
    if not 0 <= value <= 1:
        return None
    is_extreme = math.isclose(value, round(value), abs_tol=1e-9)
    return "partial" if not is_extreme else "correct" if round(value) == best else "wrong"


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of all values but null and NaN; null if there are none."""
    numbers = [value for value in values if value is not None and not math.isnan(value)]
    return math.fsum(numbers) / len(numbers) if numbers else None


def mean_of_means(values: Iterable[tuple[object, float | None]]) -> float | None:
    """Return the mean over groups of the mean within each, from pairs of group and value."""
    groups = defaultdict(list)
    for group, value in values:
        groups[group].append(value)
    return mean(mean(group) for group in groups.values())


def normalise_squad(answer: str) -> str:
    """Return an answer as SQuAD's evaluate-v2.0.py compares it."""
    return " ".join(re.sub(ARTICLES, " ", answer.lower().translate(PUNCTUATION)).split())


def softmax(scores: list[float]) -> tuple[int, float] | None:
    """Return the place of the highest log-likelihood, and its probability among all."""
    if len(scores) < 2 or not math.isfinite(highest := max(scores)):
        return None
    total = sum(map(math.exp, [score - highest for score in scores]))
    return None if math.isnan(total) else (scores.index(highest), 1 / total)
