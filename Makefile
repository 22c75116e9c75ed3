# `make run` and `make test` work on a fresh clone: they create .venv and install what they need.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/installed

.PHONY: run test docs clean

# The laptop budget of the Single Module benchmark: every unit on every operation it is built for.
run: $(INSTALLED)
	@start=$$(date +%s); \
	$(BIN)/nalm run single-module --budget laptop && \
	$(BIN)/nalm show single-module --budget laptop --brief && \
	$(BIN)/nalm plot single-module --budget laptop && \
	echo "trained, tabulated and drawn in $$(($$(date +%s) - start)) s"

# One thread per process: two test processes share two cores.
test: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal

docs: $(INSTALLED)
	$(BIN)/mkdocs serve

# Byte code is written now, so that the first command does not wait for it.
$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --compile -c constraints.txt -e '.[dev]'
	$(BIN)/python -m compileall -q src
	touch $@

clean:
	rm -rf .venv site
