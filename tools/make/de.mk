# What make says before there is a Python that could read a catalogue: docs/translate.md.
NO_PYTHON := Beisitzer braucht Python 3.11 oder neuer: installiere python3, oder sag make PYTHON=/pfad/zu/python3
OLD_PYTHON := Beisitzer braucht Python 3.11 oder neuer, dies ist
NEW_PYTHON := installiere ein neueres, oder sag make PYTHON=/pfad/zu/python3
NO_VENV := Beisitzer braucht das Modul venv von Python: sudo apt-get install python3-venv
SET_UP := Beisitzer wird in $(VENV) eingerichtet, nur dieses eine Mal; das dauert eine Minute, auf einem Zero länger:
THE_COMPANION := der Beisitzer und was er braucht ...
UNTESTED := eine erprobte Fassung gibt es nicht mehr: eingerichtet werden die neuesten passenden
THE_TOOLS := die Werkzeuge zum Entwickeln ...
FAILED := Das Einrichten ist gescheitert: Gibt es ein Netz? Oben steht, was zuletzt gemeldet wurde, alles steht in $(VENV)/log.
NO_TOOLS := Die Werkzeuge zum Entwickeln ließen sich nicht einrichten. Oben steht, warum: kein Netz, oder eines gibt es für diesen Rechner nicht. Alles steht in $(VENV)/log.
