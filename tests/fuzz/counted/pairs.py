"""Answer validation: raw decisions on pairs, and a gold standard; and their counts in plain loops."""

from collections import Counter, defaultdict
from typing import NamedTuple

from fuzz.counted import (
    Case,
    Counts,
    Expected,
    FaultyError,
    UnsureError,
    check_strangers,
    deduplicate,
    deduplicate_judgments,
    select_common,
    split_words,
)
from fuzz.counted.drawing import (
    FILES,
    Draw,
    Form,
    QuestionSet,
    Row,
    fill_policy,
    list_columns,
    make_case,
    write_gold,
)

DECISIONS = {
    "VALIDATED": ["accept", "yes", "1"],
    "REJECTED": ["reject", "no", "0"],
    "SELECTED": ["best", "!"],
}
LABELS = {"YES": ["y", "1", "right"], "NO": ["n", "0", "wrong"], "UNKNOWN": ["?", "-"]}
CANDIDATES = ["c1", "c2", "1", "01", "é", "a b", "NULL"]
NOTHING, BROKEN = ["NOA", "open"], ["ERR", "#N/A"]
SCORES = ["0", "0.25", "0.5", "0.5", "0.75", "1", "-3", "12.5", "5e-1"]


class Draft:
    """The rows of a campaign and its options, before they are written."""

    def __init__(self, draw: Draw):
        self.draw = draw
        self.names = draw.questions()
        self.pairs = [(name, text) for name in self.names for text in draw.choose(CANDIDATES, 1, 3)]
        self.question_set = QuestionSet(draw, self.names, 0.3, has_answer=False)
        self.category = {name: self.question_set.look_up(name)[1] for name in self.names}
        self.options: dict = draw.repeats()
        self.assessors = draw.choose([*FILES, "ann"], 1, draw.choice([1, 1, 2]))
        self.gold: dict = {}
        self.labels = self.draw_words(LABELS, self.gold, "labels")
        if draw.chance(0.2):
            self.gold["duplicates"] = draw.choice(["fault", "first", "last", "same"])
        if len(self.assessors) > 1:
            self.gold["official"] = draw.choice(self.assessors)
        self.run_source = draw.choice(["file", "file", "column", "folder"])
        self.run_names = draw.runs() if self.run_source == "column" else draw.file_names()
        self.words = {word: word for word in DECISIONS}
        if draw.chance(0.25):
            self.options["threshold"] = draw.choice([0.5, 0.25, 0, -3, 1])
        else:
            self.words = self.draw_words(DECISIONS, self.options, "labels")
            for option, words in (("unanswered", NOTHING), ("failed", BROKEN)):
                if draw.chance(0.5):
                    self.options[option] = draw.choose(words, 1, 2)
        self.judgments = [row for name in self.assessors for row in self.draw_judgments(name)]
        self.runs = {run: self.draw_decisions() for run in self.run_names}

    def draw_words(self, words: dict[str, list[str]], options: dict, key: str) -> dict[str, str]:
        """How each of our words is written; if otherwise, an option says so."""
        if not self.draw.chance(0.3):
            return {word: word for word in words}
        spelt_words = {word: self.draw.choice(spellings) for word, spellings in words.items()}
        options[key] = {spelling: word for word, spelling in spelt_words.items()}
        return spelt_words

    def repeat(self, row: Row, second: Row) -> list[Row]:
        """The row, sometimes followed by itself or by another one on the same pair."""
        is_twice = self.draw.chance(0.08 if "duplicates" in self.options else 0.004)
        return [row, *[{**self.draw.choice([row, second])}] * is_twice]

    def draw_judgments(self, assessor: str) -> list[Row]:
        draw, rows = self.draw, []
        weights = draw.choice([[3, 3, 1], [1, 4, 0], [0, 1, 0], [1, 1, 4]])
        for question, candidate in self.pairs:
            row: Row = {"question": question, "candidate": candidate, "assessor": assessor}
            labels = draw.choices([*self.labels.values()], weights)
            if draw.chance(0.05 if "duplicates" in self.gold else 0.005):
                labels.append(draw.choice([*self.labels.values()]))
            rows += [row | {"label": label} for label in labels]
        return draw.sample(rows, len(rows))

    def draw_decisions(self) -> list[Row]:
        draw, rows = self.draw, []
        for pair in self.pairs:
            if not draw.chance(0.12):
                rows += self.repeat(self.row(pair), self.row(pair))
        if "empty_questions" in self.options and draw.chance(0.4):
            rows.append(self.row((None, "c1")))
        return draw.sample(rows, len(rows)) or [self.row(self.pairs[0])]

    def row(self, pair: tuple[str | None, str]) -> Row:
        draw = self.draw
        words = [self.words["VALIDATED"], self.words["REJECTED"], self.words["REJECTED"], None]
        words += [*self.options.get("unanswered", []), *self.options.get("failed", [])]
        words += [self.words["SELECTED"]] if draw.chance(0.4) else []
        row: Row = {"question": pair[0], "candidate": pair[1], "answer": draw.choice(words)}
        row["score"] = draw.choice([None, *SCORES])
        return row | {"confidence": draw.choice([None, "0.5", "1"])}


def draw_case(draw: Draw) -> Case:
    draft = Draft(draw)
    has_threshold, is_column = "threshold" in draft.options, draft.run_source == "column"
    policies = draw.policies(() if has_threshold else ("error",))
    campaign: dict = {"task": "validation", "measures": ["accuracy"]} | policies
    names = list_columns(draft.runs.values()) | {"question", "candidate", "answer"}
    names |= ({"score"} if has_threshold else set()) | ({"run"} if is_column else set())
    form = Form(draw, names)
    if has_threshold:
        form.columns.pop("answer", None)
        form.order.remove("answer")
    run_key = draw.choice(["run", "columns"]) if is_column else ""
    stem = "runs/*/out" if draft.run_source == "folder" else "runs/*"
    campaign["runs"] = form.part(stem, draft.options, run_key)
    campaign["runs"] |= {"run": "{folder}"} if draft.run_source == "folder" else {}
    tables: dict[str, list[Row]] = defaultdict(list)
    for run, rows in draft.runs.items():
        file = {"file": run, "folder": f"{run}/out", "column": "all"}[draft.run_source]
        tables[file] += [row | {"run": run} for row in rows]
    files = {form.name(f"runs/{file}"): form.content(rows) for file, rows in tables.items()}
    campaign["judgments"], judgment_files = write_gold(
        draw, {"question", "candidate", "label"}, draft.judgments, draft.gold, draft.assessors
    )
    if "failed" in draft.options and draw.chance(0.15):
        campaign["scenarios"] = {"one": {"error": "exclude"}, "two": {"error": "unanswered"}}
    files |= judgment_files
    return make_case(draw, campaign, files, draft.question_set, lambda: reference(draft, campaign))


# The reference, as docs/measures.md says.
class Decision(NamedTuple):
    """What a run says of a pair."""

    accepted: bool | None = None  # None = left open
    selected: bool = False
    failed: bool = False
    missing: bool = False  # the run does not mention it


Pair = tuple[str, str]  # question and candidate
COUNTS = split_words(
    "n|tp|fp|fn|tn|u_p|u_n|n_unscored|n_error|n_missing|n_questions|q_selected_right|q_rejected_right|n_asked|n_not_asked|n_shared"
)
MISSING = Decision(missing=True)


def counts(
    truth: dict[Pair, bool | None], common: set[Pair], decisions: dict[Pair, Decision], policy: dict
) -> dict:
    """Count for one run; unknown truth is None, and `common` are the pairs it is compared on."""
    totals = Counter(dict.fromkeys(COUNTS, 0))
    pairs_of: dict[str, list[tuple[bool, Decision, bool]]] = {}
    for pair, right in truth.items():
        decision = decisions.get(pair, MISSING)
        not_asked = decision.missing and policy["missing"] == "exclude"
        if right is not None:
            totals["n_not_asked" if not_asked else "n_asked"] += 1
        if not_asked or pair not in common:
            continue
        totals["n_error"] += decision.failed
        if right is None:
            totals["n_unscored"] += 1
            continue
        totals["n_shared"] += 1
        cell = find_cell(right, decision, policy)
        pairs_of.setdefault(pair[0], []).append((right, decision, cell != "exclude"))
        if cell != "exclude":
            totals["n"] += 1
            totals[cell] += 1
            totals["n_missing"] += decision.missing
    for pairs in pairs_of.values():
        totals["n_questions"] += any(is_counted for *_, is_counted in pairs)
        totals["q_selected_right"] += any(
            right and decision.selected for right, decision, _ in pairs
        )
        rejected = all(
            rejects(decision, right, policy) and not right for right, decision, _ in pairs
        )
        totals["q_rejected_right"] += rejected
    return dict(totals)


def rejects(decision: Decision, right: bool, policy: dict) -> bool:
    """Return whether a pair counts as rejected; a missing one may count as the wrong decision."""
    return (
        right if decision.missing and policy["missing"] == "wrong" else decision.accepted is False
    )


def find_cell(right: bool, decision: Decision, policy: dict) -> str:
    choice = policy["error"] if decision.failed else policy["missing"] if decision.missing else None
    if choice == "exclude":
        return "exclude"
    if choice == "wrong":
        return "fn" if right else "fp"
    if choice == "unanswered" or decision.accepted is None:
        return "u_p" if right else "u_n"
    return ("tp" if right else "fp") if decision.accepted else ("fn" if right else "tn")


def count_by_run(
    assessor: str,
    truth: dict[Pair, bool | None],
    runs: dict[str, dict[Pair, Decision]],
    category: dict[str, str | None],
    policy: dict,
) -> Counts:
    """Return the counts of one assessor, also by the category of questions."""
    attempted = {
        run: {pair for pair in truth if not run_rows.get(pair, MISSING).missing}
        for run, run_rows in runs.items()
    }
    questions = {run: {question for question, _ in pairs} for run, pairs in attempted.items()}
    check_strangers(questions, policy)
    asked_pairs = attempted if policy["missing"] == "exclude" else {run: set(truth) for run in runs}
    among, common = select_common(asked_pairs, policy["compare_on"])
    result: Counts = {}
    for run, run_rows in runs.items():
        comparable = common if run in among else set()
        result[assessor, run] = counts(truth, comparable, run_rows, policy)
        for name in {category.get(question) for question, _ in truth} - {None}:
            part = {pair: right for pair, right in truth.items() if category.get(pair[0]) == name}
            result[assessor, run, name] = counts(part, comparable, run_rows, policy)
    return result


def reference(draft: Draft, campaign: dict) -> Expected:
    runs = {run: read_decisions(draft, rows) for run, rows in draft.runs.items()}
    expected: Expected = {}
    for name, scenario in ({"": {}} | campaign.get("scenarios", {})).items():
        expected[name], policy = {}, fill_policy(campaign, scenario)
        for assessor in draft.assessors:
            truth = read_truth(draft, assessor)
            expected[name] |= count_by_run(assessor, truth, runs, draft.category, policy)
    return expected


def read_truth(draft: Draft, assessor: str) -> dict[Pair, bool | None]:
    rows = [row for row in draft.judgments if row["assessor"] == assessor]
    labelled = ((read_pair(row), str(row["label"])) for row in rows)
    meaning = {draft.labels["YES"]: True, draft.labels["NO"]: False}
    labels = deduplicate_judgments(labelled, draft.gold)
    return {pair: meaning.get(word) for pair, word in labels.items()}


def read_pair(row: Row) -> Pair:
    return str(row["question"]), str(row["candidate"])


def read_decisions(draft: Draft, rows: list[Row]) -> dict[Pair, Decision]:
    def are_alike(a: Row, b: Row) -> bool:
        is_same = read_decision(draft, a) == read_decision(draft, b)
        if is_same and a["answer"] != b["answer"]:
            raise UnsureError("whether two words for one decision are the same answer")
        return is_same

    unique = deduplicate(rows, draft.options, read_pair, are_alike)
    decisions = {pair: read_decision(draft, row) for pair, row in unique.items()}
    selected = [question for (question, _), decision in decisions.items() if decision.selected]
    if len({*selected}) < len(selected):
        raise FaultyError("two selected answers")
    return decisions


def read_decision(draft: Draft, row: Row) -> Decision:
    answer, threshold = row["answer"], draft.options.get("threshold")
    if threshold is not None:
        score = threshold if row["score"] is None else float(row["score"])
        return Decision(None if score == threshold else score > threshold)
    if answer in draft.options.get("failed", []):
        return Decision(failed=True)
    if answer is None or answer in draft.options.get("unanswered", []):
        return Decision()
    return Decision(answer != draft.words["REJECTED"], selected=answer == draft.words["SELECTED"])
