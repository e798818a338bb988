# What make says before there is a Python that could read a catalogue: docs/translate.md.
NO_PYTHON := Beisitzer needs Python 3.11 or newer: install python3, or say make PYTHON=/path/to/python3
OLD_PYTHON := Beisitzer needs Python 3.11 or newer, this is
NEW_PYTHON := install a newer one, or say make PYTHON=/path/to/python3
NO_VENV := Beisitzer needs Python's venv module: sudo apt-get install python3-venv
SET_UP := Setting up Beisitzer in $(VENV), only this once; it takes a minute, on a Zero some more:
THE_COMPANION := the companion and what it stands on ...
UNTESTED := a tested version is not to be had any more: the newest that fit are installed
THE_TOOLS := the development tools ...
FAILED := The installation failed: is there a network? Its last messages are above, all of them in $(VENV)/log.
NO_TOOLS := The development tools could not be installed. The messages above say why: no network, or none of them for this machine. All of them are in $(VENV)/log.
