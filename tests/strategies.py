"""What hypothesis draws: counts of a run that fit together, by task."""

from hypothesis import strategies as st

SMALL = st.integers(0, 40)


@st.composite
def qa_counts(draw) -> dict[str, int]:
    """All counts of one run that answers questions."""
    n_ac, n_aw, n_u = draw(SMALL), draw(SMALL), draw(SMALL)
    n_ur = draw(st.integers(0, n_u))
    nil_right = draw(st.integers(0, n_ac))
    a, b, c, d, e = (draw(SMALL) for _ in range(5))
    good = draw(st.integers(0, a + b + c))
    return {
        **{"n": n_ac + n_aw + n_u, "n_ac": n_ac, "n_aw": n_aw, "n_u": n_u, "n_ur": n_ur},
        **{"nil_right": nil_right, "nil_returned": nil_right + draw(SMALL), "nil_gold": nil_right + draw(SMALL)},
        **{
            "a": a,
            "b": b,
            "c": c,
            "d": d,
            "e": e,
            "q_answered": a + b + c,
            "q_good": good,
            "q_good_any": draw(st.integers(good, a + b + c)),
        },
        **{"q_long_good": draw(st.integers(0, good)), "q_long_good_partial": draw(st.integers(0, a + b + c))},
    }


@st.composite
def validation_counts(draw) -> dict[str, int]:
    """All counts of one run that validates answers."""
    cells = {name: draw(SMALL) for name in ("tp", "fp", "fn", "tn", "u_p", "u_n")}
    n_questions = draw(SMALL)
    selected = draw(st.integers(0, n_questions))
    rejected = draw(st.integers(0, n_questions - selected))
    return cells | {
        "n": sum(cells.values()),
        "n_questions": n_questions,
        "q_selected_right": selected,
        "q_rejected_right": rejected,
    }


@st.composite
def hypotheses_counts(draw) -> dict[str, int]:
    """All counts of one run that gives weighted hypotheses; what failed counts as wrong."""
    n_ac, n_aw, n_u = draw(SMALL), draw(SMALL), draw(SMALL)
    n_error, n_missing = draw(st.integers(0, n_aw)), draw(st.integers(0, n_u))
    return {
        **{"n": n_ac + n_aw + n_u, "n_ac": n_ac, "n_aw": n_aw, "n_u": n_u},
        **{"n_error": n_error, "n_missing": n_missing},
    }


COUNTS = {
    "qa": qa_counts(),
    "validation": validation_counts(),
    "dating": hypotheses_counts(),
    "matching": hypotheses_counts(),
}
