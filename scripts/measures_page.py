"""docs/measures.md, written from the registry: what is counted, what is computed, and what it means."""

from pathlib import Path
from typing import Annotated

import typer

TITLES = {"qa": "Question answering", "validation": "Answer validation"}

KINDS = {"counts": "counts", "sums": "questions", "ordering": "order"}

COUNTS = {
    "qa": {
        "n": "questions of the campaign; with the policy `exclude`, those that are left",
        "n_ac": "answered correctly",
        "n_aw": "answered wrongly",
        "n_u": "not answered; n_ac + n_aw + n_u = n",
        "n_ur": "not answered, and the candidate that the system withheld is right",
        "n_uw": "not answered, and the withheld candidate is wrong or partly right",
        "n_ue": "not answered, and no candidate was handed in",
        "n_ux": "not answered, and nobody judged the withheld candidate; n_ur + n_uw + n_ue + n_ux = n_u",
        "n_partial": "answered partly right, whatever the policy makes of it; likewise the next two",
        "n_unscored": "answered, but nobody judged the answer",
        "n_error": "the system broke down",
        "n_missing": "not mentioned by the run, and therefore not answered",
        "nil_returned": "answered with NIL, “there is no answer in the collection”",
        "nil_right": "answered with NIL where no answer is known",
        "nil_gold": "no answer is known",
        "a": "an answer is known, and a right one was given, at whatever rank (a to e: Solovyev, table 1)",
        "b": "an answer is known, and only wrong ones were given",
        "c": "no answer is known, and some were given",
        "d": "an answer is known, and none was given; NIL counts as none",
        "e": "no answer is known, and none was given",
        "q_answered": "some answer was given",
        "q_good": "some answer has the label `good`",
        "q_good_any": "some answer has the label `good`, `long` or `partial`",
        "q_long_good": "some long answer, a fragment of text, has the label `good`",
        "q_long_good_partial": "some long answer has the label `good` or `partial`",
    },
    "validation": {
        "n": "pairs of a question and an answer whose truth is known; with the policy `exclude`, those that are left",
        "tp": "right and accepted",
        "fp": "wrong and accepted (an error of the first kind)",
        "fn": "right and rejected (an error of the second kind)",
        "tn": "wrong and rejected",
        "u_p": "right and left open; PAN: a score of exactly 0.5, or none",
        "u_n": "wrong and left open; tp + fp + fn + tn + u_p + u_n = n",
        "n_unscored": "pairs whose truth is unknown; they belong to none of the six",
        "n_error": "pairs on which the system broke down",
        "n_missing": "pairs that the run does not mention; they are left open",
        "n_questions": "questions that have a pair among the n",
        "q_selected_right": "questions for which the answer that the run selected is right",
        "q_rejected_right": "questions all of whose answers were rejected, and all are wrong",
    },
}

INTRODUCTION = """\
# Measures

*Written by `python scripts/measures_page.py --output docs/measures.md` from the measures in
`scripts/nonresponse/measures`; do not edit it here.*

A **run** is what one system handed in; an **assessor** is whoever judged it: a person, a committee, a program.
Everything below is computed for each assessor and run. Of several answers to a question, the **verdict** and the
self-score are those of rank 1; mrr, map, k and the counts a to e look at all ranks. A question **has a known answer**
if the campaign's question file says so, or if an answer to it was judged right, whichever run gave it.

A verdict is one of `correct`, `wrong`, `partial`, `unanswered`, `unscored` (answered, but nobody judged the answer)
and `error` (the system broke down). A question that a run does not mention is `unanswered`; it is never left out of n.
In validation, a pair takes the place of a question.

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
ROMIP 2010 read labels, which an unjudged answer does not have. In validation only the failed ones make a difference.
Without unscored and failed responses both bounds are the score.

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
five ranks. Any positive number will do (for mrr a whole one), written without needless zeros (`f@0.5`, not `f@0.50`),
since the id is also the name of a file. Where the tables show a number after the @, it is the default. `c@1` is a name
and takes no other number.
"""

READING = """\
*From* says what a measure needs: `counts` can be had from a published table of counts, `questions` are sums over the
single questions, `order` takes the responses in the order of their self-scores. ↑ means that higher is better, ↓ lower.
"""


SYMBOLS = {
    "qa": """\
I(i) and c are 1 for a right answer and 0 otherwise, s is the self-score, R the number of known right answers to a
question, C(r) the number of right answers down to rank r. For `mrr@5`, a right answer below rank 5 is none. In `k` and
`map` an answer given before at a higher rank counts as neither right nor wrong.
""",
    "validation": """\
N is n, the number of pairs, P the number of right ones, v the raw score of a pair, y 1 for a right pair and 0 for a
wrong one.
""",
}


def span(measure) -> str:
    low, high = measure.range
    return " to ".join(["−∞" if low is None else f"{low:g}", "∞" if high is None else f"{high:g}"]).replace("-", "−")


def example(measure) -> str:
    """The id, and where a parameter may follow but need not, one with it."""
    return f"`{measure.id}`" + (f", `{measure.id}@5`" if measure.parameter and measure.default is None else "")


def rows_of(measures: list) -> list[tuple]:
    return [
        (
            example(measure),
            " ".join(measure.description.split()),
            KINDS[measure.kind],
            span(measure),
            "↑" if measure.higher_is_better else "↓",
            measure.undefined,
            measure.source,
        )
        for measure in measures
    ]


def table(rows: list[tuple], headers: list[str]) -> str:
    """A table without padding, so that a changed cell changes one line only."""
    lines = [headers, ["---"] * len(headers)] + [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def page() -> str:
    from nonresponse import counts, measures

    parts = [INTRODUCTION]
    for task, title in TITLES.items():
        known = list(measures.of(task).values())
        parts += [f"## {title}\n", "### Counts\n"]
        parts += [table([(f"`{name}`", COUNTS[task][name]) for name in counts.OF_TASK[task]], ["count", "meaning"])]
        parts += ["### Measures\n", READING]
        parts += [table(rows_of(known), ["id", "what it says", "from", "range", "", "null when", "source"])]
        parts += ["### Formulas\n", SYMBOLS[task]]
        parts += [f"`{measure.id}`\n\n```math\n{measure.formula}\n```\n" for measure in known]
    return "\n".join(parts)


def main(output: Annotated[Path, typer.Option(help="the page to write")]) -> None:
    from nonresponse.tables import write_text

    write_text(page(), output)


if __name__ == "__main__":
    typer.run(main)
