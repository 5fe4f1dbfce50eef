"""Raw runs and judgments of answers to questions."""

import random
from collections import Counter, defaultdict

from fuzz.counted import Drawn, Expected, Faulty, Unsure, expected_or_fault
from fuzz.counted.answers import Answer, by_run_and_category
from fuzz.counted.drawing import (
    FILES,
    Asked,
    Form,
    Row,
    chance,
    files_of_runs,
    policies,
    policy_of,
    questions,
    runs,
    some,
)
from fuzz.counted.words import ANSWERS, REFUSALS, refused, rules, squad

NOTHING, NIL, BROKEN = ["NOA", "I don't know", "0"], ["NIL", "none"], ["ERR", "#N/A"]
CONFIDENCES = ["0", "0.25", "0.5", "0.5", "0.75", "1", "0.3"]
CUTOFFS = [0.3, 0.5, 0.75, 0, 1]
OURS = {"R": ["good", "yes", "2"], "W": ["bad", "no", "0"], "U": ["unsup"], "X": ["inexact", "~"]}


class Made:
    """The rows of a campaign and its options, before they are written."""

    def __init__(self, draw: random.Random):
        self.draw = draw
        self.names = questions(draw)
        self.several = chance(draw, 0.15)  # epochs
        self.ranked = chance(draw, 0.4)
        self.pattern = draw.choice(["", "", "", "", "{set}/{id}", ["set", "id"]])
        self.asked = Asked(draw, [self.full(name) for name in self.names])
        self.judgment_options()
        self.run_options()
        self.judgments = [row for assessor in self.assessors for row in self.judged(assessor)]
        self.runs = {run: self.answered() for run in self.run_names}

    def full(self, name: str) -> str:
        return f"geo/{name}" if self.pattern else name

    def judgment_options(self) -> None:
        draw = self.draw
        self.named = draw.choice([["answer"]] * 6 + [["document"], ["document", "answer"], ["run", "answer"]])
        self.assessors = some(draw, [*FILES, "majority", "ann"], 1, draw.choice([1, 1, 3]))
        self.labels = some(draw, ["R", "W", "U", "X"], 1, 4)
        self.words = {label: draw.choice(OURS[label]) for label in "RWUX"} if chance(draw, 0.2) else {}
        gold = self.gold = {}
        if self.words:
            gold["labels"] = {word: label for label, word in self.words.items()}
        if chance(draw, 0.4):
            gold["correct"] = some(draw, "RWUX", 1, 3)
        if chance(draw, 0.3):
            rest = [label for label in "RWUX" if label not in gold.get("correct", ["R"])]
            gold["partial"] = some(draw, rest, 1, 2)
        if chance(draw, 0.15):
            gold["pooled"] = some(draw, "RWUX", 1, 2)
        if chance(draw, 0.2) and "answer" in self.named:
            gold["closed"] = True
        if chance(draw, 0.2):
            gold["duplicates"] = draw.choice(["fault", "first", "last", "same"])
        self.normalise = chance(draw, 0.15)
        if self.normalise:
            gold["normalise"] = "squad"
        votes = [{"vote": "majority"}, {"vote": "majority", "ties": self.assessors[0]}]
        votes += [{"vote": "2 of 3"}, "majority"] if len(self.assessors) == 3 else []
        voted = len(self.assessors) > 1 and not gold.get("closed") and "majority" not in self.assessors
        if voted and chance(draw, 0.5):
            gold["official"] = draw.choice(votes)
        elif len(self.assessors) > 1 or chance(draw, 0.1):
            gold["official"] = draw.choice(self.assessors)

    def run_options(self) -> None:
        draw = self.draw
        self.by = draw.choice(["file"] * 4 + ["column"] * 2 + ["columns in files", "folder", "folder"])
        self.run_names = files_of_runs(draw) if self.by in ("file", "folder") else runs(draw)
        own = self.own = {}
        for option, words in (("unanswered", NOTHING), ("nil", NIL), ("failed", BROKEN)):
            if chance(draw, 0.5):
                own[option] = some(draw, words, 1, len(words))
        if self.normalise:
            own["normalise"] = "squad"
        self.rules = rules(draw)
        if self.rules:
            own["refusals"] = self.rules
        if chance(draw, 0.2):
            own["answer_from"] = draw.choice([draw.choice(CUTOFFS), some(draw, CUTOFFS, 1, 3)])
        if chance(draw, 0.25):
            own["duplicates"] = draw.choice(["fault", "first", "last", "same"])
        if chance(draw, 0.2):
            own["empty_questions"] = draw.choice(["fault", "drop"])

    def judged(self, assessor: str) -> list[Row]:
        draw, rows = self.draw, []
        documents = ["d1", "d2"] if "document" in self.named else [None]
        of_runs = self.run_names if "run" in self.named else [None]
        pool = some(draw, ANSWERS, 1, 6) if "answer" in self.named else [None]
        for name in self.names:
            keys = [(a, d, r) for a in pool for d in documents for r in of_runs]
            for answer, document, run in some(draw, keys, 0 if chance(draw, 0.05) else 1, len(keys)):
                label = draw.choice(self.labels)
                row: Row = {"question": name, "answer": answer, "document": document, "run": run}
                row |= {"label": self.words.get(label, label), "assessor": assessor}
                rows.append(row)
                if chance(draw, 0.03 if "duplicates" in self.gold else 0.003):
                    rows.append(row | {"label": draw.choice([*(self.words.values() or self.labels), row["label"]])})
        return draw.sample(rows, len(rows))

    def answered(self) -> list[Row]:
        """The rows of one run."""
        draw, rows = self.draw, []
        words = [word for option in ("unanswered", "nil", "failed") for word in self.own.get(option, [])]
        for name in self.names:
            for epoch in some(draw, range(3), 1, 3) if self.several else [0]:
                if chance(draw, 0.12):
                    continue
                depth = draw.choice([1, 1, 2, 3]) if self.ranked else 1
                gap = chance(draw, 0.1)
                for rank in range(1, depth + 1):
                    rows += self.rows_for(name, epoch, rank + (gap and rank > 1), words)
        if "empty_questions" in self.own and chance(draw, 0.5):
            rows.append({"question": None, "answer": "Paris", "confidence": "0.5"})
        return draw.sample(rows, len(rows)) or self.rows_for(self.names[0], 0, 1, [])

    def rows_for(self, name: str, epoch: int, rank: int, words: list[str]) -> list[Row]:
        draw = self.draw
        answer = draw.choice([*ANSWERS, *ANSWERS, None, "  ", *words, *words, *(REFUSALS if self.rules else [])])
        row: Row = {"question": name, "answer": answer, "confidence": draw.choice(CONFIDENCES)}
        row["score"] = draw.choice([None, "12.5", "-3", "1e-3"])
        row["document"] = draw.choice(["d1", "d2", None]) if "document" in self.named else None
        silent = answer is None or not answer.strip() or answer in self.own.get("unanswered", [])
        row["candidate"] = draw.choice([None, *ANSWERS]) if silent and chance(draw, 0.6) else None
        if chance(draw, 0.02 if "answer_from" in self.own else 0.3):
            row["confidence"] = None
        if self.several:
            row["epoch"] = str(epoch)
        if self.ranked:
            row["rank"] = None if rank == 1 and chance(draw, 0.1) else str(rank)
        again = [row]
        if chance(draw, 0.08 if "duplicates" in self.own else 0.004):
            other = row | {"answer": draw.choice([row["answer"], row["answer"], "Rome", "elsewhere"])}
            again.append(other | {"confidence": draw.choice(CONFIDENCES)})
        return again


def drawn(draw: random.Random) -> Drawn:
    made = Made(draw)
    campaign: dict = {"task": "qa", "measures": ["c@1"]} | policies(draw)
    run_part, files = written_runs(made)
    judgment_part, more = written_judgments(made)
    files |= more | made.asked.files
    campaign |= {"runs": run_part, "judgments": judgment_part}
    if made.asked.options:
        campaign["questions"] = made.asked.options
    campaign["shards"] = draw.choice([1] * 8 + [2, 3])
    if chance(draw, 0.15):
        closed = made.gold.get("closed", False)
        campaign["scenarios"] = {"one": {"correct": ["R", "U", "X"]}, "two": {"unscored": "exclude", "pooled": ["X"]}}
        voted = isinstance(made.gold.get("official"), dict) or made.gold.get("official") == "majority"
        if not voted and "answer" in made.named:
            campaign["scenarios"]["three"] = {"closed": not closed, "correct": ["W"]}
    expected = expected_or_fault(lambda: reference(made, campaign))
    known = "D4" if "answer_from" in made.own and ("duplicates" in made.own or made.ranked) else ""
    return Drawn(campaign, files, expected, known)


def written_runs(made: Made) -> tuple[dict, dict[str, bytes]]:
    """The part `runs` of the configuration, and its files."""
    draw, files = made.draw, {}
    part: dict = {"format": "tabular", **made.own}
    names = {name for rows in made.runs.values() for row in rows for name in row if row[name] is not None}
    names |= {"question", "answer"}
    if made.by.startswith("column"):
        names.add("run")
    if made.pattern:
        names = names - {"question"} | {"set", "id"}
    form = Form(draw, names, keep=("set", "id"))
    tables: dict[str, list[Row]] = defaultdict(list)
    for run, rows in made.runs.items():
        for place, row in enumerate(rows):
            file = {"file": run, "folder": f"{run}/out", "column": "all"}.get(made.by) or f"part{place % 2}"
            row = {**row, "run": run, "set": "geo" if row["question"] else None, "id": row["question"]}
            tables[file].append(row)
    for file, rows in tables.items():
        files[form.name(f"runs/{file}")] = form.content(rows)
    part |= {"files": form.name("runs/*/out" if made.by == "folder" else "runs/*")} | form.options
    columns = dict(form.columns)
    if made.by.startswith("column") and chance(draw, 0.5):
        part["run"] = columns.pop("run", "run")
    elif made.by.startswith("column"):
        columns.setdefault("run", "run")
    if made.by == "folder":
        part["run"] = "{folder}"
    if made.pattern:
        part["question"] = made.pattern
    if columns:
        part["columns"] = columns
    return part, files


def written_judgments(made: Made) -> tuple[dict, dict[str, bytes]]:
    """The part `judgments` of the configuration, and its files."""
    draw, files = made.draw, {}
    in_column = chance(draw, 0.3)
    names = {"question", "label", *made.named} | ({"assessor"} if in_column else set())
    if made.gold.get("closed") and all(row["label"] == "R" for row in made.judgments):
        names.discard("label")
    rows = made.judgments
    if made.pattern:
        rows = [row | {"question": made.full(str(row["question"]))} for row in rows]
    form = Form(draw, names)
    part: dict = {"format": "tabular", "files": form.name("gold/*"), **made.gold, **form.options}
    for assessor in made.assessors:
        chosen = [row for row in rows if in_column or row["assessor"] == assessor]
        files[form.name("gold/all" if in_column else f"gold/{assessor}")] = form.content(chosen)
    columns = dict(form.columns)
    if columns:
        part["columns"] = columns
    return part, files


# The reference.
def reference(made: Made, campaign: dict) -> Expected:
    gold = once_judged(made)
    responses = {run: once_given(made, rows) for run, rows in made.runs.items()}
    asked = made.asked.names(key[1] for key in gold)
    for question in {key[1] for key in gold} | {key[0] for rows in responses.values() for key in rows}:
        if question not in asked:
            raise Faulty(f"a question that is not in the question set: {question!r}")
    if "run" in made.named and isinstance(made.own.get("answer_from"), list):
        raise Unsure("which run judgments name, where cut-offs make several of one")
    if "document" in made.named and all(
        row["document"] is None for rows in responses.values() for row in rows.values() if not is_nil(made, row)
    ):
        raise Unsure("whether the runs name documents")
    readings = {"": {}} | campaign.get("scenarios", {})
    return {name: one_reading(made, campaign, scenario, gold, responses, asked) for name, scenario in readings.items()}


def one_reading(made: Made, campaign: dict, scenario: dict, gold: dict, responses: dict, asked: list[str]) -> tuple:
    settings = {"correct": ["R"], "partial": [], "closed": False, "pooled": ["R"]} | made.gold | scenario
    partial = [label for label in settings["partial"] if label not in settings["correct"]]
    verdicts = {"correct": settings["correct"], "partial": partial}
    labels = dict(gold)
    labels |= elected(made, gold, verdicts)
    policy = policy_of(campaign, scenario)
    by_run, by_category = {}, {}
    for assessor in {key[0] for key in labels}:
        own = {key[1:]: label for key, label in labels.items() if key[0] == assessor}
        answered = {key[0] for key, label in own.items() if label in settings["pooled"]}
        questions = made.asked.questions(asked, answered)
        has_answer = {question.name: question.has_answer for question in questions}
        given: dict = {}
        for name, cutoff in cutoffs(made):
            for run, rows in responses.items():
                given[name(run)] = {}
                for (question, epoch, _), row in sorted(rows.items(), key=lambda item: (item[0][:2], item[0][2])):
                    first = rows[question, epoch, 1]
                    look = lambda what, row=row, run=run, question=question: looked_up(  # noqa: E731
                        made, own, question, run, row, what, verdicts, settings["closed"]
                    )
                    answers = given[name(run)].setdefault((epoch, question), [])
                    if cutoff is not None and row is not first and says(made, first) != "answer":
                        raise Unsure("which confidence decides where rank 1 has no answer")
                    if cutoff is not None and below(made, first, cutoff):
                        answers[:] = [withheld_by_confidence(made, first, look)]
                    else:
                        answers.append(judged_answer(made, row, look, has_answer[question]))
        own_runs, own_categories = by_run_and_category(questions, given, policy)
        by_run |= {(assessor, run): found for run, found in own_runs.items()}
        by_category |= {(assessor, *key): found for key, found in own_categories.items()}
    return by_run, by_category


def once_judged(made: Made) -> dict[tuple, str]:
    """The label of each judged answer: assessor, question, and what the judgments name."""
    found: dict[tuple, str] = {}
    meaning = {word: label for label, word in made.words.items()}
    repeated = made.gold.get("duplicates", "fault")
    for row in made.judgments:
        answer = row["answer"]
        if answer is not None and made.normalise:
            answer = squad(str(answer))
        key = (row["assessor"], made.full(str(row["question"])), row["run"], row["document"], answer)
        label = meaning.get(str(row["label"]), str(row["label"]))
        if found.setdefault(key, label) != label:
            if repeated in ("fault", "same"):
                raise Faulty("two judgments that contradict each other")
            found[key] = label if repeated == "last" else found[key]
    if not all(assessor in {key[0] for key in found} for assessor in made.assessors):
        raise Unsure("an assessor who has judged nothing")
    return found


def elected(made: Made, gold: dict[tuple, str], verdicts: dict) -> dict[tuple, str]:
    """The judgments of one more assessor, if what is official is a vote."""
    official = made.gold.get("official")
    if not (isinstance(official, dict) or (official == "majority" and "majority" not in made.assessors)):
        return {}
    vote = official if isinstance(official, dict) else {"vote": official}
    found = {}
    for item in {key[1:] for key in gold}:
        labels = {key[0]: label for key, label in gold.items() if key[1:] == item}
        votes = Counter(verdict_of(label, verdicts) for label in labels.values())
        most, number = votes.most_common(1)[0]
        if not (number >= 2 if vote["vote"] == "2 of 3" else 2 * number > len(labels)):
            if vote.get("ties") not in labels:
                continue
            most = verdict_of(labels[vote["ties"]], verdicts)
        chosen = Counter(label for label in labels.values() if verdict_of(label, verdicts) == most).most_common()
        if len(chosen) > 1 and chosen[0][1] == chosen[1][1] and "ties" not in vote:
            raise Unsure("which label is elected")
        found[(vote["vote"], *item)] = chosen[0][0]
    return found


def verdict_of(label: str, verdicts: dict) -> str:
    return next((verdict for verdict, labels in verdicts.items() if label in labels), "wrong")


def once_given(made: Made, rows: list[Row]) -> dict[tuple[str, int, int], Row]:
    """The rows of a run by question, epoch and rank, each once."""
    found: dict[tuple[str, int, int], Row] = {}
    repeated = made.own.get("duplicates", "fault")
    for place, row in enumerate(rows):
        if row["question"] is None:
            if made.own.get("empty_questions") != "drop":
                raise Faulty("a row without a question")
            continue
        key = (made.full(str(row["question"])), int(row.get("epoch") or 0), int(row.get("rank") or 1))
        row = row | {"file": place % 2 if made.by == "columns in files" else 0}
        if "answer_from" in made.own and row["confidence"] is None and says(made, row) == "answer":
            if int(row.get("rank") or 1) > 1:
                raise Unsure("whether an answer that does not decide needs a confidence")
            raise Faulty("an answer without a confidence")
        if key in found:
            if found[key]["file"] != row["file"]:
                raise Faulty("a question in two files")
            if repeated == "fault" or (repeated == "same" and not alike(made, found[key], row)):
                raise Faulty("a second response")
            row = row if repeated == "last" else found[key]
        found[key] = row
    files = defaultdict(set)
    for (question, epoch, _), row in found.items():
        files[question, epoch].add(row["file"])
    if any(len(several) > 1 for several in files.values()):
        raise Faulty("a question in two files")
    if any((question, epoch, 1) not in found for question, epoch, _ in found):
        raise Faulty("ranks that do not start at 1")
    return found


def alike(made: Made, one: Row, other: Row) -> bool:
    """Whether two rows have the same answer."""
    texts = [str(row["answer"] or "") for row in (one, other)]
    if texts[0] == texts[1]:
        return True
    if says(made, one) == says(made, other) != "answer":
        raise Unsure("whether two words for silence are the same answer")
    return made.normalise and squad(texts[0]) == squad(texts[1])


def cutoffs(made: Made) -> list[tuple]:
    """The runs that the cut-offs of `answer_from` make of one: how each is called, and its cut-off."""
    chosen = made.own.get("answer_from")
    if chosen is None:
        return [(lambda run: run, None)]
    if not isinstance(chosen, list):
        return [(lambda run: run, chosen)]
    return [(lambda run, cutoff=cutoff: f"{run} @{cutoff}", cutoff) for cutoff in chosen]


def says(made: Made, row: Row) -> str:
    """What the row itself says: answer, unanswered, nil or failed."""
    text = str(row["answer"] or "")
    if not text.strip() or text in made.own.get("unanswered", []):
        return "unanswered"
    return "nil" if text in made.own.get("nil", []) else "failed" if text in made.own.get("failed", []) else "answer"


def is_nil(made: Made, row: Row) -> bool:
    return says(made, row) == "nil"


def below(made: Made, row: Row, cutoff: float) -> bool:
    """Whether the first answer to a question is not sure enough."""
    if says(made, row) == "nil":
        if row["confidence"] is None or float(row["confidence"]) < cutoff:
            raise Unsure("a withheld NIL")  # D8
        return False
    return says(made, row) == "answer" and float(row["confidence"]) < cutoff


def withheld_by_confidence(made: Made, row: Row, look) -> Answer:
    return Answer("unanswered", withheld=look(str(row["answer"])))


def judged_answer(made: Made, row: Row, look, has_answer: bool) -> Answer:
    said, text = says(made, row), None if row["answer"] is None else str(row["answer"])
    if said == "failed":
        return Answer("error")
    if said == "nil":
        return Answer("wrong" if has_answer else "correct", nil=True)
    rule = refused(text, made.rules)
    if rule and said == "answer":
        return Answer(rule, by_rule=True)
    candidate = row.get("candidate")
    if rule and not (text or "").strip() and candidate is None and rule != "unanswered":  # which it is anyway
        return Answer(rule, by_rule=True)
    if said == "answer":
        return Answer(look(text))
    if candidate is None and ("answer" in made.named or row["document"] is None):
        return Answer("unanswered")
    return Answer("unanswered", withheld=look(None if candidate is None else str(candidate)))


def looked_up(
    made, own: dict, question: str, run: str, row: Row, what: str | None, verdicts: dict, closed: bool
) -> str:
    """The verdict on an answer, or on what was withheld in its place."""
    if what is not None and made.normalise:
        what = squad(what)
    key = (
        question,
        run if "run" in made.named else None,
        row["document"] if "document" in made.named else None,
        what if "answer" in made.named else None,
    )
    if key not in own:
        return "wrong" if closed else "unscored"
    return verdict_of(own[key], verdicts)
