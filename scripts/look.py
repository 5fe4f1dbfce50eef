"""The command `nonresponse look`, from a clone."""

import sys

from nonresponse.front.command import main

if __name__ == "__main__":
    main(["look", *sys.argv[1:]])
