# `make run` and `make test` each work as the first command after a clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# A change in any of these asks for a new build of the extension.
BUILD_INPUTS := pyproject.toml CMakeLists.txt $(shell find native -name '*.cpp' -o -name '*.hpp')
# Modules compiled and systems read, so that the first command starts as fast as the next.
PREPARED := $(BIN)/python -m compileall -q src && \
  $(BIN)/python -c 'from bidlab.systems.kept import keep_own_systems; keep_own_systems()'
CPP := $(shell find native -name '*.cpp' -o -name '*.hpp')

.PHONY: run setup test test-full lint bench clean

run: $(VENV)/.runs
	@$(BIN)/python -m bidlab.cli.walkthrough

setup: $(VENV)/.develops

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "bidlab needs Python 3.11 or later: make PYTHON=python3.11 ..."; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "no virtual environment: on Debian, apt install python3-venv"; exit 2; }

$(VENV)/.runs: $(BUILD_INPUTS) | $(VENV)/pyvenv.cfg
	$(PIP) install --editable .
	@$(PREPARED)
	@touch $@

$(VENV)/.develops: $(BUILD_INPUTS) | $(VENV)/pyvenv.cfg
	$(PIP) install --editable '.[dev]'
	@$(PREPARED)
	@touch $@ $(VENV)/.runs

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -m 'not full'

test-full: lint
	$(BIN)/pytest --hypothesis-profile=full

bench: setup
	@for file in bench/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
