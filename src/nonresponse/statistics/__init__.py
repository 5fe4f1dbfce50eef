"""How far a result can be trusted: stability, swaps, sample size, assessors, rankings,
significance.

analyses.py has a record per analysis, report/sections what the page shows of it. All computations
start from outcomes.py, which holds the outcome of every question for every run as matrices of
counts: one product with a subset or a bootstrap sample of the questions gives the scores on it.
"""

# Trials of the bootstrap and of the randomisation tests that share a stream of random numbers
PER_STREAM = 250
# Questions added to each cell of outcomes (right, wrong, …), or at either end of a measure's range
PRIOR = 0.5
TARGET_POWER = 0.8  # power
PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"  # of gates
# Counts whose share of the questions a gate may bound
SHARES = ("n_unscored", "n_error", "n_not_asked")
# Curves of error rates are fitted to larger sizes; smaller ones are noise (Voorhees 2003)
SMALLEST_SIZE = 20
