"""One stage of an evaluation, for the rules of the workflow: `python -m nonresponse.stages` of this
checkout.

Where the workflow has started a server, the stage runs there.
"""

import os
import sys

sys.path[0] = os.path.realpath(f"{__file__}/../../src")

from nonresponse.workflow.server import hand_over  # noqa: E402

hand_over(sys.argv[1:])

from nonresponse.stages import main  # noqa: E402

main()
