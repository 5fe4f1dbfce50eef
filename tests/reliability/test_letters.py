"""Letters say exactly which runs do not differ significantly."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse.reliability.comparison import groups, letter
from nonresponse.wording import letters


@st.composite
def comparisons(draw):
    runs = draw(st.integers(0, 9))
    score = draw(st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.4, np.nan]), min_size=runs, max_size=runs))
    apart = draw(st.lists(st.booleans(), min_size=runs * (runs - 1) // 2, max_size=runs * (runs - 1) // 2))
    pairs = combinations(range(runs), 2)
    known = [differ and not np.isnan(score[x] + score[y]) for differ, (x, y) in zip(apart, pairs, strict=True)]
    return np.array(score), np.array(known, bool)


@settings(max_examples=50)
@given(comparisons(), st.booleans())
def test_two_runs_share_a_letter_exactly_when_they_cannot_be_told_apart(made, higher):
    score, apart = made
    found = groups(score, apart, higher)
    for differ, (x, y) in zip(apart, combinations(range(len(score)), 2), strict=True):
        if not np.isnan(score[x] + score[y]):
            assert bool(set(found[x]) & set(found[y])) == (not differ)
    assert [bool(text) for text in found] == np.isfinite(score).tolist()


def test_groups_are_stretches_where_the_gap_decides():
    score = np.array([0.9, 0.8, 0.7, 0.2, 0.1])
    apart = np.array([abs(score[x] - score[y]) > 0.15 for x, y in combinations(range(5), 2)])
    assert groups(score, apart, True) == ["a", "ab", "b", "c", "c"]
    assert groups(-score, apart, False) == ["a", "ab", "b", "c", "c"]


def test_letters_after_z():
    assert [letter(0), letter(25), letter(26), letter(52)] == ["a", "z", "a'", "a''"]


def test_of_more_than_three_letters_each_stretch_of_three_is_told_by_its_ends():
    told = {None: "", "": "", "abc": "abc", "abcd": "a–d", "abce": "a–c e", "abde": "a b d e", "yza'b'": "y–b'"}
    told |= {"aa'a''b''c''": "a a' a''–c''"}
    assert {text: letters(text) for text in told} == told
