"""Where the Snakefile is: in a clone above src/, in a wheel in the library itself."""

from pathlib import Path

LIBRARY = Path(__file__).resolve().parent
SHIPPED = LIBRARY / "project"  # exists in a wheel only
HOME = SHIPPED if SHIPPED.is_dir() else LIBRARY.parents[1]
