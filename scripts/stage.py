"""One stage of an evaluation, for the rules of the workflow: `python -m nonresponse.stages` of this checkout."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent / "src")

from nonresponse.stages import main  # noqa: E402

main()
