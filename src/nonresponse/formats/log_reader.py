"""The reader of all logs of harnesses: it carries out what a format's `Spec` declares."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

from nonresponse.faults import Fault, quote, quote_names
from nonresponse.formats import numbers, words
from nonresponse.formats.declared import Paths, Spec
from nonresponse.formats.json_pieces import read_json_lines, read_pieces, read_value
from nonresponse.formats.logs import (
    Log,
    Sample,
    Statement,
    clean_answer,
    cut_text,
    dig,
    digest,
    encode_metadata,
    get_finite,
    get_integer,
    get_number,
    get_text,
    join_message,
    judge_score,
    list_objects,
    mean_of_means,
    note_missing_samples,
)
from nonresponse.formats.text import Faults, bound_size, get_ending, is_file
from nonresponse.settings import Files
from nonresponse.wording import plural

SAMPLE = 500  # bytes that a sample takes in memory, beside its texts
LINE_ENDINGS = (".jsonl", ".ndjson")  # the endings of files with a record on each line
MISSING = object()  # a score that is not there
# Of words, in a mean
WORD_WORTH = {"correct": 1.0, "partial": 0.5, "wrong": 0.0, "unanswered": 0.0}
OPPOSITE = {"correct": "wrong", "wrong": "correct"}
OTHER_SCALE = "; of another scale, `correct_from:` says from which number on an answer is correct"


def read_log(spec: Spec, path: str, options: Files) -> Log:
    """Read a log; samples are decoded one by one, and whatever is wrong becomes a fault."""
    reading = Reading(spec, path, options)
    for _ in reading.add_records():
        pass
    return reading.finish()


def list_score_choices(spec: Spec, path: str) -> tuple[list[str], bool] | None:
    """Return the scores between which a log leaves the choice, and whether the first is known to
    say what is right: a metric without a documented name may measure anything. Null where no
    record has a score."""
    reading = Reading(spec, path, {})
    for _ in reading.add_records():
        if reading.score is not None and (spec.chooses or reading.head.get("results")):
            break
    has_unscored = any(sample.verdict == "unscored" for sample in reading.samples)
    if (reading.scoreless or has_unscored) and not (reading.scores or reading.faults):
        return None
    reading.check_scores()
    first = reading.candidates[0] if reading.candidates else ""
    has_any_name = spec.chooses and first in reading.scores
    is_no_verdict = has_any_name or words.is_abstention(first) or words.is_less(first)
    return reading.candidates, not is_no_verdict


def find_lacking_score(spec: Spec, path: str, name: str) -> Fault | None:
    """Return the fault that a log has other scores, or filters, than those of this name; null for
    none."""
    reading = Reading(spec, path, {spec.option: name})
    for _ in reading.add_records():
        if reading.score in reading.scores:
            return None
    reading.check_scores()
    has_names = reading.scores or reading.names.get("filter")
    return next((fault for fault in reading.faults if has_names and not fault.line), None)


@cache
def split_path(path: str) -> tuple[str, tuple[str | int, ...]]:
    """Return where a path begins, "{" for one that spells a name, and its steps."""
    if path.startswith("{"):
        return "{", ()
    origin, _, names = path.rpartition(":")
    steps = names.split(".") if names else []
    return origin, tuple(int(step) if step.lstrip("-").isdecimal() else step for step in steps)


class Reading:
    """A log that is being read, and what is known of it so far."""

    def __init__(self, spec: Spec, path: str, options: Files):
        self.spec, self.path, self.options, self.faults = spec, path, options, Faults(path)
        self.names = spec.parse_path(path)
        self.fixed_names: dict[Paths, str] = {}  # names that hold for all records
        self.results = spec.find_results(path)
        results = read_value(self.results, options, self.faults) if self.results else None
        self.head: dict = results if isinstance(results, dict) else {}
        # The name of the score that counts
        self.score: str | None = options.get(spec.option) if spec.option else None
        self.best: int | None = options.get("best") if "best" in spec.options else None
        self.scores: dict[str, None] = {}  # the names of all
        self.abstentions: dict[str, None] = {}  # scores that told an abstention of some sample
        self.samples: list[Sample] = []
        # By run: question, epoch, and what the sample counts in the mean
        self.worth: dict[str, list[tuple]] = {}
        self.epochs: Counter[tuple[str, str]] = Counter()
        self.texts: set[str] = set()
        self.judges: dict[str, None] = {}
        self.chosen: list[str] = []  # the filter or split by which it is read, of several
        self.notes: list[str] = []
        self.scoreless: list[tuple[int, str]] = []  # lines without the score, and what is expected
        self.unknown: dict[str, list[tuple[int, str]]] = {}  # values that are no verdict
        self.candidates: list[str] = []  # scores, if it is open which of them counts
        self.counts: Counter[Any] = Counter()  # whatever a format counts
        self.store: dict[str, Any] = {}  # whatever a format keeps

    @property
    def best_number(self) -> int:
        return 1 if self.best is None else self.best

    def add_records(self) -> Iterator[None]:
        """Take a sample from each record; what is wrong with one becomes a fault."""
        records = self.limit(self.read_file())
        records = self.limit(self.spec.records(self, records)) if self.spec.records else records
        for line, record in records:
            self.add_record(line, record)
            yield

    def limit(self, records: Iterable[tuple[int, object]]) -> Iterator[tuple[int, object]]:
        """Yield records; a fault if there are so many that samples take more than the bounds."""
        size = Path(self.path).stat().st_size if is_file(self.path) else math.inf  # of a folder
        bytes_allowed, expected = bound_size(size)
        iterator, limit = iter(records), int(bytes_allowed / SAMPLE)
        yield from islice(iterator, limit)
        if next(iterator, None) is not None:
            self.faults.add(0, f"more than {limit:,} records", expected)

    def read_file(self) -> Iterator[tuple[int, object]]:
        """Yield the records as they are in the file; what else it has goes into the head."""
        spec, arrays = self.spec, self.spec.arrays
        if not arrays or get_ending(self.path) in LINE_ENDINGS:
            yield from read_json_lines(self.path, spec.about, self.options, self.faults)
            return
        for piece in read_pieces(self.path, arrays, self.options, self.faults):
            if piece.path in arrays:
                if piece.value is not None:
                    yield piece.line, piece.value
            elif not piece.path:
                self.faults.add(piece.line, quote(piece.value), spec.about)
            elif piece.path[-1] in spec.head_keys:
                self.head[piece.path[-1]] = piece.value

    def get_value(self, record: object, path: str, score: object = None) -> object:
        """Return what a path leads to, or the name that it spells."""
        origin, steps = split_path(path)
        if origin == "{":
            return path.format_map(self.names)
        return dig(self.head if origin == "head" else score if origin else record, *steps)

    def get_values(self, record: object, paths: Paths, score: object = None) -> list[object]:
        return [self.get_value(record, path, score) for path in paths]

    def find_name(self, record: object, paths: Paths) -> str | None:
        """Return a name, which is looked for only once where it does not depend on the record."""
        if paths in self.fixed_names:
            return self.fixed_names[paths]
        name = next(filter(None, map(get_text, self.get_values(record, paths))), None)
        if name and all(path.startswith(("{", "head:")) for path in paths):
            self.fixed_names[paths] = name
        return name

    def add_record(self, line: int, record: object) -> None:
        """Take a sample from a record, or find what is wrong with it."""
        spec = self.spec
        if not isinstance(record, dict):
            self.faults.add(line, quote(record), spec.about)
            return
        run, task = self.find_name(record, spec.run), self.find_name(record, spec.task)
        id, epoch = self.find_name(record, spec.question), self.find_epoch(line, record)
        if id is None:
            values = self.get_values(record, spec.question)
            value = next((value for value in values if value is not None), None)
            name = spec.question[0]
            found = f"no {name}" if value is None else f"the {name} {quote(value)}"
            self.faults.add(line, found, spec.about)
            return
        task_name = re.sub(spec.shots, "", task) if spec.shots and task else task
        question = f"{task_name}/{id}" if spec.task_in_name and task else id
        self.epochs[str(run), question] += 1
        scores: object = {"": record}
        if callable(spec.scores):
            scores = spec.scores(self, record)
        elif spec.scores:
            scores = self.get_value(record, spec.scores)
        if not isinstance(scores, dict | None):
            found = f"the scores {quote(scores)} of {quote(id)}"
            self.faults.add(line, found, "an object of scores by name")
            return
        verdict, value, score = self.judge(line, record, scores or {}, id)
        if verdict is None or epoch is None:
            return
        epoch = epoch or (self.epochs[str(run), question] if spec.numbers_epochs else 1)
        fields = record if spec.builds_records else {}
        confidence = fields.get("confidence")
        if callable(spec.answer):
            answer, confidence = spec.answer(self, record, score)
        else:
            answer = self.find_text(record, spec.answer, score)
        if callable(spec.target):
            target = spec.target(self, record)
        else:
            target = cut_text(*self.get_values(record, spec.target))
        self.samples.append(
            Sample(
                line,
                run or "",
                question,
                verdict,
                epoch,
                confidence,
                task,
                answer,
                gold=spec.gold(self, record) if spec.gold else fields.get("gold"),
                missing=fields.get("missing", False),
                asked=cut_text(*self.get_values(record, spec.asked, score)),
                target=target,
                explanation=cut_text(*self.get_values(record, spec.explanation, score)),
                metadata=encode_metadata(spec.metadata and self.get_value(record, spec.metadata)),
            )
        )
        worth = spec.worth(self, record, verdict, value) if spec.worth else value
        worth = fields.get("worth", worth)
        self.worth.setdefault(run or "", []).append((question, epoch, worth))
        if asked := next(filter(None, self.get_values(record, spec.question_text)), None):
            is_short = isinstance(asked, str) and len(asked) < 99
            self.texts.add(f"{id} {asked if is_short else digest(asked)}")
        for judge in self.get_values(record, spec.judge, score):
            judges = judge if isinstance(judge, list) else [judge]
            self.judges |= dict.fromkeys(filter(None, map(get_text, judges)))

    def find_epoch(self, line: int, record: dict) -> int | None:
        """Return the epoch of a record; 0 for unknown, null with a fault."""
        value = self.get_value(record, self.spec.epoch) if self.spec.epoch else None
        if value is None:
            return 0
        epoch, first = get_integer(value) or numbers.parse_whole(str(value)), self.spec.first_epoch
        if epoch is None or epoch < first:
            expected = f"a whole number from {first}"
            self.faults.add(line, f"the {self.spec.epoch} {quote(value)}", expected)
            return None
        return epoch - first + 1

    def find_text(self, record: dict, paths: Paths, score: object = None) -> str | None:
        """Return the first text that is not blank; "" where all are, null where there is none."""
        texts = [clean_answer(value) for value in self.get_values(record, paths, score)]
        return next(filter(None, texts), "" if "" in texts else None)

    def judge(
        self, line: int, record: dict, scores: dict, id: str
    ) -> tuple[str | None, float | None, object]:
        """Return verdict, number and score of a record; no verdict, and a fault, if unclear."""
        spec = self.spec
        self.scores |= dict.fromkeys(scores)
        if self.score is None and spec.option and scores:
            self.choose_score(line, record, [*scores])
        raw_score = scores.get(str(self.score) if spec.option else "", MISSING)
        score = raw_score if isinstance(raw_score, dict) else None
        value = self.get_value(score, spec.value) if score is not None else raw_score
        verdict, number = (None, None) if value is MISSING else self.judge_value(value)
        if spec.meaning and value is not MISSING:
            verdict = spec.meaning(self, record, raw_score) or verdict
        state = spec.state(self, record, raw_score) if spec.state else None
        state = state or (record.get("state") if spec.builds_records else None)
        state = state or self.apply_rules(record, score, verdict)
        if state is None and value is MISSING:
            state = spec.missing_state
            if not state:
                expected = f"one of {quote_names(scores)}" if scores else spec.about
                self.scoreless.append((line, expected))
        elif state is None and verdict is None and not self.candidates:
            self.unknown.setdefault(quote(value), []).append((line, id))
        elif state is None:
            rivals = (name for name in scores if name != self.score and words.is_abstention(name))
            abstentions = [name for name in rivals if self.judge_value(scores[name])[1] == 1]
            self.abstentions |= dict.fromkeys(abstentions)
            is_right = verdict == "correct" and number == self.best_number
            if abstentions and verdict in ("correct", "wrong", "partial") and not is_right:
                state = "unanswered"
        return state or verdict, number, score

    def choose_score(self, line: int, record: dict, names: list[str]) -> None:
        """Choose the score that counts, by the log or by a documented name; else ask."""
        main = self.find_name(record, self.spec.main)
        score = words.find_right_score(names) if self.spec.chooses else names[0]
        score = main if main in names else score
        candidates = [name for name in names if not words.is_abstention(name)]
        if score is None and len(candidates) == 1:
            score = candidates[0] if {*self.list_directions(candidates[0])} == {True} else None
        if score is None:
            self.ask_for_score(line, names)
        self.score = score or names[0]

    def ask_for_score(self, line: int, names: Iterable[str]) -> None:
        """Add a fault that it is open which of several scores counts."""
        self.candidates, option = [*names], self.spec.option
        listed, key = quote_names(self.candidates), f"`{option}:` in config.yaml"
        found, expected = f"the {option}s {listed}", f"which of them counts: {key}"
        if len(self.candidates) == 1:
            found = f"the {option} {listed}, which may measure something else than what is right"
            expected = f"{key}, which names it, if it does not"
        self.faults.add(line, found, expected)

    def list_directions(self, name: str) -> list[bool]:
        categories = dict.fromkeys(str(sample.category) for sample in self.samples)
        tasks = [self.names["task"]] if "task" in self.names else [*categories]
        ways = ((way, task) for way in self.spec.better for task in tasks)
        statements = [self.find_stated(way, task=task, metric=name) for way, task in ways]
        return [statement for statement in statements if isinstance(statement, bool)]

    def judge_value(self, value: object) -> tuple[str | None, float | None]:
        """Return the verdict that a value of a score means, if known, and its number."""
        words = self.spec.words
        if isinstance(value, str) and words:
            if word := words.get(value) or words.get(value.strip().lower()):
                return OPPOSITE.get(word, word) if self.best == 0 else word, WORD_WORTH.get(word)
            with suppress(ValueError):
                value = float(value)
        number = get_number(value)
        if number is None and value is not None:
            return None, None
        verdict = judge_score(number, self.best_number)
        threshold = self.options.get("correct_from")
        if threshold is not None and number is not None and math.isfinite(number):
            quality = 1 - number if self.best == 0 else number
            verdict = "correct" if quality >= threshold else "wrong"
        return verdict, None if verdict is None or number is None or math.isnan(number) else number

    def apply_rules(self, record: dict, score: object, verdict: str | None) -> str | None:
        """Return the state by the first rule that fits; null where none does."""
        for rule in self.spec.rules:
            value = self.get_value(record, rule.path, score)
            if value is None or verdict in rule.unless:
                continue
            if rule.begins:
                fits = join_message(value).startswith(rule.begins)
            else:
                fits = (value in rule.values) != rule.negated if rule.values else bool(value)
            if fits:
                return rule.state
        return None

    def finish(self) -> Log:
        """Return the samples with a statement for each run, or nothing but faults."""
        spec, faults = self.spec, self.faults
        self.check_scores()
        if not all(sample.run for sample in self.samples):  # the head stands after the samples
            run, task = self.find_name({}, spec.run) or "", self.find_name({}, spec.task)
            if not run:
                faults.add(0, f"no {spec.run[0].removeprefix('head:')}", spec.about)
            self.samples = [
                sample if sample.run else sample._replace(run=run, category=task)
                for sample in self.samples
            ]
            self.worth = {run: [*chain.from_iterable(self.worth.values())]}
        if faults or not self.samples:
            fault = Fault(self.path, 0, "no samples", spec.samples_expected)
            return Log([], [], [*faults] or [fault])
        statements = [self.make_statement(run, worth) for run, worth in self.worth.items()]
        return Log(self.samples, statements, [])

    def check_scores(self) -> None:
        """Add a fault if the score that counts is missing or unknown, or better if less."""
        spec, name, faults = self.spec, str(self.score), self.faults
        words_of_spec = ", ".join([word for word in spec.words if len(word) < 9][:8])
        expected = f"{words_of_spec}{', or ' if words_of_spec else ''}a number from 0 to 1"
        parsed = ((numbers.parse_real(value[1:-1]), value) for value in self.unknown)
        scale = sorted((number, value) for number, value in parsed if number is not None)
        span = " to ".join(dict.fromkeys((scale[0][1], scale[-1][1]))) if scale else ""
        if scale:  # all of them are one fault
            places = sorted(chain.from_iterable(self.unknown.pop(value) for _, value in scale))
            self.unknown[span] = places
        for value, [(line, id), *later] in self.unknown.items():
            samples = f"{quote(id)} and {plural(len(later), 'other')}" if later else quote(id)
            found = f"the {self.score or 'score'} {value} of {samples}"
            faults.add(line, found, expected + OTHER_SCALE * (value == span))
        if not spec.chooses and spec.option not in self.options and len(self.scores) > 1:
            self.ask_for_score(0, self.scores)
        elif self.candidates:
            return
        elif self.score and self.scores and name not in self.scores:
            faults.add(0, f"no {spec.option} {quote(name)}", f"one of {quote_names(self.scores)}")
        elif self.scoreless:
            found = f"no {spec.option} {quote(name)}" if self.score else "no score"
            for line, expected in self.scoreless:
                faults.add(line, found, expected)
        elif name in self.scores and self.best is None and "best" in spec.options:
            directions = self.list_directions(name)
            if not (all(directions) if directions else not words.is_less(name)):
                found = f"the {spec.option} {quote(name)}, of which less is better"
                meaning = "what it is of a correct answer"
                faults.add(0, found, f"another, or {meaning}: `metric:` and `best:` in config.yaml")

    def make_statement(self, run: str, worth: list[tuple]) -> Statement:
        """Return what the log states of a run, and the same by its own rule from what was read."""
        spec, task = self.spec, self.samples[0].category or ""
        names = self.names | {"run": run, "metric": self.score or "", "task": task}
        tasks = {sample.category for sample in self.samples}
        # The headline of one of several tasks is not that of all
        ways = [way for way in spec.headlines if len(tasks) == 1 or "{task}" not in way]
        values = (get_finite(self.find_stated(way, run=run, task=task)) for way in ways)
        stated = next((value for value in values if value is not None), None)
        totals = [get_finite(self.find_stated(way, task=task)) or 0 for way in spec.sample_counts]
        total = int(math.prod(totals)) if totals else 0
        number = len({question for question, *_ in worth} if spec.group == "epoch" else worth)
        columns = {"question": 0, "epoch": 1}  # without a group, each sample is one of its own
        groups = (row[columns[spec.group]] for row in worth) if spec.group else count()
        recomputed = mean_of_means(zip(groups, (row[2] for row in worth), strict=False))
        chosen = [*self.chosen]
        if len(self.scores) > 1 and spec.option:
            rivals = sorted(self.scores, key=lambda name: words.find_right_score([name]) is None)
            chosen.append(f"{spec.option} {quote(self.score)} of {quote_names(rivals, 5)}")
        notes = [f"no answer where {quote_names(self.abstentions)} is 1"] * bool(self.abstentions)
        notes += [*self.notes, *note_missing_samples(number, total)]
        statement = Statement(
            run,
            spec.measure.format_map(names),
            stated,
            recomputed,
            total or None,
            why="" if stated is not None else spec.unstated.format_map(names),
            notes=tuple(notes),
            judge=", ".join(self.judges),
            failures=spec.failures if self.judges else "",
            texts=digest(sorted(self.texts)) if self.texts else "",
            chosen=tuple(chosen),
        )
        return spec.headline(self, statement, worth) if spec.headline else statement

    def find_stated(self, way: Paths, **names: str) -> object:
        """Return what a way leads to in the results; null for nothing."""
        parts = self.names | {"metric": self.score or ""} | names
        value: object = self.head
        for step in way:
            name, equals, expected = (part.format_map(parts) for part in step.partition("="))
            matches = (item for item in list_objects(value) if item.get(name) == expected)
            value = next(matches, None) if equals else dig(value, name)
        return value
