"""How far a result can be trusted: stability, swaps, sample size, assessors, rankings, significance.

analyses.py has a record per analysis, pages/sections what the page shows of it. All computations start from
outcomes.py, which holds the outcome of every question for every run as matrices of counts: one product with a subset or
a bootstrap sample of the questions gives the scores on it.
"""

PER_STREAM = 250  # trials of the bootstrap and of the randomisation tests that share a stream of random numbers
PRIOR = 0.5  # questions added to each cell of outcomes (right, wrong, …), or at either end of a measure's range
WANTED = 0.8  # power
PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"  # of gates
SMALLEST_SIZE = 20  # curves of error rates are fitted to larger sizes; smaller ones are noise (Voorhees 2003)
