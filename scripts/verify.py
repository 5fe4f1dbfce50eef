"""The command `nonresponse verify`, from a clone."""

import sys

from nonresponse.front.command import main

if __name__ == "__main__":
    main(["verify", *sys.argv[1:]])
