# make run and make test do all set-up; make help lists the rest.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Names what is installed while it is, and keeps all that pip says in a log.
# The person's configuration of pip counts only for the way to the packages.
SHOWN := $(BIN)/python -m tools.installing --log $(VENV)/log --tested

# The language of what `make run` says, found as the program and gettext find it: each has a file.
SPEAKS := $(basename $(notdir $(wildcard tools/make/*.mk)))
LOCALES := $(subst :, ,$(or $(LANGUAGE),$(LC_ALL),$(LC_MESSAGES),$(LANG)))
# such as de_AT.UTF-8: each locale begins with its language
WANTED := $(foreach locale,$(LOCALES),$(firstword $(subst _, ,$(subst ., ,$(subst @, ,$(locale))))))
include tools/make/en.mk
-include tools/make/$(firstword $(filter $(SPEAKS),$(WANTED)) en).mk

# The tests start the program some hundred times: it is compiled once, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test quick test-rig format texts golden pictures demo bench bench-ai clean install uninstall deb image apt-repository ai-wheels release site audit crash-test vm-test card-test card-try phone-test home-test

help: ## list what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | sort

run: $(VENV)/parts.stamp ## set up what is needed and start the companion
	@$(BIN)/beisitzer play $(ARGS)

test: $(VENV)/dev.stamp ## formatting, lint, strict types, contracts, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m tools.scripts
	$(BIN)/mypy
	@for game in $(EXAMPLES); do MYPYPATH=$$game $(BIN)/mypy $$game || exit 1; done
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto --dist worksteal

quick: $(VENV)/dev.stamp ## the tests of rules, games, screens, table and texts: less than a minute
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" $(QUICK) $(ARGS)

QUICK := tests/engines $(addprefix tests/pi_app/,games screens table texts)

# One clear line where Python is too old or cannot make virtual environments.
$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "$(NO_PYTHON)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(OLD_PYTHON) $$($(PYTHON) -V 2>&1): $(NEW_PYTHON)" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "$(NO_VENV)" >&2; exit 1; }
	@echo "$(SET_UP)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: pyproject.toml setup.py constraints.txt $(BIN)/python $(wildcard pi_app/texts/locale/*/LC_MESSAGES/*.po club/locale/*/LC_MESSAGES/*.po ai/*/playouts.p*)
	@echo "  $(THE_COMPANION)"
	@$(SHOWN) --otherwise "$(UNTESTED)" $(PIP) install pip && $(SHOWN) --otherwise "$(UNTESTED)" $(PIP) install -v -e . || { tail -n 30 $(VENV)/log; echo "$(FAILED)"; exit 1; } >&2
	@touch $@

# What can be missing: as long as something is, the next `make run` tries again.
$(VENV)/parts.stamp: $(VENV)/run.stamp
	@if $(BIN)/python -m tools.parts; then touch $@; fi

# The examples are installed like anybody's game: the suites hold for them too.
EXAMPLES := $(patsubst %/pyproject.toml,%,$(wildcard examples/*/pyproject.toml))

$(VENV)/dev.stamp: tools/scripts/package-lock.json $(EXAMPLES:%=%/pyproject.toml) $(VENV)/run.stamp | $(VENV)/parts.stamp
	@echo "  $(THE_TOOLS)"
	@$(SHOWN) $(PIP) install pip && $(SHOWN) $(PIP) install -e '.[gpio,oled,web,wifi,club,link]' $(EXAMPLES:%=-e %) --group dev && $(BIN)/python -m tools.scripts install > $(VENV)/log 2>&1 || { tail -n 30 $(VENV)/log; echo "$(NO_TOOLS)"; exit 1; } >&2
	@touch $@

format: $(VENV)/dev.stamp ## put the code into its form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

texts: $(VENV)/dev.stamp ## compile the text catalogues after a change
	$(BIN)/python -m pi_app.texts.catalogues pi_app/texts/locale club/locale

test-rig: $(VENV)/dev.stamp ## on a Pi: hold the real devices to the contract that the mocks keep
	$(BIN)/python -m pytest --test-rig tests/hardware/test_contract.py

golden: $(VENV)/dev.stamp ## draw the golden images anew (look at the difference before committing)
	$(BIN)/python -m pytest -n auto --golden write tests/pi_app/displays/oled/test_golden.py tests/pi_app/displays/window/test_golden.py || true

pictures: $(VENV)/dev.stamp ## draw the documentation's pictures and reference pages anew
	@$(BIN)/python -m tools.pictures

demo: $(VENV)/run.stamp ## play a short game by keys; pictures and record are in demo/
	@$(BIN)/beisitzer play just4fun --players "Anna yellow, Ben red" --keys examples/just4fun.keys --shots demo --record demo/just4fun.txt
	@$(BIN)/beisitzer check demo/just4fun.txt

bench: $(VENV)/dev.stamp ## measure everything that has a budget, write bench.json
	@$(BIN)/python -m bench

bench-ai: $(VENV)/dev.stamp ## measure how well the AI plays, all figures of docs/ai.md or those that ARGS names; resumes
	@$(BIN)/python -m bench.strength table $(ARGS)

install: ## install as a service on Raspberry Pi OS (with sudo; safe to repeat)
	@sh systemd/install.sh install

uninstall: ## remove the service; the games stay (with sudo)
	@sh systemd/install.sh uninstall

crash-test: $(VENV)/dev.stamp ## kill, cut the power and flip every bit: the suite of docs/reliability.md at full size
	$(BIN)/python -m pytest -s -n auto --crashes 400 --states 2000 --bits all --gigabytes 2 tests/crash --timeout 14400

deb: $(VENV)/dev.stamp ## build the Debian package into dist/
	@$(BIN)/python -m tools.deb

image: $(VENV)/wheels.stamp ## build a memory card's image into dist/ (as root; SUITE=, MIRROR= say from where; KEY=, URL= where updates are)
	@$(BIN)/python -m tools.image

apt-repository: $(VENV)/wheels.stamp ## add this version to the signed apt repository in dist/apt (KEY=, URL=, SUITE=)
	@$(BIN)/python -m tools.repository

$(VENV)/wheels.stamp: $(VENV)/dev.stamp
	@$(SHOWN) $(PIP) install --group wheels
	@touch $@

ai-wheels: $(VENV)/wheels.stamp ## build the wheel for a Pi with 64 bits into dist/: it needs no compiler there
	@$(BIN)/python -m tools.wheels

release: $(VENV)/release.stamp ## make a version: tag, packages, sums, nothing uploaded (VERSION=; PARTS=, TWICE=1; KEY=, URL= as above)
	@$(BIN)/python -m tools.release $(or $(VERSION),$(error say VERSION=1.0.0))

site: $(VENV)/dev.stamp ## build the documentation as a site for reading offline into dist/site, links checked
	@$(BIN)/python -m tools.site

audit: $(VENV)/audit.stamp ## look all libraries up for known vulnerabilities; "not audited" where no service answers
	@$(BIN)/python -m tools.audit $(ARGS)

$(VENV)/audit.stamp: $(VENV)/dev.stamp
	@$(SHOWN) $(PIP) install --group audit
	@touch $@

$(VENV)/release.stamp: $(VENV)/wheels.stamp
	@$(SHOWN) $(PIP) install --group release
	@touch $@

phone-test: $(VENV)/dev.stamp ## play whole games with touches on two phones and a tablet, read pages at every size
	$(BIN)/python -m pytest --phones $(ARGS) -vv -rP -n 2 tests/pi_app/phones/web/test_whole_games.py $(THIRD) --timeout 3600

# The pages in a third language, then at every size.
THIRD := tests/pi_app/phones/web/test_third_language.py tests/club/web/test_third_language.py

vm-test: $(VENV)/dev.stamp ## boot a whole Debian in an emulator and pull its plug: docs/reliability.md
	$(BIN)/python -m pytest --machine $(ARGS) -vv -n 2 --dist load --maxschedchunk 1 tests/machine --timeout 7200

card-test: $(VENV)/dev.stamp ## boot the image of make image in an emulator and pull its plug; CARD= names another
	$(BIN)/python -m pytest --card "$(or $(CARD),$(lastword $(sort $(wildcard dist/beisitzer-*.img.xz))))" $(ARGS) -vv tests/machine/card --timeout 7200

home-test: $(VENV)/dev.stamp ## try what Home Assistant is told on Home Assistant itself, in a Debian 13 (as root)
	@$(BIN)/python -m tools.home_assistant $(ARGS)

card-try: $(BIN)/python ## boot that image in an emulator with screen, keyboard and network; CARD= names another
	@$(BIN)/python -m tools.image.emulator $(CARD)

clean: ## remove everything that was made
	rm -rf $(VENV) build dist *.egg-info demo bench.json .pytest_cache
