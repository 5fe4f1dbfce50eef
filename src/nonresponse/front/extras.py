"""The extras of the package: libraries that only some commands need."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from nonresponse.front import RefusedError

# The extra in pyproject.toml that brings a library
EXTRAS = {
    "altair": "figures",
    "duckdb": "workflow",
    "jinja2": "page",
    "pyarrow": "workflow",
    "snakemake": "workflow",
    "vl_convert": "figures",
}


@contextmanager
def refuse_without_extra() -> Iterator[None]:
    """Raise RefusedError with the line for pip if a library of an extra is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (library := (error.name or "").partition(".")[0]) not in EXTRAS:
            raise
        raise RefusedError(
            f"This needs {library}, which is not installed: "
            f"pip install 'nonresponse[{EXTRAS[library]}]'"
        ) from None


def require(library: str) -> None:
    """Raise ModuleNotFoundError if a library that another process imports is not installed."""
    if not find_spec(library):
        raise ModuleNotFoundError(name=library)
