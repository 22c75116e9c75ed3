# `make run` and `make test` work on a fresh clone: they create .venv and install what they need.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/installed

.PHONY: run test types pages browser docs serve clean

# Three units on all they were published for, with all iterations and seeds; then a law from a table.
UNITS := --unit NAU --unit NMU --unit sNMU
run: $(INSTALLED)
	@start=$$(date +%s); \
	$(BIN)/nalm run single-module $(UNITS) && \
	$(BIN)/nalm show single-module $(UNITS) && \
	$(BIN)/nalm plot single-module $(UNITS) && \
	$(BIN)/nalm fit examples/data/pendulum.csv --target period && \
	echo "trained, tabulated, drawn and solved in $$(($$(date +%s) - start)) s;" \
	     "all units: nalm show single-module, every published claim: nalm claims, more: nalm --help"

# Two cores: type checker and documentation side by side, then two test processes of one thread each.
test: $(INSTALLED) browser
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target types pages
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal

types: $(INSTALLED)
	$(BIN)/mypy

pages: $(INSTALLED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# Tests of the site need Chromium and skip without it; continuous integration installs it where it may.
browser:
	@if [ -n "$$CI" ] && ! command -v chromedriver >/dev/null && command -v apt-get >/dev/null; then \
		if [ "$$(id -u)" = 0 ]; then sudo=; else sudo="sudo -n"; fi; \
		{ $$sudo apt-get update -qq && $$sudo apt-get install -y -qq chromium chromium-driver; } >/dev/null 2>&1 \
		|| echo "no Chromium could be installed: the site's browser tests skip"; \
	fi

# The documentation in site/, with the shipped record as pages in site/record/. These are copied there: mkdocs clears
# its folder, and figures that show the same as before need not be drawn again.
docs: pages
	$(BIN)/nalm report --record --store .venv/no-runs --output .venv/record
	cp -r .venv/record site/record
	@echo "open site/record/index.html for the record; for the whole documentation, whose links and search need a server:" \
	     "python3 -m http.server --directory site"

serve: $(INSTALLED)
	$(BIN)/mkdocs serve

# Byte code is written now, so that the first command does not wait for it: on all cores, which pip does not use,
# and without the tests of other packages, some of which are not meant to compile.
$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e '.[dev]'
	$(BIN)/python -m compileall -qq -j 0 -x '/tests/' .venv/lib src || true
	touch $@

clean:
	rm -rf .venv site
