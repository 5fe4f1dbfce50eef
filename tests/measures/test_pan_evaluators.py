"""What PAN's own evaluators of 2024 and later give, beside `open: rejected`.

They are no part of this project: PAN_CODE names a copy of the repository pan-webis-de/pan-code.
"""

import ast
import os
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import sklearn.metrics
from pipeline import Campaign

OURS = {"roc-auc": "auc", "brier": "brier", "c@1": "c@1", "f1": "f_2024@1", "f05u": "fu@0.5"}
ROUNDED = 5e-4 + 1e-9  # they give three digits
CODE = Path(os.environ.get("PAN_CODE", "pan-code"))
FOUND = sorted(CODE.glob("clef2[4-9]/generative-authorship-verification/**/evaluator.py"))
EVALUATORS = {path.relative_to(CODE).parts[0]: path for path in FOUND}


def evaluator(path: Path) -> Callable[[np.ndarray, np.ndarray], dict]:
    """`evaluate_all` of an evaluator, without its command line, which imports what is not
    needed."""
    tree = ast.parse(path.read_text())
    tree.body = [
        part for part in tree.body if isinstance(part, ast.FunctionDef) and not part.decorator_list
    ]
    names = {"np": np, **{name: getattr(sklearn.metrics, name) for name in dir(sklearn.metrics)}}
    exec(compile(tree, path, "exec"), names)
    return names["evaluate_all"]


@pytest.mark.skipif(not EVALUATORS, reason="no evaluators of PAN (set PAN_CODE)")
@pytest.mark.parametrize("year", EVALUATORS)
@pytest.mark.parametrize("left_open", [0, 0.3])
def test_measures_as_the_evaluators_of_pan(tmp_path, year, left_open):
    draw = random.Random(f"{year}{left_open}")
    truth = {f"p{n:03}": draw.random() < 0.6 for n in range(150)}
    runs = {}
    for run, spread in (("sharp", 0.15), ("blunt", 0.6)):
        near = {
            pair: min(max(draw.gauss(0.65 if right else 0.35, spread), 0), 1)
            for pair, right in truth.items()
        }
        runs[run] = {
            pair: 0.5 if draw.random() < left_open else round(value, 4)
            for pair, value in near.items()
        }
    campaign = Campaign(tmp_path, "validation").judged(
        {
            run: [{"question": pair, "score": value} for pair, value in of.items()]
            for run, of in runs.items()
        },
        {
            "gold": [
                {"question": pair, "label": "YES" if right else "NO"}
                for pair, right in truth.items()
            ]
        },
        options={"threshold": 0.5},
    )
    for run, of in runs.items():
        expected = evaluator(EVALUATORS[year])(
            np.array([*truth.values()], float), np.array([*of.values()], float)
        )
        ours = {theirs: campaign.score(id, run) for theirs, id in OURS.items()}
        ours["mean"] = campaign.score(f"mean({','.join(OURS.values())})", run)
        assert ours == pytest.approx({name: expected[name] for name in ours}, abs=ROUNDED)
