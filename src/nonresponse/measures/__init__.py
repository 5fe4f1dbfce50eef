"""The registry of measures.

A measure is a pure function whose parameters are the totals it needs; written with plain
arithmetic, it works alike on numbers, on Fractions, on Polars columns and on numpy arrays. Four
kinds:

- counts: the parameters are columns of counts.parquet;
- sums: the parameters are sums over questions, each of them an SQL expression on a row of verdicts;
- ordering: the function takes the order of a run's responses, and weights of the questions
  (orderings.py);
- combined: the function takes the scores by other measures (combined.py).

This module imports neither Polars nor numpy: Snakemake reads it each time it starts.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import import_module
from typing import Any, TypeVar

from nonresponse import tasks
from nonresponse.database import EXACT as EXACT

F = TypeVar("F", bound=Callable)

# What a measure may need to know of single responses and their judgments, and which not every
# campaign can tell.
FACTS = {
    "key": "the correct answers are listed",
    "nil": "a run may say that there is no answer in the collection",
    "ranks": "a question may get several answers",
    "romip": "judgments have the labels of ROMIP",
    "scores": "answers may have an order or confidence",
    "selected": "a run may select one of the answers that it accepts",
    "withheld": "a run may hand in candidates that it withheld",
}
LARGEST = 1000  # the largest parameter that a measure may have


@dataclass(frozen=True)
class Bounds:
    """What may stand after the @ of a measure: numbers of the type of its default, from lowest to
    highest."""

    lowest: float
    highest: float = LARGEST
    above: bool = False  # more than the lowest
    below: bool = False  # less than the highest

    def __contains__(self, value: float) -> bool:
        """Whether the number is allowed; neither inf nor nan is."""
        too_low = value <= self.lowest if self.above else not value >= self.lowest
        too_high = value >= self.highest if self.below else not value <= self.highest
        return not (too_low or too_high)

    def __str__(self) -> str:
        ends = "above" if self.above else "from", "below" if self.below else "up to"
        return f"{ends[0]} {self.lowest:g} {'and ' * self.above}{ends[1]} {self.highest:,g}"


@dataclass(frozen=True)
class Measure:
    """One measure of one task, with its parameter bound."""

    id: str
    task: str
    kind: str  # counts | sums | ordering | combined
    # The function; kind ordering: its module here and its name, such as cws.score
    made_by: Callable | str
    formula: str  # LaTeX
    source: str  # with the number of the equation
    range: tuple = (0, 1)  # lowest and highest value; None = unbounded
    scale: int = 1  # by which a share is multiplied: 100 where the source prints percent
    undefined: str = "there are no questions"  # when the value is null
    higher_is_better: bool = True
    descriptive: bool = False  # neither end is better: it tells what a run did, not how well
    by_default: bool = True  # computed where a campaign does not say which measures it wants
    # Of FACTS: by default it is computed only where a campaign could have all of them
    needs: tuple[str, ...] = ()
    lacking: str = ""  # what the responses lack where it is undefined for all runs of a campaign
    aliases: tuple[str, ...] = ()  # other names for the same
    # It counts questions (ROMIP's official counts), instead of being a share or the like
    is_number: bool = False
    # Kind sums: parameter -> SQL expression, {parameter} inside
    sums: dict = field(default_factory=dict)
    # Kind ordering: SQL on the verdicts, {rows} inside; orderings.py says which columns it adds
    rows: str = ""
    # Kind ordering: module and name of a function that gives the score without each question
    without_each: str = ""
    # Totals that add up to the divisor, if its size depends on a run's answers
    divides_by: tuple[str, ...] = ()
    not_in_divisor: tuple[str, ...] = ()  # totals within these that the divisor leaves out
    parameter: str | None = None  # the name of what stands after the @
    default: float | int | None = None
    bounds: Bounds = Bounds(0, above=True)  # of the parameter
    # The lowest value, where it depends on the parameter
    lowest: Callable[[float], float] | None = None
    # Of which measure it is an affine map: from its parameter, if it has one, to the id without a
    # parameter, the parameter, the factor and the shift
    follows: Callable[..., tuple[str, float | None, float, float]] | None = None
    follows_without: tuple[str, ...] = ()  # totals that must be 0 for that
    # Totals weighted by the parameter: if it is 0, they are no part of the divisor
    weighed: tuple[str, ...] = ()
    extra: dict = field(default_factory=dict)  # the parameter's value, bound
    parts: tuple["Measure", ...] = ()  # kind combined: the measures whose scores it combines
    # How far, for intervals, a single question can move the score: to the ends of the range
    # (range); beyond them, since its place in an order may make it count more (places); twice as
    # far as they are, since the score is a mean over pairs of questions (pairs); as far as any
    # observed question does (seen). Of a correlation, Fisher's z has no ends (correlation).
    ends: str = "range"
    # Kind ordering: it compares right rows with wrong ones, and depends on the rarer class
    classes: bool = False
    biased: bool = False  # noise moves it in one direction: we give no interval and no test
    # Whether it is a smooth functional of the distribution of the outcomes. Where not (thresholds
    # on an order, absolute values of bins, correlations near the end of the range), pseudo-values
    # do not estimate its variance.
    smooth: bool = True

    @property
    def function(self) -> Callable:
        return load_function(self.made_by) if isinstance(self.made_by, str) else self.made_by

    @property
    def totals(self) -> list[str]:
        if self.parts:
            return sorted({name for part in self.parts for name in part.totals})
        return [name for name in parameters(self.function) if name != self.parameter]

    @cached_property
    def at_default(self) -> "Measure":
        """The measure with its parameter, if it has one, at the default."""
        return with_parameter(self, self.default)

    @property
    def direction(self) -> str:
        """Which way is better: higher, lower or neither."""
        return "neither" if self.descriptive else "higher" if self.higher_is_better else "lower"

    @property
    def is_share(self) -> bool:
        """Whether the value is a share from 0 to 1, which pages show in percent."""
        return self.range == (0, 1) and self.scale == 1 and not self.is_number

    @property
    def share_range(self) -> tuple[float | None, float | None]:
        """The range of the value or, for a number of questions, of its share of the questions."""
        return (0, 1) if self.is_number else self.range

    def divisor(self, totals: Mapping[str, Any]) -> Any:
        """Return what the measure divides by, if that depends on a run's answers."""
        return sum(totals[name] for name in self.divides_by) - sum(
            totals[name] for name in self.not_in_divisor
        )

    @property
    def exact_sums(self) -> dict[str, str]:
        """Kind sums: SQL for what a row of verdicts adds to each sum, in units of 2^-32; null =
        unknown."""
        # If the id has no parameter: practically infinite
        fields = {self.parameter: "1e9"} | self.extra
        return {
            name: f"round(({term.format(**fields)})::DOUBLE * {EXACT})"
            for name, term in self.sums.items()
        }

    @property
    def description(self) -> str:
        return inspect.getdoc(self.function) or ""

    def __call__(self, *args: Any, **totals: Any) -> Any:
        """Return the score from the totals by name, or from an order and weights."""
        # A parameter belongs to the function (f@0.5) or to the sums only (mrr@5).
        takes_it = self.parameter in parameters(self.function)
        return self.function(*args, **totals, **(self.extra if takes_it else {}))


@dataclass(frozen=True)
class Affine:
    """That a measure is factor * other + shift, for all runs. scale: by which its scale is
    larger."""

    factor: float
    shift: float
    scale: float

    @classmethod
    def between(cls, measure: Measure, other: Measure) -> "Affine | None":
        """Return how the measure follows from the other, None where it does not.

        Nothing follows from a measure that depends on what the data are.
        """
        (base, factor, shift), (of_other, by, less) = base_of(measure), base_of(other)
        if base != of_other or other.follows_without:
            return None
        return cls(factor / by, shift - less * factor / by, measure.scale / other.scale)


def base_of(measure: Measure) -> tuple[str, float, float]:
    """Return what a measure is an affine map of, with factor and shift: other measures of the same
    base have the same name for it."""
    name = measure.id.partition("@")[0]
    value = measure.extra.get(measure.parameter) if measure.parameter else None
    if not measure.follows:
        return (f"{name}@{value:.12g}" if value is not None else measure.id), 1.0, 0.0
    base, value, factor, shift = measure.follows(*([] if value is None else [value]))
    return (f"{base}@{value:.12g}" if value is not None else base), factor, shift


def leader(task: str, id: str, ids: Sequence[str]) -> str | None:
    """Return the first of these measures from which another of them follows, None if it is the
    first itself."""
    measure = get(task, id)
    for other in ids:
        if other == id and not measure.follows_without:
            return None
        if other != id and Affine.between(measure, get(task, other)):
            return other
    return None


@cache
def load_function(function: str) -> Callable:
    """Return a function of a module here, such as cws.score."""
    module, name = function.split(".")
    return getattr(import_module(f"nonresponse.measures.{module}"), name)


@cache
def parameters(function: Callable) -> list[str]:
    return list(inspect.signature(function).parameters)


REGISTRY: dict[tuple[str, str], Measure] = {}


def register(id: str, made_by: Callable | str, *, task: str, **record: Any) -> None:
    """Register a measure; an id with a parameter is given without it ("f" for f@0.5)."""
    REGISTRY[task, id] = Measure(id=id, task=task, made_by=made_by, **record)


def measure(formula: str, source: str, *, id: str = "", **record: Any) -> Callable[[F], F]:
    """Register the decorated function as a measure; its id is the function's name, unless that is
    given."""

    def decorated(function: F) -> F:
        register(id or function.__name__, function, formula=formula, source=source, **record)
        return function

    return decorated


def share(task: str, other: str, *ids: str) -> None:
    """Register measures of another task, whose module has been loaded, for this one, too, without
    other names."""
    for id in ids:
        REGISTRY[task, id] = replace(REGISTRY[other, id], task=task, aliases=())


def of_task(task: str) -> dict[str, Measure]:
    """All measures of a task by id, parameters at their defaults, in the order of their
    definition."""
    for module in tasks.get(task).measures:
        import_module(f"nonresponse.measures.{module}")
    measures = [m.at_default for (t, _), m in REGISTRY.items() if t == task]
    return {m.id: m for m in measures}


def with_parameter(m: Measure, value: float | None) -> Measure:
    """Return a measure with its parameter bound to the value, or unchanged if the value is None."""
    if value is None:
        return m
    divides_by = tuple(name for name in m.divides_by if value or name not in m.weighed)
    ends = (m.lowest(value), m.range[1]) if m.lowest else m.range
    return replace(
        m, id=f"{m.id}@{value:g}", extra={m.parameter: value}, divides_by=divides_by, range=ends
    )


@cache
def get(task: str, id: str) -> Measure:
    """Return the measure with this id or alias. KeyError with a sentence if there is none."""
    if {*id} & {*"()"}:
        return load_function("combined.measure")(task, id)
    by_id = of_task(task)
    by_alias = {alias: m for m in by_id.values() for alias in m.aliases}
    name, at, text = id.partition("@")
    if id in by_id:
        return by_id[id]
    if other := by_alias.get(name):  # an alias has the parameter of its measure
        return get(task, f"{other.id.partition('@')[0]}@{text}") if at else other
    m = REGISTRY.get((task, name))
    if not m or not m.parameter or not at:
        raise KeyError(f"no measure {id!r} for {task}")
    number = type(m.default if m.default is not None else 1)
    try:
        value = number(text)
    except ValueError:
        whole = "whole " * (number is int)
        raise KeyError(f"{id!r}: what follows the @ must be a {whole}number") from None
    if value not in m.bounds:
        raise KeyError(f"{id!r}: what follows the @ must be a number {m.bounds}")
    bound = with_parameter(m, value + 0)  # -0.0 is 0.0
    if bound.id != id:  # ids are file names: 0.50 and 0.5 must not be two measures
        raise KeyError(f"{id!r}: write the number without zeros that change nothing")
    return bound
