"""python -m plumecast is the command plumecast."""

import sys

from plumecast.command import main

sys.exit(main())
