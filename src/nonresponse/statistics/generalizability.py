"""How much a score depends on questions and on assessors (Brennan 2001, two random effects).

Another sample of questions would give another score, and so would another assessor. The
pseudo-values of each question under each assessor give the variance between questions, between
assessors, and of their interaction.
"""

import numpy as np
import polars as pl

from nonresponse import measures, tables, tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.settings import Settings
from nonresponse.statistics.agreement import choose_members
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.outcomes import read_clusters, select_samples
from nonresponse.statistics.pseudo_values import pseudo_values

GENERALIZABILITY = {
    "measure": pl.String,
    "runs": pl.Int64,  # whose pseudo-values are known under every assessor
    "assessors": pl.Int64,
    "questions": pl.Int64,  # or clusters of them
    # Components of variance of a pseudo-value, means over the runs, 0 at least
    "of_questions": pl.Float64,
    "of_assessors": pl.Float64,
    "of_both": pl.Float64,  # the interaction of assessors and questions
    "error": pl.Float64,  # the standard error of a score by one assessor
    "twice_assessors": pl.Float64,  # of the mean score by two assessors
    "twice_questions": pl.Float64,  # of a score by one assessor, on twice as many questions
}


def estimate_components(psi: np.ndarray) -> tuple[float, float, float]:
    """Return the variance components of questions, assessors and both, from psi in that shape."""
    assessors, questions = psi.shape
    assessor_means, question_means = psi.mean(axis=1), psi.mean(axis=0)
    interaction = psi - assessor_means[:, None] - question_means + psi.mean()
    variance = (interaction**2).sum() / ((assessors - 1) * (questions - 1))
    question_variance = question_means.var(ddof=1) - variance / assessors
    assessor_variance = assessor_means.var(ddof=1) - variance / questions
    return question_variance, assessor_variance, variance


def summarise(inputs: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return GENERALIZABILITY, a row per measure; none with fewer than two assessors.

    The official assessor, often made from the others, stays out where two others remain.
    """
    store = read_verdicts(inputs.verdicts[0])
    members = choose_members(store.assessors, store.official(settings.get("official")))
    if len(members) < 2:
        return [tables.make_empty(GENERALIZABILITY)]
    rows, clusters = [], read_clusters(inputs.clusters)
    samples = [select_samples(store, name, tasks.get(task).trivial) for name in members]
    for id in settings["measures"]:
        measure = measures.get(task, id)
        outcomes = [sample.outcomes(measure, settings["policy"], clusters) for sample in samples]
        runs = [run for run in outcomes[0].runs if all(run in member.runs for member in outcomes)]
        rows_of_runs = [
            pseudo_values(member)[[member.runs.index(run) for run in runs]] for member in outcomes
        ]
        psi = np.stack(rows_of_runs, axis=1)
        psi = psi[np.isfinite(psi).all(axis=(1, 2))]
        questions = psi.shape[2]
        if len(psi) and questions > 1:
            mean = np.maximum(np.mean([estimate_components(values) for values in psi], axis=0), 0)
            sizes = np.array([(questions, 1), (questions, 2), (2 * questions, 1)])
            divisors = np.column_stack([sizes, sizes.prod(axis=1)])
            errors = [float(np.sqrt(mean @ (1 / row))) for row in divisors]
            rows.append((id, len(psi), len(members), questions, *mean, *errors))
    return [pl.DataFrame(rows, GENERALIZABILITY, orient="row")]
