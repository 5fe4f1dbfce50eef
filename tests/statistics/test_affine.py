"""A measure that is an affine map of another one has the tables that it would have by itself."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.campaign import derive_settings
from nonresponse.campaign.models import Reliability
from nonresponse.campaign.validation import add_defaults
from nonresponse.measures import Affine
from nonresponse.statistics import affine, analyses
from nonresponse.statistics.analyses import ANALYSES
from polars.testing import assert_frame_equal

DEFAULTS = add_defaults(Reliability, {"seed": 3, "trials": 6, "samples": 4000})
SETTINGS = derive_settings(DEFAULTS) | {"swap_trials": 20, "flips": 99, "size_trials": 3}
SETTINGS |= {"fuzziness": [0.01, 0.1], "bins": 9, "width": 0.05, "sizes": 12}
# Each with a measure that it follows from, by a factor and a shift of each kind
PAIRS = [("phi@1", "uf"), ("omniscience", "uf"), ("uf", "uf_half")]  # 1, 0; 1, 0; 2, -1
PAIRS += [("wrong_given_attempted", "precision_answered")]  # -1, 1
PAIRS += [("chance_corrected@4", "accuracy")]  # 4/3, -1/3
# And others, by 1 and 0, or by -1 and 1
MORE_PAIRS = [("formula_score@5", "penalty@0.2"), ("hallucination_rate", "non_hallucination_rate")]


def between(id: str, base_id: str) -> Affine | None:
    return Affine.between(measures.get("qa", id), measures.get("qa", base_id))


def test_what_does_not_follow():
    assert not between("accuracy", "c@1") and not between("phi@2", "phi@3")
    assert not between("uf", "omniscience")  # which has partial answers apart


def test_the_first_measure_leads():
    ids = ["omniscience", "uf", "phi@1", "accuracy", "penalty@0.5"]
    led = {id: measures.find_leader("qa", id, ids) for id in ids}
    assert led == {"omniscience": "uf", "phi@1": "uf", "penalty@0.5": "uf"} | dict.fromkeys(
        ["uf", "accuracy"]
    )


TRIALS = [id for id in ANALYSES if ANALYSES[id].trials]


@pytest.mark.parametrize(
    ("pair", "analysis"), [*product(PAIRS, TRIALS), *product(MORE_PAIRS, ["comparison"])]
)
def test_tables_are_those_of_the_measure_itself(pair, analysis):
    if not affine.follows(analysis, between(*pair)):
        return
    names, tables, relation = ANALYSES[analysis].trials.tables, [], between(*pair)
    for id in pair:
        outcomes, _ = campaign(measures.get("qa", id), 5, runs=7, questions=60)
        for name in outcomes.measure.follows_without:
            outcomes.matrices[name] = outcomes.matrices[name] * 0
        tables.append(analyses.make_tables(analysis, outcomes, "official", "c", SETTINGS))
    for name, base, expected in zip(names, tables[1], tables[0], strict=True):
        table = affine.map_table(name, base, relation)
        if relation.factor < 0 and "remark" in table.columns:  # true scores are drawn from below
            table, expected = (frame.select("difference", "n") for frame in (table, expected))
        # Draws of shares differ where the two count other states
        loose = {"abs_tol": 0.02, "rel_tol": 0.03} if "method" in table.columns else {}
        assert_frame_equal(table, expected, **{"abs_tol": 1e-9, "rel_tol": 1e-9} | loose)


def test_partial_answers_are_analysed_apart(tmp_path: Path):
    outcomes, _ = campaign(measures.get("qa", "omniscience"), 5, runs=4, questions=40)
    tables = analyses.make_tables("stability", outcomes, "official", "c", SETTINGS)
    (tmp_path / "uf").mkdir()
    tables[0].write_parquet(tmp_path / "uf/stability.parquet")
    arguments = [tmp_path / "uf"], "stability", ("stability",), outcomes.measure, outcomes.matrices
    partial = bool(outcomes.matrices["n_aw_partial"].any())
    assert bool(affine.derive_tables(*arguments)) != partial
    outcomes.matrices["n_aw_partial"] = np.eye(4, 40) * (not partial)
    assert bool(affine.derive_tables(*arguments)) == partial
