"""Numbers and lists as words in a sentence, and names in a cell."""

import json
from decimal import ROUND_HALF_UP, Decimal

NOTHING = "–"  # in a cell
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven"]
WORDS += ["eight", "nine", "ten", "eleven", "twelve"]


def format_rounded(value: float, digits: int) -> str:
    """Return a number, as it is written in twelve digits, with `digits` decimals, halves away from
    zero.

    So 0.8125 is 0.813, and 0.2125 is 0.213, whether their binary fractions lie above or below; the
    report's JavaScript rounds in the same way.
    """
    return f"{nearest(value, digits):,f}"


def nearest(value: float, digits: int) -> Decimal:
    """Return the number that `format_rounded` writes; no zero has a sign."""
    decimal = Decimal(f"{value:.12g}").quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return decimal if decimal else abs(decimal)


def p_value(p: float) -> str:
    """Return p with three digits, or that it is small."""
    return f"p = {p:.3g}" if p >= 0.001 else "p < 0.001"


def percent(share: float) -> str:
    """Return a measured share, with a decimal below 10.

    A share near 0 or 1 is not printed as 0 % or 100 %.
    """
    hundredths = 100 * share
    if 0 < hundredths < 0.05:
        return "less than 0.1 %"
    if 99.5 <= hundredths < 100:
        return "more than 99 %"
    return f"{format_rounded(hundredths, int(0 < hundredths < 9.95))} %"


def format_level(level: float) -> str:
    """Return a share that is set rather than measured, in percent: 5 %."""
    return f"{100 * level:g} %"


def difference(value: float) -> str:
    """Return a difference of scores with two decimals, or more where bins are narrower."""
    return (
        format_rounded(value, 2) if abs(float(nearest(value, 2)) - value) < 1e-9 else f"{value:.6g}"
    )


def least(value: float) -> str:
    """Return a difference with three decimals, or with as many as its first digit needs."""
    return (
        format_rounded(value, 3)
        if value == 0 or value >= 0.0005
        else f"{Decimal(f'{value:.1g}'):f}"
    )


def number(value: float | None, digits: int) -> str:
    """Return a number in a cell, with `digits` decimals; a dash for null."""
    return NOTHING if value is None else format_rounded(value, digits)


def minus(text: str) -> str:
    """Return a number with a minus sign, which is as wide as a digit."""
    return text.replace("-", "−")


def format_signed(value: float | None, digits: int) -> str:
    """Return a number in a cell, with its sign, + or -, and `digits` decimals; a dash for null."""
    return NOTHING if value is None else "+" * (value >= 0) + format_rounded(value, digits)


def word(number: int) -> str:
    """Return a small number as a word."""
    return WORDS[number] if number < len(WORDS) else f"{number:,}"


def amount(count: float) -> str:
    """Return a count, which is whole, or a mean over epochs with two decimals."""
    return f"{float(nearest(count, 2)):,.15g}"


def plural(number: int, noun: str, singular: str = "", many: str = "") -> str:
    """Return 1 question, 2 questions; with two forms of a verb: 1 question is, 2 questions are."""
    verb = singular if number == 1 else many
    return f"{number:,} {noun}{'s' * (number != 1)}{f' {verb}' * bool(verb)}"


def capital(text: str) -> str:
    """Return the text with a capital at its beginning, the rest as it is."""
    return text[:1].upper() + text[1:]


def describe_part(number: int, total: int) -> str:
    """Return 2 of 5 runs, none of 5 runs; of all of them: all 5 runs, both runs, the run."""
    if number == total:
        return {1: "the run", 2: "both runs"}.get(total, f"all {total:,} runs")
    if not number:
        return f"none of {total:,} runs" if total > 1 else "no run"
    return f"{number:,} of {total:,} runs"


def describe_policy(policy: str, number: float = 2) -> str:
    """Return what a policy makes of so many responses, as the end of a sentence."""
    if policy == "exclude":
        return "is left out" if number == 1 else "are left out"
    return f"count{'s' * (number == 1)} as {policy}"


def tau(value: float) -> str:
    """Return a coefficient from −1 to 1, with two decimals."""
    return minus(format_rounded(value, 2))


def summarise_names(names: list[str]) -> str:
    """Return a, b and c; of more than four, the first three and the number of the others."""
    if len(names) > 4:
        names = [*names[:3], f"{word(len(names) - 3)} others"]
    return join_names(names)


def join_names(names: list[str], word: str = "and") -> str:
    """Return a, b and c, however many they are."""
    return f" {word} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def join_cell(names: list[str]) -> str:
    """Return names in one cell, a + b + c; one that looks like several stands in quotes."""
    return " + ".join(
        json.dumps(n, ensure_ascii=False) if " + " in n or '"' in n else n for n in names
    )
