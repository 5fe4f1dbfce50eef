"""The registry of measures.

A measure is a pure function whose parameters are the totals that it needs. Written with plain
arithmetic, it works on numbers, Fractions, Polars columns and NumPy arrays. Four kinds:

- counts: the parameters are columns of counts.parquet.
- sums: the parameters are sums over questions, each an SQL expression on a row of verdicts.
- ordering: the function takes the order of a run's responses, and weights (orderings.py).
- combined: the function takes the scores by other measures (combined.py).

This module imports neither Polars nor NumPy, since Snakemake reads it each time it starts.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from nonresponse import tasks
from nonresponse.database import EXACT as EXACT

F = TypeVar("F", bound=Callable)

# Facts on responses and judgments that a measure may need, and that not every campaign has.
FACTS = {
    "key": "the correct answers are listed",
    "nil": "a run may say that there is no answer in the collection",
    "ranks": "a question may get several answers",
    "romip": "judgments have the labels of ROMIP",
    "scores": "answers may have an order or confidence",
    "selected": "a run may select one of the answers that it accepts",
    "withheld": "a run may submit candidates that it withheld",
}
LARGEST = 1000  # the largest parameter that a measure may have


@dataclass(frozen=True)
class Bounds:
    """What may stand after the @ of a measure: numbers of the type of its default."""

    lowest: float
    highest: float = LARGEST
    open_low: bool = False  # more than the lowest
    open_high: bool = False  # less than the highest

    def __contains__(self, value: float) -> bool:
        """Return whether the number is allowed. Neither inf nor nan is."""
        high_enough = value > self.lowest if self.open_low else value >= self.lowest
        low_enough = value < self.highest if self.open_high else value <= self.highest
        return high_enough and low_enough

    def __str__(self) -> str:
        low = "above" if self.open_low else "from"
        high = "below" if self.open_high else "up to"
        return f"{low} {self.lowest:g} {'and ' * self.open_low}{high} {self.highest:,g}"


@dataclass(frozen=True)
class Measure:
    """One measure of one task, with its parameter bound."""

    id: str
    task: str
    kind: str  # counts | sums | ordering | combined
    # The function; kind ordering: its module here and its name, such as cws.score
    definition: Callable | str
    formula: str  # LaTeX
    source: str  # with the number of the equation
    range: tuple = (0, 1)  # lowest and highest value; None = unbounded
    undefined: str = "there are no questions"  # when the value is null
    higher_is_better: bool = True
    descriptive: bool = False  # neither end is better: it tells what a run did, not how well
    is_default: bool = True  # computed where a campaign does not say which measures it wants
    # Of FACTS: by default it is computed only where a campaign could have all of them
    needs: tuple[str, ...] = ()
    lacking: str = ""  # what the responses lack where it is undefined for all runs of a campaign
    aliases: tuple[str, ...] = ()  # other names for the same
    # Kind sums: parameter -> SQL expression, {parameter} inside
    sums: dict = field(default_factory=dict)
    # Kind ordering: SQL on the verdicts, {rows} inside; orderings.py says which columns it adds
    rows: str = ""
    # Kind ordering: module and name of a function that gives the score without each question
    leave_one_out: str = ""
    # Totals that add up to the divisor, if its size depends on a run's answers
    divides_by: tuple[str, ...] = ()
    not_in_divisor: tuple[str, ...] = ()  # totals within these that the divisor leaves out
    parameter: str | None = None  # the name of what stands after the @
    default: float | int | None = None
    bounds: Bounds = Bounds(0, open_low=True)  # of the parameter
    # The lowest value, where it depends on the parameter
    lowest: Callable[[float], float] | None = None
    # If it is an affine map of another measure: a function of its parameter, if it has one, that
    # returns the other's id and parameter, the factor and the shift
    follows: Callable[..., tuple[str, float | None, float, float]] | None = None
    follows_without: tuple[str, ...] = ()  # totals that must be 0 for that
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
        kernel = self.definition
        return load_function(kernel) if isinstance(kernel, str) else kernel

    @property
    def totals(self) -> list[str]:
        if self.parts:
            return sorted({name for part in self.parts for name in part.totals})
        return [name for name in list_parameters(self.function) if name != self.parameter]

    @property
    def direction(self) -> str:
        """Which way is better: higher, lower or neither."""
        return "neither" if self.descriptive else "higher" if self.higher_is_better else "lower"

    @property
    def is_share(self) -> bool:
        """Whether the value is a share from 0 to 1, which pages show in percent."""
        return self.range == (0, 1)

    def divisor(self, totals: Mapping[str, Any]) -> Any:
        """Return what the measure divides by, if that depends on a run's answers."""
        excluded = sum(totals[name] for name in self.not_in_divisor)
        return sum(totals[name] for name in self.divides_by) - excluded

    @property
    def exact_sums(self) -> dict[str, str]:
        """Kind sums: SQL for what a row adds to each sum, in units of 2^-32; null = unknown."""
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
        bound = self.extra if self.parameter in list_parameters(self.function) else {}
        return self.function(*args, **totals, **bound)


@dataclass(frozen=True)
class Affine:
    """A measure as factor * base + shift, for all runs."""

    factor: float
    shift: float

    @classmethod
    def between(cls, measure: Measure, base: Measure) -> "Affine | None":
        """Return how the measure follows from the base, None where it does not.

        Nothing follows from a measure that depends on what the data are.
        """
        name, factor, shift = find_base(measure)
        base_name, base_factor, base_shift = find_base(base)
        if name != base_name or base.follows_without:
            return None
        shift -= base_shift * factor / base_factor
        return cls(factor / base_factor, shift)


def find_base(measure: Measure) -> tuple[str, float, float]:
    """Return the id that all affine maps of the same measure share, the factor and the shift."""
    value = measure.extra.get(measure.parameter) if measure.parameter else None
    name, factor, shift = measure.id.partition("@")[0], 1.0, 0.0
    if measure.follows:
        name, value, factor, shift = measure.follows(*([] if value is None else [value]))
    elif value is None:
        name = measure.id
    return name if value is None else f"{name}@{value:.12g}", factor, shift


def find_leader(task: str, id: str, ids: Sequence[str]) -> str | None:
    """Return the first other measure from which this one follows, None if itself comes first."""
    measure = get(task, id)
    for base in ids:
        if base == id and not measure.follows_without:
            return None
        if base != id and Affine.between(measure, get(task, base)):
            return base
    return None


@cache
def load_function(function: str) -> Callable:
    """Return a function of a module here, such as cws.score."""
    module, name = function.split(".")
    return getattr(import_module(f"nonresponse.measures.{module}"), name)


@cache
def list_parameters(function: Callable) -> list[str]:
    return list(inspect.signature(function).parameters)


REGISTRY: dict[tuple[str, str], Measure] = {}


def register(id: str, definition: Callable | str, *, task: str, **record: Any) -> None:
    """Register a measure. An id with a parameter is given without it ("f" for f@0.5)."""
    REGISTRY[task, id] = Measure(id=id, task=task, definition=definition, **record)


def measure(formula: str, source: str, *, id: str = "", **record: Any) -> Callable[[F], F]:
    """Register the decorated function as a measure, by `id` or the function's name."""

    def decorated(function: F) -> F:
        register(id or function.__name__, function, formula=formula, source=source, **record)
        return function

    return decorated


def share(task: str, source: str, *ids: str) -> None:
    """Register measures of a source task, which is loaded, for this one, without aliases."""
    for id in ids:
        REGISTRY[task, id] = replace(REGISTRY[source, id], task=task, aliases=())


def load_measures(task: str) -> dict[str, Measure]:
    """Return all measures of a task by id, in order of definition, with default parameters."""
    for module in tasks.get(task).measures:
        import_module(f"nonresponse.measures.{module}")
    records = [record for (name, _), record in REGISTRY.items() if name == task]
    bound = [bind_parameter(record, record.default) for record in records]
    return {measure.id: measure for measure in bound}


def bind_parameter(measure: Measure, value: float | None) -> Measure:
    """Return a measure with its parameter bound to the value, or unchanged if the value is None."""
    if value is None:
        return measure
    return replace(
        measure,
        id=f"{measure.id}@{value:g}",
        extra={measure.parameter: value},
        range=(measure.lowest(value), measure.range[1]) if measure.lowest else measure.range,
    )


@cache
def get(task: str, id: str) -> Measure:
    """Return the measure with this id or alias. KeyError with a sentence if there is none."""
    if {*id} & {*"()"}:
        return load_function("combined.measure")(task, id)
    task_measures = load_measures(task)
    if id in task_measures:
        return task_measures[id]
    name, separator, text = id.partition("@")
    aliases = {alias: measure for measure in task_measures.values() for alias in measure.aliases}
    if measure := aliases.get(name):  # an alias has the parameter of its measure
        return get(task, measure.id.partition("@")[0] + separator + text) if separator else measure
    record = REGISTRY.get((task, name))
    if not record or not record.parameter or not separator:
        raise KeyError(f"no measure {id!r} for {task}")
    number = type(record.default if record.default is not None else 1)
    try:
        value = number(text)
    except ValueError:
        kind = "whole number" if number is int else "number"
        raise KeyError(f"{id!r}: what follows the @ must be a {kind}") from None
    if value not in record.bounds:
        raise KeyError(f"{id!r}: what follows the @ must be a number {record.bounds}")
    bound = bind_parameter(record, value + 0)  # -0.0 is 0.0
    if bound.id != id:  # ids are file names: 0.50 and 0.5 must not be two measures
        raise KeyError(f"{id!r}: write the number without zeros that change nothing")
    return bound
