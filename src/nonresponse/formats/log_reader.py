"""The reader of all logs of harnesses: it carries out what a format's `Spec` declares."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from nonresponse.faults import Fault, quote, quote_names
from nonresponse.formats import numbers, words
from nonresponse.formats.declared import Paths, Spec, When
from nonresponse.formats.json_pieces import lines_of, pieces_of, value_of
from nonresponse.formats.logs import (
    Log,
    Sample,
    Statement,
    clean_text,
    dig,
    digest,
    finite,
    join_parts,
    lacking,
    mean,
    mean_of_means,
    metadata,
    number,
    passage,
    records,
    text,
    verdict_of,
)
from nonresponse.formats.text import Faults, ending, most_of, there
from nonresponse.settings import Files

SAMPLE = 500  # bytes that a sample takes in memory, beside its texts
LINES = (".jsonl", ".ndjson")  # the endings of files with a record on each line
MISSING = object()  # a score that is not there
WORTH = {"correct": 1.0, "partial": 0.5, "wrong": 0.0, "unanswered": 0.0}  # of words, in a mean
OPPOSITE = {"correct": "wrong", "wrong": "correct"}


def read(spec: Spec, path: str, options: Files) -> Log:
    """Read a log; samples are decoded one by one, and whatever is wrong becomes a fault."""
    reading = Reading(spec, path, options)
    for line, record in reading.records():
        reading.add(line, record)
    return reading.finish()


def choices(spec: Spec, path: str) -> list[str]:
    """Return the scores between which a log leaves the choice, the proposed one first."""
    reading = Reading(spec, path, {})
    for line, record in reading.records():
        reading.add(line, record)
        if reading.score is not None and (spec.chooses or reading.head.get("results")):
            break
    reading.check_scores()
    return reading.candidates


@cache
def steps(path: str) -> tuple[str, tuple[str | int, ...]]:
    """Return where a path begins, and its steps; it has none if it is empty."""
    begin, _, rest = path.rpartition(":")
    each = rest.split(".") if rest else []
    return begin, tuple(int(one) if one.lstrip("-").isdecimal() else one for one in each)


class Reading:
    """A log that is being read, and what is known of it so far."""

    def __init__(self, spec: Spec, path: str, options: Files):
        self.spec, self.path, self.options, self.faults = spec, path, options, Faults(path)
        self.names = spec.names_of(path)
        self.fixed_names: dict[Paths, str] = {}  # names that hold for all records
        self.results = next(iter(spec.results_of(path)), None)
        stated = value_of(self.results, options, self.faults) if self.results else None
        self.head: dict = stated if isinstance(stated, dict) else {}
        # The name of the one that counts
        self.score: str | None = options.get(spec.option) if spec.option else None
        self.best: int | None = options.get("best") if "best" in spec.options else None
        self.scores: dict[str, None] = {}  # the names of all
        # Scores that said of some sample that there is no answer
        self.abstentions: dict[str, None] = {}
        self.samples: list[Sample] = []
        # By run: question, epoch, and what the sample counts in the mean
        self.worth: dict[str, list[tuple]] = {}
        self.times: Counter[tuple[str, str]] = Counter()
        self.texts: set[str] = set()
        self.judges: dict[str, None] = {}
        self.chosen: list[str] = []  # what the log is read by, where it has several
        self.notes: list[str] = []
        # Lines without the score, and what they should have
        self.scoreless: list[tuple[int, str]] = []
        self.candidates: list[str] = []  # scores, if it is open which of them counts
        self.counts: Counter[Any] = Counter()  # whatever a format counts
        self.store: dict[str, Any] = {}  # whatever a format keeps

    def records(self) -> Iterator[tuple[int, object]]:
        """Return the records, each with its line."""
        found = self.bounded(self.found())
        return self.bounded(self.spec.records(self, found)) if self.spec.records else found

    def bounded(self, records: Iterable[tuple[int, object]]) -> Iterator[tuple[int, object]]:
        """Yield records; a fault if there are so many that samples take more than the bounds."""
        size = Path(self.path).stat().st_size if there(self.path) else math.inf  # of a folder
        most, expected = most_of(size, self.options)
        each, limit = iter(records), int(most / SAMPLE)
        yield from islice(each, limit)
        if next(each, None) is not None:
            self.faults.add(0, f"more than {limit:,} records", expected)

    def found(self) -> Iterator[tuple[int, object]]:
        """Yield the records as they are in the file; what else it has goes into the head."""
        spec, arrays = self.spec, self.spec.arrays
        if not arrays or ending(self.path) in LINES:
            yield from lines_of(self.path, spec.about, self.options, self.faults)
            return
        for piece in pieces_of(self.path, arrays, self.options, self.faults):
            if piece.path in arrays:
                if piece.value is not None:
                    yield piece.line, piece.value
            elif not piece.path:
                self.faults.add(piece.line, quote(piece.value), spec.about)
            elif piece.path[-1] in spec.kept:
                self.head[piece.path[-1]] = piece.value

    def value(self, record: object, path: str, score: object = None) -> object:
        """Return what a path leads to, or the name that it spells."""
        if path[:1] == "{":
            return path.format_map(self.names)
        begin, way = steps(path)
        return dig({"head": self.head, "score": score}.get(begin, record), *way)

    def values(self, record: object, paths: Paths, score: object = None) -> Iterator[object]:
        return (self.value(record, path, score) for path in paths)

    def name(self, record: object, paths: Paths) -> str | None:
        """Return a name, which is looked for only once where it does not depend on the record."""
        if paths in self.fixed_names:
            return self.fixed_names[paths]
        name = next(filter(None, map(text, self.values(record, paths))), None)
        if name and all(path.startswith(("{", "head:")) for path in paths):
            self.fixed_names[paths] = name
        return name

    def add(self, line: int, record: object) -> None:
        """Take a sample from a record, or find what is wrong with it."""
        spec = self.spec
        if not isinstance(record, dict):
            self.faults.add(line, quote(record), spec.about)
            return
        run, task = self.name(record, spec.run), self.name(record, spec.task)
        id, epoch = self.name(record, spec.question), self.epoch(line, record)
        if id is None:
            given = [one for one in self.values(record, spec.question) if one is not None]
            name = spec.question[0]
            found = f"the {name} {quote(given[0])}" if given else f"no {name}"
            self.faults.add(line, found, spec.about)
            return
        question = f"{task}/{id}" if spec.prefixed and task else id
        self.times[str(run), question] += 1
        scores: object = {"": record} if spec.scores == "" else None
        if scores is None:
            own = spec.scores
            scores = own(self, record) if callable(own) else self.value(record, own)
        if not isinstance(scores, dict | None):
            found = f"the scores {quote(scores)} of {quote(id)}"
            self.faults.add(line, found, "an object of scores by name")
            return
        verdict, value, score = self.judged(line, record, scores or {}, id)
        if verdict is None or epoch is None:
            return
        epoch = epoch or (self.times[str(run), question] if spec.counted else 1)
        joined = record if spec.joined else {}
        answer, confidence = (
            spec.answer(self, record, score)
            if callable(spec.answer)
            else (self.text_at(record, spec.answer, score), joined.get("confidence"))
        )
        target = (
            spec.target(self, record)
            if callable(spec.target)
            else passage(*self.values(record, spec.target))
        )
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
                gold=spec.gold(self, record) if spec.gold else joined.get("gold"),
                missing=joined.get("missing", False),
                asked=passage(*self.values(record, spec.asked, score)),
                target=target,
                explanation=passage(*self.values(record, spec.why, score)),
                metadata=metadata(self.value(record, spec.facts)) if spec.facts else None,
                share=1 - value if value is not None and self.best == 0 else value,
            )
        )
        worth = spec.worth(self, record, verdict, value) if spec.worth else value
        worth = joined.get("worth", worth)
        self.worth.setdefault(run or "", []).append((question, epoch, worth))
        if asked := next(filter(None, self.values(record, spec.text)), None):
            short = isinstance(asked, str) and len(asked) < 99
            self.texts.add(f"{id} {asked if short else digest(asked)}")
        for judge in self.values(record, spec.judge, score):
            judges = judge if isinstance(judge, list) else [judge]
            self.judges |= dict.fromkeys(filter(None, map(text, judges)))

    def epoch(self, line: int, record: dict) -> int | None:
        """Return which time a question was asked; 0 for unknown, null with a fault."""
        value = self.value(record, self.spec.epoch) if self.spec.epoch else None
        if value is None:
            return 0
        epoch, first = numbers.whole(str(value)), self.spec.first_epoch
        if epoch is None or epoch < first:
            expected = f"a whole number from {first}"
            self.faults.add(line, f"the {self.spec.epoch} {quote(value)}", expected)
            return None
        return epoch - first + 1

    def text_at(self, record: dict, paths: Paths, score: object = None) -> str | None:
        """Return the first text that is not blank; "" where all are, null where there is none."""
        texts = [clean_text(value) for value in self.values(record, paths, score)]
        return next(filter(None, texts), "" if "" in texts else None)

    def judged(
        self, line: int, record: dict, scores: dict, id: str
    ) -> tuple[str | None, float | None, object]:
        """Return verdict, number and score of a record; no verdict, and a fault, if unclear."""
        spec = self.spec
        self.scores |= dict.fromkeys(scores)
        if self.score is None and spec.option and scores:
            self.choose(line, record, [*scores])
        found = scores.get(str(self.score) if spec.option else "", MISSING)
        score = found if isinstance(found, dict) else None
        value = self.value(score, spec.value) if score is not None else found
        verdict, worth = (None, None) if value is MISSING else self.verdict(value)
        if spec.meaning and value is not MISSING:
            verdict = spec.meaning(self, record, found) or verdict
        state = spec.state(self, record, found) if spec.state else None
        state = state or (record.get("state") if spec.joined else None)
        rules = (rule.state for rule in spec.rules if self.holds(rule, record, score, verdict))
        state = state or next(rules, None)
        if state is None and value is MISSING:
            state = spec.lacking
            if not state:
                self.scoreless.append(
                    (line, f"one of {quote_names(scores)}" if scores else spec.about)
                )
        elif state is None and verdict is None and not self.candidates:
            name = f"the {self.score or 'score'} {quote(value)}"
            words = ", ".join([word for word in spec.words if len(word) < 9][:8])
            expected = f"{words}{', or ' if words else ''}a number from 0 to 1"
            self.faults.add(line, f"{name} of {quote(id)}", expected)
        elif state is None:
            abstentions = [name for name in scores if self.tells_abstention(name, scores)]
            self.abstentions |= dict.fromkeys(abstentions)
            if abstentions and verdict in ("wrong", "partial"):
                state = "unanswered"
        return state or verdict, worth, score

    def choose(self, line: int, record: dict, names: list[str]) -> None:
        """Choose the score that counts, by the log or by a documented name; else ask."""
        main = self.name(record, self.spec.main)
        right = words.called_right(names) if self.spec.chooses else names[0]
        right = main if main in names else right
        if right is None:
            may = [name for name in names if not words.is_abstention(name)]
            right = may[0] if len(may) == 1 and {*self.directions(may[0])} == {True} else None
            if right is None:
                self.ask(line, names)
        self.score = right or names[0]

    def ask(self, line: int, names: Iterable[str]) -> None:
        """Add a fault that it is open which of several scores counts."""
        self.candidates, option = [*names], self.spec.option
        found, expected = (
            f"the {option}s {quote_names(self.candidates)}",
            words.WHICH.format(option),
        )
        if len(self.candidates) == 1:
            only = f"the {option} {quote_names(self.candidates)}"
            found = f"{only}, which may measure something else than what is right"
            expected = f"`{option}:` in config.yaml, which names it, if it does not"
        self.faults.add(line, found, expected)

    def directions(self, name: str) -> list[bool]:
        """Return what the log says of whether more of a score is better."""
        of_samples = dict.fromkeys(str(sample.category) for sample in self.samples)
        tasks = [self.names["task"]] if "task" in self.names else [*of_samples]
        ways = ((way, task) for way in self.spec.better for task in tasks)
        each = [self.stated(way, task=task, metric=name) for way, task in ways]
        return [one for one in each if isinstance(one, bool)]

    def tells_abstention(self, name: str, scores: dict) -> bool:
        other = name != self.score and words.is_abstention(name)
        return other and self.verdict(scores[name])[1] == 1

    def verdict(self, value: object) -> tuple[str | None, float | None]:
        """Return the verdict that a value of a score means, if known, and its number."""
        words = self.spec.words
        if isinstance(value, str) and words:
            if word := words.get(value) or words.get(value.strip().lower()):
                return OPPOSITE.get(word, word) if self.best == 0 else word, WORTH.get(word)
            with suppress(ValueError):
                value = float(value)
        known = number(value)
        if known is None and value is not None:
            return None, None
        verdict = verdict_of(known, 1 if self.best is None else self.best)
        return verdict, None if verdict is None or known is None or math.isnan(known) else known

    def holds(self, rule: When, record: dict, score: object, verdict: str | None) -> bool:
        """Return whether a rule gives the state of a record."""
        value = self.value(record, rule.path, score)
        if value is None or verdict in rule.unless:
            return False
        if rule.begins:
            return join_parts(value).startswith(rule.begins)
        return (value in rule.values) != rule.other if rule.values else bool(value)

    def finish(self) -> Log:
        """Return the samples with a statement for each run, or nothing but faults."""
        spec, faults = self.spec, self.faults
        self.check_scores()
        if not all(sample.run for sample in self.samples):  # the head stands after the samples
            run, task = self.name({}, spec.run) or "", self.name({}, spec.task)
            if not run:
                faults.add(0, f"no {spec.run[0].removeprefix('head:')}", spec.about)
            self.samples = [
                one if one.run else one._replace(run=run, category=task) for one in self.samples
            ]
            self.worth = {run: [one for own in self.worth.values() for one in own]}
        if faults or not self.samples:
            return Log([], [], [*faults] or [Fault(self.path, 0, "no samples", spec.about)])
        statements = [self.statement(run, worth) for run, worth in self.worth.items()]
        return Log(self.samples, statements, [])

    def check_scores(self) -> None:
        """Add a fault if the score that counts is missing or unknown, or better if less."""
        spec, name, faults = self.spec, str(self.score), self.faults
        if not spec.chooses and spec.option not in self.options and len(self.scores) > 1:
            self.ask(0, self.scores)
        elif self.candidates:
            return
        elif self.score and self.scores and name not in self.scores:
            faults.add(0, f"no {spec.option} {quote(name)}", f"one of {quote_names(self.scores)}")
        elif self.scoreless:
            what = f"no {spec.option} {quote(name)}" if self.score else "no score"
            for line, expected in self.scoreless:
                faults.add(line, what, expected)
        elif name in self.scores and self.best is None and "best" in spec.options:
            stated = self.directions(name)
            if not (all(stated) if stated else words.plain_name(name) not in words.LESS):
                found = f"the {spec.option} {quote(name)}, of which less is better"
                faults.add(0, found, words.LESS_IS_BETTER)

    def statement(self, run: str, worth: list[tuple]) -> Statement:
        """Return what the log states of a run, and the same by its own rule from what was read."""
        spec, task = self.spec, self.samples[0].category or ""
        names = self.names | {"run": run, "metric": self.score or "", "task": task}
        # Of several tasks none has the headline of all
        several = len({sample.category for sample in self.samples}) > 1
        ways = [way for way in spec.headlines if not (several and "{task}" in way)]
        values = (finite(self.stated(way, run=run, task=task)) for way in ways)
        stated = next((value for value in values if value is not None), None)
        totals = [finite(self.stated(way, task=task)) or 0 for way in spec.sample_counts]
        total = int(math.prod(totals)) if totals else 0
        there = {question for question, *_ in worth} if spec.group == "epoch" else worth
        unstated = spec.unstated if self.results or not spec.no_results else spec.no_results
        if spec.group:
            column = {"question": 0, "epoch": 1}[spec.group]
            recomputed = mean_of_means((one[column], one[2]) for one in worth)
        else:
            recomputed = mean(value for *_, value in worth)
        chosen = [*self.chosen]
        if len(self.scores) > 1 and spec.option:
            chosen.append(f"{spec.option} {quote(self.score)} of {quote_names(self.scores, 5)}")
        ones = [f"no answer where {quote_names(self.abstentions)} is 1"] if self.abstentions else []
        own = Statement(
            run,
            spec.measure.format_map(names),
            stated,
            recomputed,
            total or None,
            why="" if stated is not None else unstated.format_map(names),
            notes=(*ones, *self.notes, *lacking(len(there), total)),
            judge=", ".join(self.judges),
            failures=spec.failures if self.judges else "",
            texts=digest(sorted(self.texts)) if self.texts else "",
            chosen=tuple(chosen),
        )
        return spec.headline(self, own, worth) if spec.headline else own

    def stated(self, way: Paths, **more: str) -> object:
        """Return what a way leads to in the results; null for nothing."""
        names = self.names | {"metric": self.score or ""} | more
        value: object = self.head
        for step in way:
            name, equals, wanted = (part.format_map(names) for part in step.partition("="))
            own = (one for one in records(value) if one.get(name) == wanted)
            value = next(own, None) if equals else dig(value, name)
        return value
