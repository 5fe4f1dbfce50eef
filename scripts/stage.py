"""One stage of an evaluation, for the rules of the workflow: `python -m nonresponse.stages` of this
checkout.

Where the workflow has started a server, the stage runs there. This process then needs no installed
packages: with `python -S`, it starts in half the time.
"""

import os
import sys

sys.path[0] = os.path.realpath(f"{__file__}/../../src")
if not os.path.isdir(sys.path[0]):  # noqa: PTH112 - in a wheel, the library holds this script
    sys.path[0] = os.path.realpath(f"{__file__}/../../../..")

from nonresponse.workflow.client import hand_over  # noqa: E402

hand_over(sys.argv[1:])

if sys.flags.no_site:
    import site

    site.main()

from nonresponse.stages import main  # noqa: E402

main()
