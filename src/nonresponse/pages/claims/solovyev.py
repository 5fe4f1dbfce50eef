"""Claims of Solovyev, on answers that a module validates; the sentences are translated from the Russian."""

from fractions import Fraction
from itertools import combinations, pairwise

from nonresponse.pages.claims import Data, Found, Source, of_both, score

TABLE, FACTS = "solovyev-table-3", "solovyev-romip-facts"
WITH_ANSWER = "questions for which the assessors supposed an answer in the collection"
CELLS = ("fn", "tn", "tp", "fp")
FALLS = 5
TRIVIAL = ("reject-all", "accept-all")
NAMED = ("tree-edit-distance", "tree-node-alignment")  # the two that the text calls worse than rejecting everything

SOURCE = Source("Solovyev")
claim = SOURCE.claim


def printed(data: Data, measure: str) -> dict[str, Fraction]:
    """A column of table 3, by run."""
    return {row["run"]: Fraction(row[measure]) for row in data.rows(TABLE)}


def computed(data: Data, measure: str) -> dict[str, Fraction]:
    """The measure by run, computed from the counts of table 3, in percent."""
    return {
        row["run"]: 100 * score("validation", measure, **{name: Fraction(row[name]) for name in CELLS})
        for row in data.rows(TABLE)
    }


def ranked(values: dict[str, Fraction], lower_is_better: bool = False) -> list[str]:
    """The algorithms, the best first."""
    runs = [run for run in values if run not in TRIVIAL]
    return sorted(runs, key=lambda run: values[run] if lower_is_better else -values[run])


def rounding_to(percent: Fraction, of: int) -> list[int]:
    """The whole numbers up to `of` that round to this percentage of it."""
    return [number for number in range(of + 1) if abs(Fraction(100 * number, of) - percent) <= Fraction(1, 2)]


@claim("page 3", "A system that gives a wrong answer to a question without an answer has a low NIL recall.")
def nil_recall(data: Data) -> Found:
    """Checks that every such answer lowers it."""
    none = int(data.fact(FACTS, "questions") - data.fact(FACTS, WITH_ANSWER))
    values = [score("qa", "nil_recall", nil_right=none - wrong, nil_gold=none) for wrong in range(none + 1)]
    evidence = (
        f"each such answer lowers it; of {none} questions, one from {float(values[0]):g} to {float(values[1]):.3f},"
        f" {none // 2} to {float(values[none // 2]):g}: low where there are many"
    )
    return Found(evidence, computed=all(one > other for one, other in pairwise(values)))


@claim("page 3", "A system that gives no answer to a question that some other system answers has a low NIL precision.")
def nil_precision(data: Data) -> Found:
    """Checks that every such NIL lowers it, beside a single right NIL, and beside all right ones."""
    answered = int(data.fact(FACTS, WITH_ANSWER))
    none = int(data.fact(FACTS, "questions")) - answered
    values = {
        right: [score("qa", "nil_precision", nil_right=right, nil_returned=right + k) for k in range(answered + 1)]
        for right in (1, none)
    }
    falling = all(one > other for of in values.values() for one, other in pairwise(of))
    all_right = values[none]
    evidence = (
        f"each such NIL lowers it; beside {none} right ones, one from {float(all_right[0]):g} to"
        f" {float(all_right[1]):.3f}, all {answered} to {float(all_right[answered]):.2f}"
    )
    return Found(evidence, computed=falling)


@claim("page 3", "ROMIP's official figures in no way reward the option “no answer”.")
def official_figures(data: Data) -> Found:
    ids = ("answered", "good", "good_any", "long_good", "long_good_partial")
    counts = dict.fromkeys(("q_answered", "q_good", "q_good_any", "q_long_good", "q_long_good_partial"), 0)
    values = [score("qa", f"romip_{id}", **counts) for id in ids]
    return Found("silence on every question has 0 in all five", computed=not any(values))


@claim("page 4", "Validation lowered the error E from 59 to 26 %, while recall R fell from 8 to 5 %.")
def romip(data: Data) -> Found:
    """Checks that whole numbers of questions can give the printed percentages."""
    questions = int(data.fact(FACTS, "questions"))
    with_answer = int(data.fact(FACTS, WITH_ANSWER))
    found, possible = [], True
    for word in ("without", "with"):
        right = rounding_to(data.fact(FACTS, f"recall {word} validation in percent"), with_answer)
        wrong = rounding_to(data.fact(FACTS, f"error {word} validation in percent"), questions)
        possible &= bool(right and wrong)
        found.append(f"{word} it a is {span(right)} of {with_answer}, wrong decisions are {span(wrong)} of {questions}")
    silence = score("qa", "romip_error", a=0, b=0, c=0, d=with_answer, e=questions - with_answer)
    found.append(f"silence on every question has E {float(100 * silence):.1f} % if {with_answer} have an answer")
    return Found("; ".join(found), printed=possible)


@claim("after table 3", "F0.5 and E2.0 agree on which runs are best.")
def best_runs(data: Data) -> Found:
    """Checks the best two, in their order; on the order of all six they do not agree."""
    orders = [(ranked(of(data, "f@0.5")), ranked(of(data, "e@2"), True)) for of in (printed, computed)]
    true = [by_f[:2] == by_e[:2] for by_f, by_e in orders]
    by_f, by_e = orders[1]
    pairs = list(combinations(by_f, 2))
    alike = sum(by_e.index(one) < by_e.index(other) for one, other in pairs)
    evidence = (
        f"the best two, in their order: by F {' and '.join(by_f[:2])}, by E {' and '.join(by_e[:2])}; of all"
        f" {len(pairs)} pairs of runs the two order {len(pairs) - alike} otherwise"
    )
    return of_both(evidence, true)


@claim("after table 3", "Tree edit distance and tree node alignment are worse than rejecting everything.")
def worse_than_nothing(data: Data) -> Found:
    errors = [of(data, "e@2") for of in (printed, computed)]
    as_printed, by_counts = (
        [run for run, value in of.items() if run not in TRIVIAL and value > of["reject-all"]] for of in errors
    )
    evidence = f"as printed behind it: {', '.join(as_printed)}; by the counts: {', '.join(by_counts)}"
    return of_both(evidence, (set(NAMED) <= set(of) for of in (as_printed, by_counts)))


@claim("table 3", "Relation overlap is ahead of rejecting everything, 14.75 against 15.19.")
def relation_overlap(data: Data) -> Found:
    errors = [of(data, "e@2") for of in (printed, computed)]
    shown = [f"{float(of['relation-overlap']):.2f} and {float(of['reject-all']):.2f}" for of in errors]
    true = [of["relation-overlap"] < of["reject-all"] for of in errors]
    return of_both(f"as printed {shown[0]}; by the counts {shown[1]}", true)


@claim("after table 3", "E2.0 makes rejecting everything competitive; the F-measure does not allow the comparison.")
def competitive(data: Data) -> Found:
    true, shown = [], []
    for of in (printed, computed):
        error, f = of(data, "e@2"), of(data, "f@0.5")
        place = 1 + sum(value < error["reject-all"] for value in error.values())
        true.append(1 < place < len(error) and f["reject-all"] == min(f.values()) == 0)
        shown.append(f"{place} of {len(error)}")
    return of_both(f"by E in place {shown[0]} as printed, {shown[1]} by the counts; F is 0", true)


@claim("before table 3", "With ever more true negatives the F-measure stays as it is, while E goes to 0.")
def true_negatives(data: Data) -> Found:
    row = {name: Fraction(data.rows(TABLE)[-1][name]) for name in CELLS}
    more = [row | {"tn": row["tn"] * 10**k} for k in range(6)]
    f, e = ([score("validation", id, **counts) for counts in more] for id in ("f@0.5", "e@2"))
    falling = all(after < before / FALLS for before, after in pairwise(e[1:]))
    evidence = (
        f"predicate matching with {10 ** (len(more) - 1):,} times as many: F {float(f[-1]):.4f} as before, E"
        f" {float(e[-1]):.1e}; goes to 0: after the first ten times, each ten times as many leave less than 1/{FALLS}"
    )
    return Found(evidence, computed=len(set(f)) == 1 and falling)


def span(numbers: list[int]) -> str:
    """The first and the last of the numbers, as text."""
    if not numbers:
        return "no number"
    return f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
