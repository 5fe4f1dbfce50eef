"""Peers that score runs: accuracy and c@1 of each run, one after the other.

None has c@1. What they do have gives it: c@1 = accuracy · (1 + unanswered / n). To an evaluator of
retrieval a question is a topic, and the answer the one document that is retrieved; accuracy is the
precision at 1.
"""

import json
from pathlib import Path


def score(accuracy: float, number: float, n: int) -> tuple[float, float]:
    """Accuracy and c@1 of a run that answered so many of n questions."""
    return accuracy, accuracy * (1 + (n - number) / n)


def trec_files(folder: Path) -> list[Path]:
    return sorted((folder / "trec").glob("*.run"))


def flat(pairs) -> list[float]:
    return [value for pair in pairs for value in pair]


def ir_measures(folder: Path):
    import ir_measures as im

    qrels = list(im.read_trec_qrels(str(folder / "trec/qrels")))
    precision, retrieved = im.P @ 1, im.NumRet
    evaluator, n = (
        im.evaluator([precision, retrieved], qrels),
        len({qrel.query_id for qrel in qrels}),
    )

    def score_run(run):
        result = evaluator.calc_aggregate(run)
        return score(result[precision], result[retrieved], n)

    def load():
        return [list(im.read_trec_run(str(file))) for file in trec_files(folder)]

    return load, lambda runs: flat(map(score_run, runs))


def pytrec_eval(folder: Path):
    import pytrec_eval as pe

    with (folder / "trec/qrels").open() as file:
        qrels = pe.parse_qrel(file)
    evaluator, n = pe.RelevanceEvaluator(qrels, {"P.1", "num_ret"}), len(qrels)

    def score_run(run):
        result = evaluator.evaluate(run).values()  # of the questions that the run answered
        return score(
            sum(row["P_1"] for row in result) / n, sum(row["num_ret"] for row in result), n
        )

    def load():
        runs = []
        for path in trec_files(folder):
            with path.open() as file:
                runs.append(pe.parse_run(file))
        return runs

    return load, lambda runs: flat(map(score_run, runs))


def ranx(folder: Path):
    from ranx import Qrels, Run, evaluate

    qrels = Qrels.from_file(str(folder / "trec/qrels"), kind="trec")
    n = len(qrels.keys())

    def score_run(run):
        number = len(run.keys())
        return score(evaluate(qrels, run, "precision@1", make_comparable=True), number, n)

    def load():
        return [Run.from_file(str(file), kind="trec") for file in trec_files(folder)]

    return load, lambda runs: flat(map(score_run, runs))


def trectools(folder: Path):
    from trectools import TrecEval, TrecQrel, TrecRun

    qrels = TrecQrel(str(folder / "trec/qrels"))
    n = qrels.qrels_data["query"].nunique()

    def score_run(run):
        evaluation = TrecEval(run, qrels)
        number = evaluation.get_retrieved_documents()
        # Its precision is the mean over the questions that the run answered.
        return score(evaluation.get_precision(depth=1) * number / n, number, n)

    def load():
        return [TrecRun(str(file)) for file in trec_files(folder)]

    return load, lambda runs: flat(map(score_run, runs))


def pyevall(folder: Path):
    from pyevall.evaluation import PyEvALLEvaluation

    gold, metrics = str(folder / "json/gold.json"), ["Accuracy", "SystemPrecision"]
    n = len(json.loads(Path(gold).read_text()))

    def score_run(file):
        report = (
            PyEvALLEvaluation()
            .evaluate(file, gold, metrics, report="embedded", log_level="none")
            .report
        )
        accuracy, precision = (
            report["metrics"][name]["results"]["average_per_test_case"] for name in metrics
        )
        return score(accuracy, n * accuracy / precision, n)

    def load():  # it takes files, and reads them while it evaluates
        return sorted(map(str, (folder / "json").glob("*.run.json")))

    return load, lambda files: flat(map(score_run, files))
