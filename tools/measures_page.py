"""Write docs/measures.md from the registry: what is counted, computed and meant."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
import degenerate
from markdown_tables import render_table
from nonresponse import measures, tasks, wording
from nonresponse.measures import Measure
from nonresponse.tables import write_text

import commands

OPTIONS = {"output": {"type": Path, "help": "the page to write"}}

ARROWS = {"higher": "↑", "lower": "↓", "neither": "·"}

INTRODUCTION = """\
# Measures

*Written by `python tools/measures_page.py --output docs/measures.md` from the measures in
`src/nonresponse/measures`. Do not edit it here.*

Every measure is computed for each assessor and run from its [verdicts](states.md) under the campaign's policies.
[How c@1 works](abstention.md) tells which one answers which question.

- A score is null, never 0, if its formula divides by nothing: without questions, and as the last column says.
- A number after the @ is a parameter: `f@1` is F with β = 1. The tables show the default. `c@1` is a name and takes no
  other number.
- ↑ means that higher is better, ↓ lower, · neither. ○ is computed only if `measures:` names it. The others are the
  default, as far as the data could define them. Logs also have OF_LOGS. If the data say that questions have no answer,
  the defaults are OF_UNANSWERABLE.
- For an order, a position wins over a confidence, and a confidence over a raw score. What has none comes last, and so
  does what is unanswered. Ties count as the expectation over all their orders.

## Combined measures

`mean(c@1,auc,f@1)` is the mean of 2 to 8 measures of a task, `product(auc,c@1)` their product. PAN ranks by them.
Quote them in `measures:`. They have bounds, intervals and tests, and are undefined if a part is. All parts must be
better in the same direction and on one scale.

## Measures that need certain data

Of single responses, these are left out unless the data have what they need.
"""

DEGENERATE = """\
## Degenerate systems

Six measures estimate how many unanswered questions would have been answered correctly (Peñas & Rodrigo 2011, sections
2.2 and 3). Of {questions} questions, useless systems answer one or none, or all wrongly. c@1 gives none of them more
than {most}.
"""

# What stands above the measures of a task, and below those of question answering.
SYMBOLS = {
    "qa": """\
I(i) and c are 1 for a correct answer and 0 otherwise, s is the confidence, R the number of known correct answers, and
C(r) the number of correct answers down to rank r. In `k` and `map` a repeated answer is neither correct nor wrong.
A rightful abstention is a correct answer to `cws`, `mrr`, `k1` and all formulas with n_ac, and no answer to the others.
""",
    "validation": """\
N is n, the number of pairs, P the number of right ones, v the raw score of a pair, y 1 for a right pair and 0 for a
wrong one.
""",
    "dating": """\
A question is a fragment of text, d_p the most confident year of the run, d_r the year of the reference, c_j and d_j the
confidence and the year of the j-th hypothesis. A fragment without a hypothesis adds 0 to every sum.
""",
    "matching": """\
A question is an abstract, a_p the most confident label of the run, a_r the label of the reference, c_j and a_j the
confidence and the label of the j-th hypothesis. An abstract without a hypothesis adds 0 to every sum.
""",
}
NOTES = {
    "cws": """\
Of 500 questions the first tenth carries 33 % of what there is to gain, the first half 85 %, the last tenth 0.5 %.
""",
    "omniscience": "A partial answer is one of the questions, and neither correct nor wrong, "
    "whatever the policy.",
    "hallucination_rate": "As for omniscience. HalluLens means `wrong_given_attempted` by the "
    "same words: of 9 correct, 5 wrong and 6 unanswered responses, 0.357 instead of 0.455. NoMIRACL "
    "means the share of questions without an answer that were answered, 1 - `abstention_recall`.",
    "uf": "Feng et al. call it effective reliability. Whitehead et al. mean `phi@k` by that.",
    "penalty@0.75": """\
The runs must have been told t and the penalty t/(1-t). The source prints a penalty of 2 for t = 0.75. By its own formula
it is 3.
""",
    "phi@1": "With k = t/(1-t) it is penalty@t, with k = 1/(m-1) formula_score@m, with k = N "
    "the reliability score"
    " RS(N) of TrustSQL and EHRSQL.",
    "abstention_precision": "A run abstains if it does not answer, or answers NIL, at rank 1.",
    "false_abstention": "NoMIRACL calls it error rate.",
    "coverage@0.1": "Answers with equal confidence come in together or not at all.",
    "ece@10": "Bins ((j-1)/k, j/k], the first one closed. Confidences within 1e-9 of an edge "
    "are on it.",
    "ece_mass@10": "With i answers below it, an answer is in bin ⌊ik/a⌋ + 1 of k; ties stay in "
    "the lower bin.",
    "prr": "0 is chance, 1 the best order, and it may fall below -1. All answers are rejected "
    "in turn.",
    "rms_calibration@100": "`rms_calibration_hle@100` is what the script of Humanity's Last "
    "Exam prints: it leaves out"
    " the last bin.",
    "nll": "Confidences are clipped to [1e-15, 1 - 1e-15]: a wrong answer with confidence 1 "
    "costs 34.5.",
    "overconfidence": "It ranks nothing: nearest to 0 is best, and below 0 the run is too modest.",
    "romip_nil_recall": """\
A run can say in two ways that there is no answer. Voorhees counts the answer NIL alone, Solovyev every question
without an answer.
""",
}
CONVENTIONS = """\
## Conventions of AURC and ECE

Ten answers, correct but for the third, sixth, eighth and tenth, with the confidences .97 .93 .88 .82 .77 .71 .64 .53
.41 .28; and the same with ties, .95 .90 .90 .80 .70 .70 .60 .55 .40 .30:

| convention | no ties | ties |
|---|---|---|
| **`aurc`**: mean, expectation over ties | 0.251071 | 0.286071 |
| mean of the risks | 0.251071 | 0.251071 |
| published code of Geifman et al. | 0.218571 | 0.218571 |
| trapezoid from 1/n to 1 | 0.231071 | 0.231071 |
| trapezoid over 1 − 1/n | 0.256746 | 0.256746 |
| trapezoid from 0, a point for each block | 0.231071 | 0.256905 |
| hull of the errors, from 0 | 0.187530 | 0.234223 |
| weights −ln(1 − k/(n + 1)) | 0.231918 | 0.231918 |
| weights k/n (SELE) | 0.170000 | 0.170000 |

Over the answers, `aurc` is 1 less their cws. `e_aurc` takes off the area of the best order in the limit of many
answers. Other tools close the bins of `ece@k` on the left. On the ten answers with ties and five bins, torchmetrics has
.09, netcal .17, this one .14.
"""


def render_range(measure: Measure) -> str:
    """Its lowest and highest value."""
    low, high = measure.range
    return "…".join(
        ["−∞" if low is None else f"{low:g}", "∞" if high is None else f"{high:g}"]
    ).replace("-", "−")


def render_id(measure: Measure) -> str:
    """The id, and where a parameter may follow but need not, one with it."""
    return f"`{measure.id}`" + (
        f", `{measure.id}@5`" if measure.parameter and measure.default is None else ""
    )


def describe(measure: Measure) -> str:
    """What it says, its other names, and which numbers may stand after the @."""
    sentences = [" ".join(measure.description.split())]
    if measure.aliases:
        sentences.append(f"Also called {' or '.join(f'`{alias}`' for alias in measure.aliases)}.")
    if measure.parameter:
        kind = "whole " * (measure.default is None or isinstance(measure.default, int))
        sentences.append(f"`{measure.parameter}` is a {kind}number {measure.bounds}.")
    return " ".join(sentences)


def list_measure_rows(known_measures: list[Measure]) -> list[tuple[str, ...]]:
    """Return a row for each measure; its cells are those of the table of measures."""
    return [
        (
            render_id(measure),
            f"$`{measure.formula}`$",
            describe(measure),
            f"{render_range(measure)} {ARROWS[measure.direction]}{' ○' * (not measure.is_default)}",
            measure.source,
            "" if measure.undefined == Measure.undefined else measure.undefined,
        )
        for measure in known_measures
    ]


def list_count_rows(task: tasks.Task) -> list[tuple[str, str]]:
    """Return a row for each count of a task that no task before it has in the same words."""
    earlier = tasks.NAMES[: tasks.NAMES.index(task.id)]
    known_counts = {
        (name, count.meaning)
        for task_id in earlier
        for name, count in tasks.get(task_id).counts.items()
    }
    counts = [(name, count.meaning) for name, count in task.counts.items()]
    return [
        (f"`{name}`", meaning) for name, meaning in counts if (name, meaning) not in known_counts
    ]


def list_needs() -> list[tuple[str, ...]]:
    """What measures need that some campaigns cannot tell, each with the measures."""
    defaults = [
        measure
        for task in tasks.NAMES
        for measure in measures.load_measures(task).values()
        if measure.is_default
    ]
    ids_by_fact = {
        fact: dict.fromkeys(f"`{measure.id}`" for measure in defaults if fact in measure.needs)
        for fact in measures.FACTS
    }
    return [(measures.FACTS[fact], ", ".join(ids)) for fact, ids in ids_by_fact.items()]


def render_degenerate() -> str:
    """What the measures of question answering make of systems that are of no use."""
    headers = ["measure", "takes P(C \\| not answered) for", *degenerate.SYSTEMS]
    highest = max(degenerate.score("c@1", system) or 0 for system in degenerate.SYSTEMS)
    sentences = DEGENERATE.format(questions=degenerate.QUESTIONS, most=f"{float(highest):.3f}")
    return sentences + "\n" + render_table(headers, degenerate.rows())


def render_page() -> str:
    """Return all of docs/measures.md."""
    parts = [INTRODUCTION, render_table(["only where", "measures"], list_needs())]
    for task in map(tasks.get, tasks.NAMES):
        known_measures = list(measures.load_measures(task.id).values())
        remark = "" if task.id == "qa" else "Other counts are as above.\n"
        parts += [
            f"## {task.title}\n",
            "### Counts\n",
            render_table(["count", "meaning"], list_count_rows(task)),
            remark,
        ]
        headers = ["id", "formula", "what it says", "range", "source", "null when"]
        parts += [
            "### Formulas\n",
            SYMBOLS[task.id],
            render_table(headers, list_measure_rows(known_measures)),
        ]
        notes = NOTES.items() if task.id == "qa" else ()
        parts += [f"**`{id}`.** {note.rstrip()}\n" for id, note in notes]
    log_ids, unanswerable_ids = (
        wording.join_names([f"`{id}`" for id in ids])
        for ids in (tasks.get("qa").log_measures, tasks.get("qa").unanswerable_measures)
    )
    text = "\n".join(part for part in [*parts, render_degenerate(), CONVENTIONS] if part)
    return text.replace("OF_LOGS", log_ids).replace("OF_UNANSWERABLE", unanswerable_ids)


def main(output: Path) -> None:
    write_text(render_page(), output)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
