"""Write docs/measures.md from the registry of measures: what is counted, what is computed, and what it means."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
import degenerate
from nonresponse import measures, tasks, wording
from nonresponse.measures import Measure
from nonresponse.tables import write_text

import commands

OPTIONS = {"output": {"type": Path, "help": "the page to write"}}

ARROWS = {"higher": "↑", "lower": "↓", "neither": "·"}
KINDS = {"counts": "counts", "sums": "questions", "ordering": "order"}

INTRODUCTION = """\
# Measures

*Written by `python tools/measures_page.py --output docs/measures.md` from the measures in
`src/nonresponse/measures`; do not edit it here.*

A **run** is what one system handed in; an **assessor** is whoever judged it: a person, a committee, a program.
Everything below is computed for each assessor and run. Of several answers to a question, the **verdict** and the
self-score are those of rank 1; mrr, map, k and the counts a to e look at all ranks.

A question **has a known answer** if the campaign's question file says so, or if an answer to it was judged right (R,
or ROMIP's good), whichever run gave it. Which labels count as correct has no part in it: with `correct: [R, U, X]` as
many questions are without an answer as with `correct: [R]`; where lenient labels call an answer to one of these
correct, it is in n_ac, and in c. Each assessor has a key of his own: what he alone calls right gives the question an
answer under his judgments and nobody else's. His slips thus make NIL wrong where it is right officially: in the
simulated TREC campaign 46 questions are without an answer under the adjudicated judgments, 43 to 45 under those of
single assessors.

A verdict is one of `correct`, `wrong`, `partial`, `unanswered`, `unscored` (answered, but nobody judged the answer)
and `error` (the system broke down). How a question without a response counts, `missing:` says: `unanswered` in raw
runs, unless the campaign says otherwise; in graded responses and logs it was not asked, and is in no count but
n_not_asked. Runs are compared on what all of them were asked ([keys.md](keys.md#what-a-run-was-asked)).
In validation, a pair takes the place of a question. In dating and matching the answers of a run are hypotheses with
confidences, the most confident of which has rank 1, and `correct` is what equals the reference.

## Rightful abstention

Where the data say that a question has no answer, abstaining on it is correct: it is in n_ac, not in n_u, and counts as
right in every measure, comparison and figure, as SQuAD 2.0's own script has it. So say the key of SQuAD 2.0, logs of
LongMemEval and AbstentionBench, the columns `has_answer` and `unanswerable`, a right answer in `gold` that is a word of
`unanswered`, and judgments that call NIL right. Of graded responses, one that was called right on such a question is
right, too, whether it is marked as an abstention or not. What judgments of raw runs call right gives the question an
answer.
n_rightful says how many such abstentions there are. As NIL does, they count as answered in `answered` and
`precision_answered`; measures of confidences leave them out, as other abstentions. A question whose answer nobody knows
is another matter: there, abstaining is unanswered.
OF_UNANSWERABLE are then the measures by default; raw runs have their others after them.

## Policies

What becomes of `partial`, `unscored` and `error` is the campaign's choice, under these names in `config.yaml`:

| policy | what it makes of such a response |
|---|---|
| `wrong` | a wrong answer; this is the default of all three |
| `unanswered` | no answer |
| `exclude` | nothing: the question leaves n and every other count of this run |

How many there are is counted in any case, as n_partial, n_unscored and n_error. In validation a pair whose truth is
unknown is left out whatever the policy.

## Worst and best

A score comes with two bounds: the worst and the best value over every way to take **all** unscored responses of the run
as wrong, as unanswered, as excluded or as correct, and all its failed ones as wrong, as unanswered or as excluded; the
policy itself is one of these ways. The set of questions with a known answer stays the same meanwhile, partly right
answers stay what the policy makes of them, and withheld candidates that nobody judged stay in n_ux. The five counts of
ROMIP 2010 read labels, which an unjudged answer does not have. In the other tasks only the failed ones make a
difference. Where rules on the text of answers decided anything (n_by_rule), all of these ways are tried with the rules
and without them. Without unscored, failed and such responses both bounds are the score.

Nothing between these ways is tried: some of the unscored right, others wrong. For c@1, accuracy and others that rise
with every right answer, no other way to count them gives a score outside the bounds. For measures that set the
self-score of each answer against whether it is right (r, auroc_confidence, aurc, ece@k and the like) one may.

## Undefined values

A quotient with nothing below the line is null (an empty field), never 0; the tables below say when that happens.

## Ties in self-scores

Where a measure needs an order, an explicit position wins over a confidence, and a confidence over a raw score; what has
none comes after what has one, and what is unanswered comes last and is never correct. Of answers with equal
self-scores the order is unknown, so cws is its expectation over all their orders: within a block of m equal ones, k of
them right, the j-th place adds kj/m right answers to those above the block. auc gives equal scores their mean rank.
The order of the lines in a file never changes a score, except where the format makes it the run's own order of
confidence (trec-qa of 2002 and later).

## Parameters

A number after the @ is a parameter: `f@1` is F with β = 1, `e@4` the weighted error with α = 4, `mrr@5` looks at
five ranks. Which numbers a measure takes stands above its formula. They are written without needless zeros (`f@0.5`,
not `f@0.50`), since the id is also the name of a file. Where the tables show a number after the @, it is the default.
`c@1` is a name and takes no other number.

## Names and defaults

Some measures have several names; each stands for the one measure, under whose id the results are. A campaign without
`measures:` has the measures of its task but those marked ○, which are computed where `measures:` names them, and but
those that it could not define, as far as `config.yaml` tells. Logs of harnesses have
OF_LOGS.
[abstention.md](abstention.md) tells which of those marked ○ answers which question.

## Combined measures

`mean(c@1,auc,f@1)` is the mean of the scores by 2 to 8 measures of a task, `product(auc,c@1)` their product: how PAN
ranks. In `measures:` they stand in quotes, since there are commas inside. They have what other measures have: bounds,
intervals, tests by pseudo-values, numbers of questions, gates. A score is undefined where one of its parts is. The
measures must be better in the same direction and on one scale, those of a product never below 0. Tables of counts have
none of them.
"""

NEEDED = """\
Where the data are single responses, these are left out unless something is the case. A format says what its files may
tell, `nil:` that a run may say NIL, `answer_from:` that candidates are withheld, and labels of ROMIP that are named in
`correct:`, `partial:` or `labels:` that judgments have them. A table of counts has the measures that its counts define.
"""

DEGENERATE = """\
## Degenerate systems

Six measures of question answering credit the unanswered questions with an estimate of how many of them would have been
answered rightly (Peñas & Rodrigo 2011, sections 2.2 and 3). Systems of no use show what an estimate is worth: of
{questions} questions they answer one or none, or all of them wrongly. c@1 gives none of them more than {most}.
"""

# What stands above the measures of a task, and below those of question answering.
SYMBOLS = {
    "qa": """\
I(i) and c are 1 for a right answer and 0 otherwise, s is the self-score, R the number of known right answers to a
question, C(r) the number of right answers down to rank r. For `mrr@5`, a right answer below rank 5 does not count. In
`k` and `map` an answer given before at a higher rank counts as neither right nor wrong.
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
PARTLY = """\
A partly right answer is neither right nor wrong here, but one of the questions, whatever the campaign's policy makes of
it elsewhere.
"""
NOTES = {
    "c@1": """\
c@1 assumes that unanswered questions would be right at the rate n_ac / n. Nobody can see whether that is so, unless
runs hand in the candidates that they withheld. In the simulated ResPubliQA campaign 23 runs do: of their judged
candidates 0.161 are right on average, where n_ac / n is 0.317 and the precision of the answers 0.386. Of all estimates
0 is nearest on average (0.161 off, n_ac / n 0.168); of the scores c@1 is, 0.019 above those with the observed rates
(accuracy is 0.034 below). That is how these runs were made, and says nothing about real ones.
For your campaign, see [withheld candidates](reliability.md#withheld-candidates).
""",
    "cws": """\
How much a question counts depends on its place: a right answer in place p adds (1/p + 1/(p+1) + … + 1/n) / n. Of 500
questions the first tenth carries 33 % of what there is to gain, the first half 85 %, the last tenth 0.5 %. Peñas &
Rodrigo (section 5) say that the questions at the top give almost the whole score, which is too much, and that those at
the bottom hardly count, which is so. A judgment that changes near the top moves cws most, and rankings by cws move more
between assessors than those by accuracy (Voorhees, section 3).
""",
    "romip_nil_recall": """\
A run can say that there is no answer in two ways. Voorhees counts the answer NIL alone, Solovyev every question that
got no answer, be it NIL or silence:

| | `nil_precision`, `nil_recall` | `romip_nil_precision`, `romip_nil_recall` |
|---|---|---|
| “there is none” is said by | the answer NIL | NIL, or no answer |
| precision | nil_right / nil_returned | e / (d + e) |
| recall | nil_right / nil_gold | e / (c + e) |
| a run that is silent on the two questions that have none (c = 0, d = 0, e = 2) | null, 0 | 1, 1 |
""",
    "omniscience": PARTLY + "Without such answers it is 100 times uf.",
    "hallucination_rate": PARTLY + "HalluLens means something else by the same words: `wrong_given_attempted`.",
    "penalty@0.75": """\
The runs must have been told the target: “answer only if you are more than t sure, since a mistake costs t/(1-t)”. Runs
that were told nothing, or another t, played another game, and this scores them by rules that they did not know. t = 0
is accuracy, t = 0.5 uf. The source prints a penalty of 2 for t = 0.75; by its own formula it is 3.
""",
    "abstention_precision": "A run abstains where it does not answer, rightly or not, or answers NIL, at rank 1; it"
    " should where no answer is known.",
    "aurc": "Over the answers alone: areas of runs that answer different shares of the questions do not compare.",
    "e_aurc": "Of few answers, the best order has more than the term in brackets: it is the limit for many.",
    "augrc": "It equals (1 - auroc_confidence) p (1 - p) + (1 - p)²/2, where p is the share of right answers.",
    "coverage@0.1": "Answers with equal self-scores come in together or not at all.",
    "ece@10": "Bins ((j-1)/k, j/k], the first one closed. Self-scores within 1e-9 of an edge are on it.",
    "ece_mass@10": "With i answers below it, an answer is in bin ⌊ik/a⌋ + 1 of k; equal self-scores stay in the"
    " lower bin.",
    "accuracy": "Wen et al. 2025 (Know Your Limits) call it abstention accuracy: (N1 + N5) over all, where N1 are right"
    " answers and N5 abstentions where one should abstain.",
    "phi@1": "With k = t/(1-t) it is penalty@t, with k = 1/(m-1) formula_score@m, with k = N the reliability score"
    " RS(N).",
    "decision_f1": "Here a wrong answer to a question that has one is a right decision.",
    "prr": "0 is chance, 1 the best order, and it may fall below -1. LM-Polygraph can also stop at a share of rejected"
    " answers; here all of them are rejected in turn.",
    "rms_calibration@100": "The bins hold b answers each from the least sure one on, the last of them up to 2b - 1."
    " Humanity's Last Exam prints `rms_calibration_hle@100`: its script forms the same bins and leaves out the last"
    " one, of the surest answers.",
    "nll": "Self-scores are clipped to [1e-15, 1 - 1e-15]: a wrong answer with self-score 1 costs 34.5, not infinity.",
    "overconfidence": "It describes, and ranks nothing: nearest to 0 is best, and below 0 the run is too modest.",
}

READING = """\
*From* says what a measure needs: the `counts` alone, sums over the single `questions`, or the responses in the `order`
of their self-scores. ↑ means that higher is better, ↓ lower, · neither: the measure describes a run; ○ is computed only
where `measures:` names it.
"""


def span(measure: Measure) -> str:
    """Its lowest and highest value."""
    low, high = measure.range
    return " to ".join(["−∞" if low is None else f"{low:g}", "∞" if high is None else f"{high:g}"]).replace("-", "−")


def example(measure: Measure) -> str:
    """The id, and where a parameter may follow but need not, one with it."""
    return f"`{measure.id}`" + (f", `{measure.id}@5`" if measure.parameter and measure.default is None else "")


def meaning(measure: Measure) -> str:
    """What it says, its other names, and which numbers may stand after the @."""
    said = [" ".join(measure.description.split())]
    if measure.aliases:
        said.append(f"Also called {' or '.join(f'`{alias}`' for alias in measure.aliases)}.")
    if measure.parameter:
        whole = "whole " * (measure.default is None or isinstance(measure.default, int))
        said.append(f"`{measure.parameter}` is a {whole}number {measure.bounds}.")
    return " ".join(said)


def rows_of(known: list[Measure]) -> list[tuple[str, ...]]:
    """A row for each measure; its cells are those of the table of measures."""
    return [
        (
            example(measure),
            f"$`{measure.formula}`$",
            meaning(measure),
            KINDS[measure.kind],
            span(measure),
            ARROWS[measure.direction] + " ○" * (not measure.by_default),
            measure.undefined,
            measure.source,
        )
        for measure in known
    ]


def markdown_table(rows: list[tuple[str, ...]], headers: list[str]) -> str:
    """A table without padding, so that a changed cell changes one line only; the cells are Markdown already."""
    lines = [headers, ["---"] * len(headers)] + [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def needed() -> list[tuple[str, ...]]:
    """What measures need that some campaigns cannot tell, each with the measures."""
    known = [measure for task in tasks.NAMES for measure in measures.of_task(task).values() if measure.by_default]
    named = {fact: dict.fromkeys(f"`{it.id}`" for it in known if fact in it.needs) for fact in measures.FACTS}
    return [(measures.FACTS[fact], ", ".join(ids)) for fact, ids in named.items()]


def degenerate_systems() -> str:
    """What the measures of question answering make of systems that are of no use."""
    headers = ["measure", "takes P(C \\| not answered) for", *degenerate.SYSTEMS]
    most = max(degenerate.score("c@1", system) or 0 for system in degenerate.SYSTEMS)
    said = DEGENERATE.format(questions=degenerate.QUESTIONS, most=f"{float(most):.3f}")
    return said + "\n" + markdown_table(degenerate.rows(), headers)


def page() -> str:
    """All of docs/measures.md."""
    parts = [INTRODUCTION, NEEDED, markdown_table(needed(), ["only where", "measures"])]
    for task in map(tasks.get, tasks.NAMES):
        known = list(measures.of_task(task.id).values())
        parts += [f"## {task.title}\n", "### Counts\n"]
        parts += [
            markdown_table([(f"`{name}`", count.meaning) for name, count in task.counts.items()], ["count", "meaning"])
        ]
        parts += ["### Measures\n", READING, SYMBOLS[task.id]]
        headers = ["id", "formula", "what it says", "from", "range", "", "null when", "source"]
        parts += [markdown_table(rows_of(known), headers)]
        notes = NOTES.items() if task.id == "qa" else ()
        parts += [f"**`{id}`.** {note.rstrip()}\n" for id, note in notes]
    of_logs, first = (
        wording.joined([f"`{id}`" for id in ids]) for ids in (tasks.get("qa").of_logs, tasks.get("qa").of_unanswerable)
    )
    return "\n".join([*parts, degenerate_systems()]).replace("OF_LOGS", of_logs).replace("OF_UNANSWERABLE", first)


def main(output: Path) -> None:
    write_text(page(), output)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
