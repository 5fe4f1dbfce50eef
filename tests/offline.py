"""The environment of steps that install with pip, in place of the network."""

import os
import sys

LIBRARIES = os.pathsep.join(path for path in sys.path if path.endswith("site-packages"))
# What is installed here counts as installed there, and no newer version of it is looked for.
OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_NO_DEPS": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # as pip reads it: without isolation
    "PIP_NO_COMPILE": "0",
    "PYTHONPATH": LIBRARIES,
}
