"""Campaigns drawn from an item-response model, written in the formats that real campaigns use.

Nothing here was answered by a system or judged by a person; docs/simulation.md says what that
means.

Every run r has a skill, every question q a difficulty and a discrimination, and the runs of one
group g share an affinity for each question. The margin of a response is

    m_rq = a_q (skill_r + affinity_gq - b_q) + e_rq,    e_rq logistic,

and the run finds the correct answer where m_rq > cut_r, with cut_r = 0 unless a published count is to
be met: a two-parameter item-response model with group effects. What a run believes of its answer is
the margin seen through noise, s_rq = m_rq + blur_r z_rq; it withholds what it believes least, and
orders by it. Which right or wrong answer is given follows popularity: the k-th of a list has a
chance in proportion to 1/k^p.

model.py       skills, questions, margins, beliefs, popularity
respubliqa.py  a campaign as ResPubliQA 2009: answered or withheld, judged per run
trec.py        a campaign as TREC 2002: one response per question, ordered by confidence
assessors.py   three assessors of the pooled pairs of `trec`, and the set adjudicated from them
hypotheses.py  weighted hypotheses, drawn and written: what both campaigns of DEFT 2011 share
dating.py      a campaign as the first task of DEFT 2011: the year of a fragment
matching.py    a campaign as the second: the article of an abstract
words.py       invented answers and document ids
shipped.py     the four campaigns that ship with the project
evaluated.py   one of them, drawn from any seed and evaluated
seeds.py       figures of many such draws, on which claims of the papers are tried
campaign.py    a campaign of any size in `format: tabular`, for benchmarks
"""
