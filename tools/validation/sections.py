"""The sections of docs/validation.md, in their order."""

from validation import clusters, comparison, gates, judges, limits, plans, ranks, scores, statements

SECTIONS = [
    *(comparison.SECTION, limits.SECTION, scores.SECTION, ranks.SECTION),
    clusters.SECTION,
    *(
        gates.SECTION,
        gates.LIMITS,
        statements.NEEDED,
        statements.POWER,
        plans.SECTION,
        statements.RISK,
    ),
    *(judges.CORRECTED, judges.PAIRS_SECTION, judges.LABELS),
]
INTRO = """# Validation

What [Reliability](reliability.md), [Check a judge](judges.md) and [Gate a build](gates.md) state, in worlds whose truth
is known, as `make validation` simulates them. Levels are nominally .05, coverage .95. A star marks a level beyond .07,
coverage outside .93 to .97, and power below .75. In 300 campaigns, coverage of .95 has a Monte Carlo error of .013.

Each section has the worst row for each reason. The most frequent one is the half question that is
[added to intervals](statistics.md#scores). It weighs most where questions are few, or nearly all answers correct.
"""
