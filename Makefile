# make        set up .venv and run the demo
# make test   set up .venv and run the formatter, the linters and the tests
# make fuzz   set up .venv and read N damaged files, N=100000 for instance (tests/fuzz)
# make bench  set up .venv and run the benchmark

PYTHON ?= python3
N ?= 10000
export PATH := $(CURDIR)/.venv/bin:$(PATH)
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: demo test fuzz bench format

demo: .venv/ready
	snakemake --cores all

# Made anew from the pinned packages whenever they change; `ready` is the last thing that is written.
.venv/ready: requirements.lock
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("nonresponse needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	touch .venv/ready

test: .venv/ready
	snakefmt --check Snakefile workflow
	ruff format --check
	ruff check
	python tests/lint_workflow.py
	pytest

fuzz: .venv/ready
	PYTHONPATH=scripts:tests python -m fuzz --cases $(N)

bench: .venv/ready
	python tests/benchmark.py
	python tests/benchmark_reliability.py
	python tests/benchmark_workflow.py

format: .venv/ready
	snakefmt Snakefile workflow
	ruff format
	ruff check --fix
