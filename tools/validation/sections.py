"""The sections of docs/validation.md, in their order."""

from validation import comparison, gates, judges, plans, ranks, scores, shrunken, statements

SECTIONS = [
    *(comparison.SECTION, scores.SECTION, ranks.SECTION, shrunken.SECTION, shrunken.FIRST),
    *(gates.SECTION, statements.NEEDED, statements.POWER, plans.SECTION, statements.RISK),
    *(judges.CORRECTED, judges.PAIRS_SECTION, judges.LABELS),
]
INTRO = """# Validation

What [reliability.md](reliability.md), [judges.md](judges.md) and [gates.md](gates.md) state, in worlds whose truth is
known. Written by `make validation`. Levels are nominally .05, coverage .95. A star marks a level beyond .07, coverage
outside .93 to .97, and power below .75; the last column says why. A share s of N campaigns has a Monte Carlo error of
√(s(1 − s)/N): .013 for coverage of .95 in 300. The lowest or highest of several worlds lies beyond it by chance alone.
"""
