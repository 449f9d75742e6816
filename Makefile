# Two commands do all the set-up: `make run` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --require-hashes
PYTEST := $(BIN)/pytest
# For two cores: a test in the browser leaves half of one free; kills, load and whole days do not.
WORKERS ?= 3
SHARED = -n $(WORKERS) --dist loadfile --no-loadscope-reorder
PYTHONS ?= 3.12 3.13

.PHONY: run up test test-all quick mutants pythons check bench oracles engines audit sandbox screenshots manual release words reference lock format clean

run: $(VENV)/.run         ## the dashboard, against the embedded sandbox unless configured otherwise
	$(BIN)/streamlit run app.py

up: $(VENV)/.run          ## a chain on this machine: HTTPS, two replicas, PostgreSQL; needs Debian's nginx-light and postgresql
	$(BIN)/python -m deploy.up

test test-all quick: export PYTHONDONTWRITEBYTECODE :=  # what was compiled once is read by the next run

test: $(VENV)/.dev        ## what a change wants: each rule at its lowest level, some thirty journeys; T=tests/warranty/desk for a few
	$(PYTEST) -m "not long" $(or $(T),$(SHARED))

test-all: WORKERS = 2
test-all: $(VENV)/.dev    ## everything: PostgreSQL, all of the browser, proxies, kill, load, random walks
	$(PYTEST) $(SHARED)

quick: $(VENV)/.dev       ## the tests of `test` that the change against main reaches, nearest first
	$(PYTEST) -m "not long" $(SHARED) $$($(BIN)/python -m tests.reached)

mutants: $(VENV)/.dev     ## breaks a promise at a time and looks whether `test` sees it; M=name for one
	$(BIN)/python -m tests.mutants $(M)

pythons: $(addprefix try-,$(PYTHONS))  ## the tests without a browser on each other Python that is here

check: $(VENV)/.dev       ## lint, format, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev build/rivals/.installed build/oracles/.installed build/engines/.installed  ## speed as ratios; writes docs/benchmarks.md
	RIVALS_PYTHON=$(CURDIR)/build/rivals/bin/python ORACLES_PYTHON=$(CURDIR)/build/oracles/bin/python \
	  ENGINES_PYTHON=$(CURDIR)/build/engines/bin/python $(BIN)/python -m benchmarks

oracles: $(VENV)/.dev build/oracles/.installed  ## our statistics against chainladder, surpyval and reliability
	ORACLES_PYTHON=$(CURDIR)/build/oracles/bin/python $(BIN)/python -m benchmarks statistics_by_hand

engines: $(VENV)/.dev build/engines/.installed  ## the nights as they lie, read by DuckDB, Polars, DataFusion and chdb
	ENGINES_PYTHON=$(CURDIR)/build/engines/bin/python $(BIN)/python -m benchmarks twelve_questions

audit:                    ## what the product is made of (build/sbom.json), and its known faults; without a network those of the last look
	$(PYTHON) -m deploy.audit

sandbox: $(VENV)/.run     ## the stand-in of the service alone
	$(BIN)/python -m sandbox

screenshots: $(VENV)/.dev ## docs/screens, made anew in Chromium: each screen at three sizes
	$(BIN)/python -m tests.screenshots

manual: $(VENV)/.dev      ## the manual for staff and managers, as pages in build/manual
	$(BIN)/mkdocs build --strict

release: $(VENV)/.dev     ## the wheel and the sdist, in dist/
	$(BIN)/python -m build --no-isolation

words: $(VENV)/.dev       ## new sentences of the code into the Spanish catalogues, to be translated there
	$(BIN)/python -m tests.catalogues

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

reference: $(VENV)/.dev   ## the tables of README, settings, commands and permissions, from the code
	$(BIN)/python -m tests.reference

# The lock files hold versions and hashes for every platform, and no addresses.
lock: build/uv/.installed ## newest versions that work together
	build/uv/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --upgrade \
	  --no-emit-index-url --no-header --no-annotate --quiet --output-file requirements.txt
	build/uv/bin/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --upgrade \
	  --no-emit-index-url --no-header --no-annotate --quiet --constraint requirements.txt --output-file requirements-dev.txt
	build/uv/bin/uv pip compile deploy/audit/requirements.in --universal --python-version 3.11 --generate-hashes --upgrade \
	  --no-emit-index-url --no-header --no-annotate --quiet --output-file deploy/audit/requirements.txt

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt | $(VENV)/bin/python
	$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt | $(VENV)/bin/python
	$(PIP) -r requirements-dev.txt
	@touch $@ $(VENV)/.run

# An interpreter of pyenv's folder or of Debian; where there is none, that Python is not tried.
try-%: $(VENV)/.dev
	@interpreter=$$(ls $(HOME)/.pyenv/versions/$*.*/bin/python /usr/bin/python$* 2>/dev/null | tail -1); \
	if [ -z "$$interpreter" ]; then echo "no Python $* on this machine: not tried"; exit 0; fi; \
	set -e; [ -x build/python$*/bin/pip ] || "$$interpreter" -m venv build/python$*; \
	build/python$*/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt; \
	build/python$*/bin/pytest $(SHARED) -m "not long and not browser"

# Pages in other frameworks, which only the benchmarks start, have an environment of their own.
build/rivals/.installed: requirements.txt benchmarks/rivals/requirements.txt
	$(PYTHON) -m venv build/rivals
	build/rivals/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	build/rivals/bin/pip install --quiet --disable-pip-version-check -r benchmarks/rivals/requirements.txt
	@touch $@

# The libraries that our statistics are held against bring scipy and matplotlib: they stand apart too.
build/oracles/.installed: benchmarks/oracles/requirements.txt
	$(PYTHON) -m venv build/oracles
	build/oracles/bin/pip install --quiet --disable-pip-version-check -r benchmarks/oracles/requirements.txt
	@touch $@

# So do the engines that read the nights of a history.
build/engines/.installed: benchmarks/engines/requirements.txt
	$(PYTHON) -m venv build/engines
	build/engines/bin/pip install --quiet --disable-pip-version-check -r benchmarks/engines/requirements.txt
	@touch $@

build/uv/.installed:
	$(PYTHON) -m venv build/uv
	build/uv/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
