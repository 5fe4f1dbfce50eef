"""Write docs/measures.md from the registry: what is counted, computed and meant."""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
from nonresponse import measures, tasks, wording
from nonresponse.measures import Measure
from nonresponse.tables import write_text

import commands

OPTIONS = {"output": {"type": Path, "help": "the page to write"}}

# When a measure is null, if the page says so above: of all, or of the group of one of these
NOT_TOLD = {Measure.undefined, "there are no pairs", "never"}
NOT_TOLD |= {measures.get("qa", id).undefined for id in ("aurc", "ece@10")}
ARROWS = {"higher": "↑", "lower": "↓", "neither": "·"}

INTRODUCTION = """\
# Measures

*Written by `tools/measures_page.py` from `src/nonresponse/measures`.*

Each score is computed from the [verdicts](states.md) of an assessor and a run, under the campaign's policies.
[How c@1 works](abstention.md#which-measure) tells which measure answers which question.

- Scores are from 0 to 1 unless the list says otherwise. A score is null, never 0, if its formula divides by nothing.
- ↑ means that higher is better, ↓ lower, · neither. ○ is computed only if `measures:` names it. The others are the
  default, as far as the data can define them. The defaults of logs are OF_LOGS. If the data say that questions have no
  answer, they are OF_UNANSWERABLE.
- A number after the @ is a parameter: `f@1` is F with β = 1. The lists show its default. `c@1` is a name and takes no
  other number.
- For an order, a position wins over a confidence, and a confidence over a raw score. What has none comes last, and so
  does what is unanswered. Ties count as the expectation over all their orders.
- The source is in brackets. If it has no name or is left out, it is that of the measure above.

## Combined measures

`mean(c@1,auc,f@1)` is the mean of 2 to 8 measures of a task, `product(auc,c@1)` their product. Quote them in
`measures:`. They have bounds, intervals and tests, and are undefined if a part is. All parts must be better in the same
direction.
"""

# What stands above the measures of a task, and below those of question answering.
SYMBOLS = {
    "qa": """\
I(i) and c are 1 for a correct answer and 0 otherwise, s is the confidence, m the number of answers that have one, R the
number of known correct answers, and C(r) the number of correct answers down to rank r. In `k` and `map` a repeated
answer is neither correct nor wrong; of a key R is 1.
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
# What stands above a measure of question answering that begins a group
GROUPS = {
    "romip_error": """\
### Formulas of ROMIP

Here abstention says NIL, too.
""",
    "f_simpleqa": """\
### Formulas of abstention

*Abstained* is n_u + nil_returned + n_rightful, and *rightly abstained* nil_right + nil_unanswered + n_rightful.
A run abstains if it does not answer, or answers NIL, at rank 1.
""",
    "aurc": """\
### Formulas of order and confidence

a is the number of answers. From `aurc` to `risk`, a measure is null if the run gives no order or confidence, or answers
nothing. From `ece` on, it is null if no answer has a confidence in [0, 1].
""",
}
# What a reader may take for something else, after what the docstring of the measure says
NOTES = {
    "hallucination_rate": "HalluLens calls `wrong_given_attempted` so, NoMIRACL 1 - `abstention_recall`.",
    "penalty@0.75": "The runs must have been told t and the penalty. The source prints 2 for t = 0.75, its formula gives 3.",
    "phi@1": "k = t/(1-t) makes it penalty@t, k = 1/(m-1) formula_score@m.",
    "false_abstention": "NoMIRACL calls it error rate.",
    "coverage@0.1": "Answers with equal confidence come in together or not at all.",
    "ece@10": "Bins ((j-1)/k, j/k], the first one closed. Confidences within 1e-9 of an edge are on it.",
    "nll": "Confidences are clipped to [1e-15, 1 - 1e-15].",
    "overconfidence": "Nearest to 0 is best.",
}
CONVENTIONS = """\
## Conventions of AURC and ECE

Programs differ in both. On ten answers with ties `aurc` is .286, a trapezoid from 1/n to 1 .231, and the published code
of Geifman et al. has .219. In five bins `ece@k` is .14. torchmetrics closes the bins on the left and has .09, netcal
.17.
"""


def render_range(measure: Measure) -> str:
    """Its lowest and highest value."""
    low, high = measure.range
    return " to ".join(
        ["−∞" if low is None else f"{low:g}", "∞" if high is None else f"{high:g}"]
    ).replace("-", "−")


def render_id(measure: Measure) -> str:
    """The id, and where a parameter may follow but need not, one with it."""
    return f"`{measure.id}`" + (
        f", `{measure.id}@5`" if measure.parameter and measure.default is None else ""
    )


def describe(measure: Measure) -> str:
    """What it says, its other names, what may stand after the @, and a range other than 0 to 1."""
    sentences = [" ".join(measure.description.split()), NOTES.get(measure.id, "")]
    if measure.aliases:
        sentences.append(f"Also called {' or '.join(f'`{alias}`' for alias in measure.aliases)}.")
    if measure.parameter:
        kind = "whole, " * (measure.default is None or isinstance(measure.default, int))
        bounds = re.sub("^from (.*) up to", r"\1 to", str(measure.bounds))
        sentences.append(f"`{measure.parameter}`: {kind}{bounds}.")
    if measure.range != (0, 1):
        sentences.append(f"From {render_range(measure)}.")
    return " ".join(filter(None, sentences))


def render_measure(measure: Measure, source: str) -> str:
    """Return the line of a measure: id, formula, what it says, source, and when it is null.

    A count that the measure divides by says the latter.
    """
    marks = f"{ARROWS[measure.direction]}{'○' * (not measure.is_default)}"
    is_told = measure.undefined in NOT_TOLD or measure.divides_by
    undefined = "" if is_told else f" Null if {measure.undefined}."
    about = describe(measure)
    return (
        f"- {render_id(measure)} {marks} $`{measure.formula}`${f': {about}' * bool(about)}"
        f"{f' ({source})' * bool(source)}{undefined}\n"
    )


def render_measures(task_measures: list[Measure], groups: dict[str, str]) -> Iterator[str]:
    """Yield their lines and what stands above a group, without what a source shares with the last."""
    last_source = ""
    for measure in task_measures:
        if measure.id in groups:
            last_source = ""
            yield f"\n{groups[measure.id]}\n"
        name = re.split("[,:]", last_source)[0]
        source = re.sub(rf"^{re.escape(name)}[,:] ", "", measure.source)
        source = "" if measure.source == last_source else source
        yield render_measure(measure, source)
        last_source = measure.source


def list_count_rows(task: tasks.Task) -> list[tuple[str, str]]:
    """Return a row for each count of a task that no task before it has in the same words."""
    known_counts = {
        (name, count.meaning)
        for task_id in list_earlier(task)
        for name, count in tasks.get(task_id).counts.items()
    }
    counts = [(name, count.meaning) for name, count in task.counts.items()]
    return [
        (f"`{name}`", meaning) for name, meaning in counts if (name, meaning) not in known_counts
    ]


def render_task(task: tasks.Task) -> Iterator[str]:
    """Yield what the page has of a task; what is the same in a task before it is named only."""
    yield f"## {task.title}\n"
    if rows := list_count_rows(task):
        yield "### Counts\n"
        yield "".join(f"- {name}: {meaning}\n" for name, meaning in rows)
    if task.id != "qa":
        yield "Other counts are as above.\n"
    earlier = {
        measure.definition
        for task_id in list_earlier(task)
        for measure in measures.load_measures(task_id).values()
    }
    shared_measures, new_measures = list[Measure](), list[Measure]()
    for measure in measures.load_measures(task.id).values():
        (shared_measures if measure.definition in earlier else new_measures).append(measure)
    yield "### Formulas\n"
    yield SYMBOLS[task.id]
    yield "".join(render_measures(new_measures, GROUPS if task.id == "qa" else {}))
    if shared_measures:
        yield f"As above: {join_ids(measure.id for measure in shared_measures)}.\n"


def list_earlier(task: tasks.Task) -> tuple[str, ...]:
    """Return the ids of the tasks before this one on the page."""
    return tasks.NAMES[: tasks.NAMES.index(task.id)]


def join_ids(ids: Iterable[str]) -> str:
    """Return ids of measures as a sentence has them."""
    return wording.join_names([f"`{id}`" for id in ids])


def render_page() -> str:
    """Return all of docs/measures.md."""
    qa = tasks.get("qa")
    introduction = INTRODUCTION.replace("OF_LOGS", join_ids(qa.log_measures))
    introduction = introduction.replace("OF_UNANSWERABLE", join_ids(qa.unanswerable_measures))
    parts = [part for task in map(tasks.get, tasks.NAMES) for part in render_task(task)]
    return "\n".join([introduction, *parts, CONVENTIONS])


def main(output: Path) -> None:
    write_text(render_page(), output)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
