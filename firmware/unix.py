"""Runs the panel on a desktop: `micropython firmware/unix.py --help`."""

import sys

from panel.desktop import main

sys.exit(main(sys.argv[1:]))
