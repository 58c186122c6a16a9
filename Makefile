# Everything a host or a contributor does, on a machine that has only Python 3.11 or later, and git.
# The environment in .venv is made when first needed, and again when a lock file has changed: `make run` needs the
# packages of requirements.lock, everything else also those of requirements-dev.lock. Packages run from this folder.

VENV ?= .venv
PYTHON ?= $(shell for name in python3.13 python3.12 python3.11 python3.14 python3 python; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$name" && break; done)

BIN := $(VENV)/bin
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
COMPILE = CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options $(UPGRADE)

SEEDS ?= 100
CHECKED = tests/project/test_imports.py tests/project/test_time_and_chance.py
REHEARSED = tests/drill tests/simulation/test_year.py tests/simulation/test_planted.py tests/puzzles tests/questions \
	tests/e2e/test_month.py tests/e2e/test_wrong_messages.py

.DEFAULT_GOAL := help
.PHONY: help setup install run test long lenient browser check bench simulate rehearse month drill drill-postgres fleet year rings nightly arena fairness puzzles gallery commands lock

help: ## Say what there is to make.
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' $(firstword $(MAKEFILE_LIST)) | expand -t 10

setup: $(VENV)/.dev ## Make the environment for working on the project.

install: $(VENV)/.run ## Make the environment that the bot needs, or bring it up to date, as for a service of systemd.

run: $(VENV)/.run ## Run the bot; without a token, the sandbox.
	@$(BIN)/python -m bot

# Whole files go to two workers, so that what a file starts (a server, a browser) is started once, in the order that
# tests/conftest.py gives them. Bytecode is kept even where the environment says otherwise, or every process that a test
# starts compiles the program anew.
ELSEWHERE = $(patsubst %,--ignore=%,$(CHECKED) $(REHEARSED) tests/browser)
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -p tests.support.skips -n 2 --dist loadfile --no-loadscope-reorder --quiet

test: $(VENV)/.dev ## Run all tests but long ones and those in a browser; the last line says how many were skipped.
	@$(PYTEST) -m "not long and not minutes" $(ELSEWHERE)

long: $(VENV)/.dev ## Run the tests that try everything there is, where `make test` tries an example (three minutes).
	@$(PYTEST) -m "long and not minutes" $(ELSEWHERE)

lenient: $(VENV)/.dev ## Run all stories with a lenient Discord, which takes what the strict one is only reported to refuse.
	@GRAPHPAPER_DISCORD=lenient $(PYTEST) -m "not long and not minutes" tests/e2e tests/stories

browser: $(VENV)/.dev ## Run the long tests in a browser: the chat page, a match with a killed bot, a newcomer.
	@$(PYTEST) tests/browser

check: $(VENV)/.dev ## Lint, format, types and import rules.
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/pyright
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/python -m pytest --quiet --quiet $(CHECKED)

bench: $(VENV)/.dev ## Measure how fast the bot answers.
	@$(BIN)/python -m tests.bench

simulate: $(VENV)/.dev ## Tell SEEDS stories (100) of the bot in simulated time, and see that nothing is lost (two seconds each).
	@$(BIN)/python -m tests.simulation --seeds $(SEEDS)

rehearse: $(VENV)/.dev ## Run the tests that take minutes: of the drill, of the year and of planted races, where each fault must be found, proofs of all puzzles, every button on every message.
	@$(PYTEST) $(REHEARSED)
	@$(PYTEST) -m minutes $(ELSEWHERE)

month: $(VENV)/.dev ## Play a month of a server with twenty people, and print how many messages and pings its channels get (minutes).
	@$(BIN)/python -m pytest -q -m long -s tests/e2e/test_month.py

drill: $(VENV)/.dev ## Kill the bot 300 times while Discord misbehaves, and see that no move is lost (five minutes).
	@$(BIN)/python -m tests.drill

fleet: $(VENV)/.dev ## Kill four bots, their leader and their one database in turn, and see that nothing is lost (ten minutes).
	@$(BIN)/python -m tests.fleet

year: $(VENV)/.dev ## Tell two years of people who come by now and then, and see that nobody loses a second (ten minutes).
	@$(BIN)/python -m tests.simulation --profile year --seeds 2

rings: $(VENV)/.dev ## Make each trouble for a real bot, and print after how many seconds a real Prometheus rings (20 minutes).
	@$(BIN)/python -m tests.rings

nightly: ## Tell a thousand stories in simulated time, then the long tests, lenient, rehearse, drill, fleet and year, each even where one before has failed (an hour).
	@$(MAKE) --keep-going simulate long lenient rehearse drill drill-postgres fleet year SEEDS=1000

drill-postgres: $(VENV)/.dev
	@$(BIN)/python -m tests.drill --postgres

arena: $(VENV)/.dev ## Let each level of the computer play the one below at every game, 100 pairs (hours).
	@$(BIN)/python -m tests.arena --all-levels --pairs 100

fairness: $(VENV)/.dev ## Compute whom each board favours, and write the tables of docs/fairness.md (hours).
	@$(BIN)/python -m tests.fairness

puzzles: $(VENV)/.dev ## Find the daily puzzles of all games, and write them into their folders (an hour).
	@$(BIN)/python -m tests.puzzles

gallery: $(VENV)/.dev ## Draw a board of every game, and write docs/commands.md.
	@$(BIN)/python -m tests.gallery

commands: $(VENV)/.dev ## Write docs/commands.md from the commands themselves.
	@$(BIN)/python -m tests.project.commands

# Only from Python 3.13 on are all packages needed that some Python needs. UPGRADE=--upgrade takes the newest versions.
lock: $(VENV)/.dev ## Write the lock files anew from pyproject.toml; UPGRADE=--upgrade for the newest versions.
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 13))' || \
		{ echo "The lock files are made with Python 3.13 or later: make lock VENV=.venv-lock PYTHON=python3.13"; exit 1; }
	@$(COMPILE) --extra postgres --output-file requirements.lock pyproject.toml
	@$(BIN)/python -c 'import tomllib; told = tomllib.load(open("pyproject.toml", "rb")); \
		print(*told["project"]["dependencies"], *told["dependency-groups"]["dev"], sep="\n")' | \
		$(COMPILE) --constraint requirements.lock --output-file requirements-dev.lock -

$(BIN)/python:
	@[ -n "$(PYTHON)" ] || { echo "Graph Paper needs Python 3.11 or later, and none was found: install one from" \
		"https://www.python.org, or name yours with: make $(MAKECMDGOALS) PYTHON=/where/python3 is"; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' || \
		{ echo "This Python cannot make $(VENV): on Debian and Ubuntu, install python3-venv, then try again."; exit 1; }
	@"$(PYTHON)" -m venv $(VENV)

$(VENV)/.run: requirements.lock | $(BIN)/python
	@echo "Installing what the bot needs into $(VENV) …"
	@$(INSTALL) -r requirements.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	@echo "Installing what its tests need into $(VENV) …"
	@$(INSTALL) -r requirements-dev.lock
	@touch $@
