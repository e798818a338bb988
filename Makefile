# make run and make test do all set-up; make help lists the rest.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
LOG := $(VENV)/log
# Keeps pip's output in the log. The user's configuration of pip counts only for the way to the
# packages.
TESTED := $(BIN)/python -m tools.installing --log $(LOG) --tested
UNTESTED := a tested version is not to be had any more: the newest that fit are installed

# The tests start the program some hundred times: it is compiled once, whatever the shell's
# environment says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test quick nightly mutants format pictures bench site release deb image

help:
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

run: $(VENV)/parts.stamp ## set up what is needed and start the companion
	@$(BIN)/beisitzer play $(ARGS)

test: $(VENV)/dev.stamp ## formatting, lint, strict types, contracts, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory --jobs=2 checks pytest

# mypy uses one core alone for a minute, and tests wait now and then: they run beside each other.
.PHONY: checks pytest
checks:
	$(BIN)/lint-imports
	$(BIN)/python -m tools.page_scripts
	$(BIN)/mypy
	@for game in $(EXAMPLES); do MYPYPATH=$$game $(BIN)/mypy $$game || exit 1; done

# A process that reads the tests first rewrites their assertions, which is most of the work: once, not once a process.
pytest:
	@[ -d tests/__pycache__ ] || $(BIN)/python -m pytest --collect-only -qq >/dev/null || true
	$(BIN)/python -m pytest -n auto --dist worksteal

QUICK := tests/engines tests/pi_app/games tests/pi_app/table tests/pi_app/view tests/pi_app/wire tests/test_rooms.py

quick: $(VENV)/dev.stamp ## form, lint, and the tests of rules, entries and rooms: half a minute
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m pytest -n auto --maxprocesses 2 $(QUICK)

nightly: $(VENV)/dev.stamp ## all tests: chaos, emulators (as root), full matrices and long kills too
	$(BIN)/python -m pytest -m "" -n auto --dist worksteal --timeout 7200 --ignore tests/machine $(ARGS)
	$(BIN)/python -m pytest -m "" -n 2 --dist load --maxschedchunk 1 --timeout 7200 tests/machine $(ARGS)

mutants: $(VENV)/dev.stamp ## show which small faults in rules, entries, reports, messages and store no test of theirs notices
	@$(BIN)/python -m tools.mutants $(ARGS)

format: $(VENV)/dev.stamp ## put the code into its form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

pictures: $(VENV)/dev.stamp ## draw the documentation's pictures anew
	@$(BIN)/python -m tools.pictures

bench: $(VENV)/dev.stamp ## measure everything that has a budget, write bench.json
	@$(BIN)/python -m bench $(ARGS)

site: $(VENV)/dev.stamp ## make these pages a site for reading without a network, in dist/site
	@rm -rf dist/site
	@$(BIN)/python -m sphinx -q -W -E -b html -c docs -d build/doctrees . dist/site
	@echo '<meta http-equiv="refresh" content="0; url=docs/index.html">' > dist/site/index.html
	@echo dist/site/index.html

release: $(VENV)/dev.stamp ## build and check the packages of the tag vVERSION in dist/VERSION
	@tools/release.sh $(VERSION)

deb: $(BIN)/python ## build the Debian package into dist/ (then: sudo apt install ./dist/beisitzer_*_all.deb)
	@$(BIN)/python -m tools.package

image: $(BIN)/python ## build a memory card's image into dist/ (as root; SUITE=, MIRROR= say from where; KEY=, URL= where updates are)
	@$(BIN)/python -m tools.image

# One clear line where Python is too old or cannot make virtual environments.
$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "Beisitzer needs Python 3.11 or newer: install python3, or say make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Beisitzer needs Python 3.11 or newer, this is $$($(PYTHON) -V 2>&1): install a newer one, or say make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Beisitzer needs Python's venv module: sudo apt-get install python3-venv" >&2; exit 1; }
	@echo "Setting up Beisitzer in $(VENV), only this once; it takes a minute, on a Zero some more:"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: pyproject.toml setup.py constraints.txt $(BIN)/python $(wildcard pi_app/texts/locale/*/LC_MESSAGES/*.po club/locale/*/LC_MESSAGES/*.po)
	@echo "  the companion and what it stands on ..."
	@# The libraries come on one core while our own package is built on the other. Python compiles at its first import what is
	@# used, which is a small part of what is installed.
	@$(BIN)/python -m tools.needed $(WHEELS) >$(VENV)/needed.txt
	@$(TESTED) $(PIP) install --no-compile --only-binary :all: -r $(VENV)/needed.txt & libraries=$$!; \
	$(TESTED) $(PIP) install --no-compile --no-deps -e .; own=$$?; \
	wait $$libraries && [ $$own = 0 ] \
	  || $(TESTED) --otherwise "$(UNTESTED)" $(PIP) install --no-compile -e . \
	  || { tail -n 30 $(LOG); echo "The installation failed: is there a network? Its last messages are above, all of them in $(LOG)."; exit 1; } >&2
	@touch $@

# Extra, module, Debian package, and the loss without it. Those with wheels for most machines are
# installed at once,
# which takes half the time of one after the other.
WHEELS := window,gpio,lgpio,oled,web
MACHINE := $(shell uname -m)
define PARTS
window pygame python3-pygame there is no window, the terminal is used
gpio gpiozero python3-gpiozero nothing on a Pi's header can be used
lgpio lgpio python3-lgpio keys and lamps on a Pi's header cannot be used; the serial panel can
oled luma.oled - an OLED cannot be used
web starlette - phones cannot show the table
spi spidev python3-spidev an OLED on SPI cannot be used; one on I2C can
endef
export PARTS

# As long as something is missing the next `make run` tries again. Only finished wheels are taken: a Zero would build
# pygame for hours; spidev has none and is small. Where no wheel fits, the system's own library may be there. A PC has no
# header for keys, lamps and SPI.
$(VENV)/parts.stamp: $(VENV)/run.stamp
	@touch $@; printf '%s\n' "$$PARTS" | while read -r extra module package loss; do \
	  $(BIN)/python -c "import $$module" >/dev/null 2>&1 && continue; \
	  case $$extra:$(MACHINE) in lgpio:x86_64 | spi:x86_64) continue ;; esac; \
	  echo "  $$module ..."; \
	  if [ $$extra = spi ]; then wheels=; else wheels="--only-binary :all:"; fi; \
	  $(TESTED) --otherwise "$(UNTESTED)" $(PIP) install --retries 1 $$wheels "beisitzer[$$extra]" && continue; \
	  if "$$($(BIN)/python -c 'import sys; print(sys._base_executable)')" -c "import $$module" 2>/dev/null; then \
	    echo "  no $$module to install for this machine: the system's own is used"; \
	    sed -i 's/^include-system-site-packages = .*/include-system-site-packages = true/' $(VENV)/pyvenv.cfg; \
	    continue; \
	  fi; \
	  rm -f $@; \
	  if [ $$package = - ]; then remedy=; else remedy=" On a Pi: sudo apt-get install $$package"; fi; \
	  echo "  no $$module for this machine: $$loss.$$remedy"; \
	done

# The examples are installed like anybody's game: the suites hold for them too.
EXAMPLES := $(patsubst %/pyproject.toml,%,$(wildcard examples/*/pyproject.toml))

$(VENV)/dev.stamp: tools/page_scripts/package-lock.json $(EXAMPLES:%=%/pyproject.toml) $(VENV)/run.stamp | $(VENV)/parts.stamp
	@echo "  the development tools ..."
	@$(TESTED) $(PIP) install pip && $(TESTED) $(PIP) install -e '.[gpio,oled,web,wifi,club,link]' $(EXAMPLES:%=-e %) --group dev && $(BIN)/python -m tools.page_scripts install >$(LOG) 2>&1 || { tail -n 30 $(LOG); echo "The development tools could not be installed. The messages above say why: no network, or none of them for this machine. All of them are in $(LOG)."; exit 1; } >&2
	@touch $@

