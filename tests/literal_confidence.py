"""Measures of confidence in plain loops, as docs/measures.md words them; None = undefined."""

import math
from fractions import Fraction


def answers(rows: list[dict], levels: list) -> list[list[bool]]:
    """Whether each answer is right: the blocks of equals, the surest first."""
    ranked = [(level, row["verdict"] == "correct") for row, level in zip(rows, levels, strict=True)]
    blocks = {}
    for level, right in sorted(ranked, key=lambda pair: pair[0], reverse=True):
        if level[0]:  # what is unanswered has 0
            blocks.setdefault(level, []).append(right)
    return list(blocks.values())


def expected_right(blocks: list) -> list[Fraction]:
    """C(k), k = 0, 1, …: the mean number of correct answers among the k surest."""
    curve = [Fraction(0)]
    for block in blocks:
        curve += [
            curve[-1] + Fraction(sum(block) * j, len(block)) for j in range(1, len(block) + 1)
        ]
    return curve


def aurc(blocks, n, _=None):
    c = expected_right(blocks)
    return sum((k - c[k]) / k for k in range(1, len(c))) / (len(c) - 1)


def e_aurc(blocks, n, _=None):
    flat = [right for block in blocks for right in block]
    e = 1 - sum(flat) / len(flat)
    return float(aurc(blocks, n)) - (e + ((1 - e) * math.log(1 - e) if e < 1 else 0))


def augrc(blocks, n, _=None):
    """Trapezoids between the points of the curve, one point to a block, from (0, 0)."""
    total = sum(map(len, blocks))
    x = y = area = Fraction(0)
    for block in blocks:
        next_x, next_y = x + Fraction(len(block), total), y + Fraction(block.count(False), total)
        area += (next_x - x) * (y + next_y) / 2
        x, y = next_x, next_y
    return area


def auroc_confidence(blocks, n, _=None):
    ranked = [(-place, is_right) for place, block in enumerate(blocks) for is_right in block]
    right, wrong = ([x for x, is_right in ranked if is_right is kind] for kind in (True, False))
    won = [(x > y) + Fraction(x == y, 2) for x in right for y in wrong]
    return sum(won) / len(won) if won else None


def prr(blocks, n, _=None):
    c = expected_right(blocks)
    a, right = len(c) - 1, int(c[-1])
    best, chance = [min(k, right) for k in range(a + 1)], [k * c[-1] / a for k in range(a + 1)]
    area, best_area, worst_area = (
        sum(Fraction(curve[k]) / k for k in range(1, a + 1)) for curve in (c, best, chance)
    )
    return (area - worst_area) / (best_area - worst_area) if 0 < right < a else None


def coverage(blocks, n, r):
    best = count = wrong = 0
    for block in blocks:
        count, wrong = count + len(block), wrong + block.count(False)
        if Fraction(wrong, count) <= Fraction(str(r)):
            best = count
    return Fraction(best, n)


def risk(blocks, n, cov):
    k, c = math.ceil(Fraction(str(cov)) * n), expected_right(blocks)
    return 1 - c[k] / k if k < len(c) else None


def ece(scored, k):
    """Bins ((j-1)/k, j/k], the first one with 0."""
    bins = {}
    for s, right in scored:
        j = next(j for j in range(1, k + 1) if s * k <= j + 1e-9)
        bins.setdefault(j, []).append(right - s)
    return sum(abs(sum(gaps)) for gaps in bins.values()) / len(scored)


def ece_mass(scored, k):
    """The bin of the first of equals, by the number of answers below it."""
    bins = {}
    for s, right in scored:
        lower = sum(level < s for level, _ in scored)
        bins.setdefault(lower * k // len(scored), []).append(right - s)
    return sum(abs(sum(gaps)) for gaps in bins.values()) / len(scored)


def squares(scored, b):
    """Of bins of b answers, the least sure first: share times squared gap. Ties share."""
    ties = {s: [right for level, right in scored if level == s] for s, _ in scored}
    rows = sorted((s, Fraction(sum(ties[s]), len(ties[s]))) for s, _ in scored)
    ends = [b * j for j in range(1, max(len(rows) // b, 1))] + [len(rows)]
    bins = [rows[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return [
        len(bin) / len(rows) * float(sum(s - right for s, right in bin) / len(bin)) ** 2
        for bin in bins
    ]


def rms_calibration(scored, b):
    return math.sqrt(sum(squares(scored, b)))


def rms_calibration_hle(scored, b):
    return math.sqrt(sum(squares(scored, b)[:-1])) if len(scored) >= 2 * b else None


CURVES = {f.__name__: f for f in (aurc, e_aurc, augrc, auroc_confidence, coverage, risk, prr)}
BINNED = {f.__name__: f for f in (ece, ece_mass, rms_calibration, rms_calibration_hle)}


def literal(id: str, standings):
    """The score of a run's rows; standings gives the place of each row, or None for no order."""
    name, _, parameter = id.partition("@")

    def score_bins(rows):
        rows = filter(self_scored, rows)
        scored = [(row["confidence"], row["verdict"] == "correct") for row in rows]
        return BINNED[name](scored, int(parameter)) if scored else None

    def score_order(rows):
        levels = standings(rows) if rows else None
        blocks = answers(rows, levels) if levels else []
        return CURVES[name](blocks, len(rows), parameter) if blocks else None

    return score_bins if name in BINNED else score_order


def self_scored(row: dict) -> bool:
    return row["verdict"] in ("correct", "wrong") and row["confidence"] is not None
