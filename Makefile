# make         set up .venv and run the demo
# make test    set up .venv, then the formatters, the linters and the tests
# make lint    the formatters and linters alone
# make format  let the formatters and the linters fix what they can
# make fuzz    set up .venv and read N damaged files, N=100000 for instance (tests/fuzz)
# make bench   set up .venv and run the benchmark

PYTHON ?= python3
N ?= 10000
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: demo test lint fuzz bench format

demo: .venv/ready
	@echo "== The campaigns of config.yaml, into results/"
	snakemake --cores all

# Made anew from the pinned packages whenever they change; `ready` is the last thing that is written.
.venv/ready: requirements.lock
	@echo "== The environment in .venv, which takes about a minute"
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("nonresponse needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	touch .venv/ready

test: lint
	@echo "== The tests"
	pytest

lint: .venv/ready
	@echo "== Formatters and linters"
	snakefmt --check Snakefile workflow
	ruff format --check
	ruff check
	mypy
	python tests/project/lint_workflow.py

fuzz: .venv/ready
	@echo "== Damaged files, each read by our readers and by a naive one"
	PYTHONPATH=scripts:tests python -m fuzz --cases $(N)

bench: .venv/ready
	@echo "== The stages, beside bare reading, joining and grouping"
	python tests/benchmarks/benchmark.py
	@echo "== The reliability analyses"
	python tests/benchmarks/benchmark_reliability.py
	@echo "== The workflow, and what re-scoring costs"
	python tests/benchmarks/benchmark_workflow.py

format: .venv/ready
	@echo "== What the formatters and the linter can fix by themselves"
	snakefmt Snakefile workflow
	ruff format
	ruff check --fix
