"""Our side: what the workflow's jobs call, in one process."""

import json
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS.parents[1] / "src")]

from samples import LEVEL

SEED, CAMPAIGN = 1, "peers"


def scores(folder: Path):
    """From raw runs and judgments to tables, which is reading; from these to accuracy and c@1 of
    every run.

    Judging is in the call, as it is in those of the peers, which set documents beside judgments.
    """
    from nonresponse import measures, tables, tasks
    from nonresponse.ingest import reading
    from nonresponse.judging import judge
    from nonresponse.scoring.score import evaluate_counts
    from nonresponse.scoring.tally import tally

    names = ("responses", "judgments", "questions")
    sources = {name: [folder / f"{name}.parquet"] for name in names}

    def load():
        options = {"format": "tabular"}
        runs, judgment_files = (
            sorted(map(str, folder.glob(f"{name}/*.tsv"))) for name in ("runs", "judgments")
        )
        responses, *_ = reading.read_responses(runs, options, "qa")
        judgments, *_ = reading.read_judgments(judgment_files, options, ["R", "W"], "qa")
        for name, table in zip(
            names, (responses, judgments, reading.list_judged_questions(judgments)), strict=True
        ):
            tables.write(table, *sources[name])

    def compute(_):
        judge("qa", sources, folder / "verdicts.npz")
        total, _, _ = tally(folder / "verdicts.npz", tasks.POLICIES)
        total = total.sort("run")
        columns = [
            evaluate_counts(measures.get("qa", id), total)["value"] for id in ("accuracy", "c@1")
        ]
        return [value for pair in zip(*columns, strict=True) for value in pair]

    return load, compute


def outcomes(folder: Path, measure: str):
    """What reads the outcomes of one measure."""
    from nonresponse import measures
    from nonresponse.statistics.outcomes import Outcomes

    def load():
        import numpy as np

        right, unanswered = (
            np.load(folder / f"{name}.npy").astype(np.float32) for name in ("right", "unanswered")
        )
        runs, n = right.shape
        matrices = {"n_ac": right, "n_u": unanswered, "n": np.ones((1, n), np.float32)}
        names = list(map(str, range(runs))), list(map(str, range(n)))
        return Outcomes(measures.get("qa", measure), *names, matrices)

    return load


def bootstrap(folder: Path, measure: str):
    """The ends of the percentile intervals of all differences."""
    import numpy as np
    from nonresponse.statistics import intervals as ours

    samples = sizes(folder)["samples"]

    def compute(run_outcomes):
        draws = ours.score_samples(run_outcomes, SEED, CAMPAIGN, samples)
        x, y = np.triu_indices(len(draws), 1)
        return np.quantile(draws[x] - draws[y], [LEVEL / 2, 1 - LEVEL / 2], axis=1).T.ravel()

    return outcomes(folder, measure), compute


def bootstrap_c_at_1(folder: Path):
    return bootstrap(folder, "c@1")


def bootstrap_accuracy(folder: Path):
    return bootstrap(folder, "accuracy")


def sizes(folder: Path) -> dict:
    return json.loads((folder / "sizes.json").read_text())
