# make play: set up what is missing and start; make test: run every test. `make` alone lists the rest.
PYTHON ?= $(shell test -x .venv/bin/python && echo .venv/bin/python || echo python3)
HOST ?= 127.0.0.1
PORT ?= 8000
DATA ?= data
# which parts of the tests; none means all
PARTS ?=
# which golden games to record; none means all
GAMES ?=
# arguments for the benchmark, for example BENCH="--out rows.json"
BENCH ?=
# arguments for the load test of the server, for example LOAD="round-trip:2 --tables 200"
LOAD ?=

.DEFAULT_GOAL := help
.PHONY: help play test setup dist tools lint format golden types pictures pins bench load clean
.SUFFIXES:

help:
	@echo 'make play     set up and start the server; HOST=$(HOST) PORT=$(PORT) DATA=$(DATA)'
	@echo 'make test     run every test; PARTS="ruff server" runs some'
	@echo 'make setup    set up the command line, compiled; PYTHON=python3.12 chooses one'
	@echo 'make dist     build the wheel and the source distribution'
	@echo 'make lint     ruff and mypy only'
	@echo 'make format   let ruff format the Python files'
	@echo 'make tools    install ruff, mypy and pytest, and nothing else'
	@echo 'make golden   record the golden games again; GAMES="round-trip" records some'
	@echo 'make types    write the types of the page again'
	@echo 'make pictures take the screenshots in docs/pictures again'
	@echo 'make pins     look up the hashes of the packages in requirements/ again'
	@echo 'make bench    measure the speed beside other libraries'
	@echo 'make load     measure what moves cost the server, beside boardgame.io'
	@echo 'make clean    remove everything that was installed and built (not DATA)'

play:
	@exec $(PYTHON) tools/setup.py play --host '$(HOST)' --port '$(PORT)' --data '$(DATA)'

test:
	@exec $(PYTHON) tools/setup.py test $(PARTS)

setup dist tools:
	@$(PYTHON) tools/setup.py $@

lint: tools
	@.venv/bin/python tools/test.py ruff types

format: tools
	@.venv/bin/python -m ruff check --fix --exit-zero --quiet
	@.venv/bin/python -m ruff format

golden: setup tools
	@.venv/bin/python -m tests.golden.write $(GAMES)

types: tools
	@PYTHONPATH=src .venv/bin/python tools/page_types.py

pictures: tools
	@PYTHONPATH=src .venv/bin/python -m tests.browser.pictures

pins:
	@$(PYTHON) tools/pins.py

bench:
	@$(PYTHON) tools/setup.py bench
	@.venv/bin/python -m bench $(BENCH)

load: setup
	@.venv/bin/python -m bench.load $(LOAD)

clean:
	rm -rf .venv .venv-bench build web/node_modules src/grandtour/server/page
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests bench tools -name __pycache__ -type d -prune -exec rm -rf {} +
