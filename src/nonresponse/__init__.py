"""Evaluate question-answering campaigns in which a system may decline to answer."""

from __future__ import annotations

import os
from importlib import import_module

# As in typing, which takes longer to load than all that a job on a workstation starts with
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__ = "1.0.0"

# NumPy's logarithms and powers for AVX-512 round otherwise than those of other x86 processors: the
# nodes of a cluster would write different bytes. On other processors NumPy warns of these names.
if hasattr(os, "uname") and os.uname().machine == "x86_64":
    os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", "X86_V4 AVX512_ICL AVX512_SPR")

# Functions for a notebook; they are loaded only when asked for, since every command and job imports
# this package.
FUNCTIONS = dict.fromkeys(("read", "score", "compare", "evaluate"), "front.api") | {
    "plan": "statistics.plan"
}


def __dir__() -> list[str]:
    """Return the names of the package, with the functions that are not loaded yet."""
    return sorted({*globals(), *FUNCTIONS})


def __getattr__(name: str) -> Any:
    """read, score, compare, evaluate and plan."""
    if name not in FUNCTIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"nonresponse.{FUNCTIONS[name]}"), name)
