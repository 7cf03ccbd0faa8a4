"""python -m plumecast is the command plumecast."""

import sys

from plumecast.command import main

if __name__ == "__main__":
    sys.exit(main())
