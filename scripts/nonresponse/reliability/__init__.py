"""How far a result can be trusted: stability, swaps, sample size, assessors, rankings, significance.

Everything starts from outcomes.py, which holds what every run made of every question as matrices of counts; a
subset of the questions, or a bootstrap sample of them, is then one matrix product away from its scores.
"""
