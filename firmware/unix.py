"""Runs the panel on a desk: `micropython firmware/unix.py --help`."""

import sys

from panel.desk import main

sys.exit(main(sys.argv[1:]))
