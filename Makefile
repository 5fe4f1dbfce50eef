# make         set up .venv and run the demo
# make slurm   set up .venv with what profiles/slurm needs
# make test    set up .venv, then the formatters, the linters and the tests; with -j 2 mypy runs beside the tests
# make lint    the formatters and linters alone
# make format  let the formatters and the linters fix what they can
# make fuzz    set up .venv, and count N random campaigns of each kind beside a reference, N=10000 for instance
# make bench   run the benchmarks, for docs/performance.md; other programs get an environment of their own, .venv-peers
# make bench-peers  only those beside other programs
# make bench-scale  a hundred million answers on this machine, which takes some ten minutes
# make gallery  evaluate public results, into gallery/results
# make gallery-page  the same, and write docs/gallery.md
# make docs     write the generated pages of docs/, and build the site into site/
# make validation  simulate what the statistics claim, and write docs/validation.md
# make pictures  draw those of README.md: the idea, and the report in results/ as chromium shows it

PYTHON ?= python3
N ?= 10000
PIP = pip install --no-compile --quiet --disable-pip-version-check --require-hashes --requirement
# On all cores, which pip does not; no packages' own tests, which nobody loads
COMPILE = .venv/bin/python -m compileall -qq -j 0 -x /tests/ .venv/lib || true
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Two threads of a matrix product on a busy machine burn several times the time of one.
export OPENBLAS_NUM_THREADS := 1

.PHONY: demo slurm test pytest lint style types fuzz bench bench-peers bench-scale pictures gallery gallery-page format validation docs

# Compiled once, and not in each job, where PYTHONDONTWRITEBYTECODE is set; by content, so that no edit is missed.
demo: .venv/ready
	@echo "== The campaigns of config.yaml, into results/"
	@python -m compileall -q --invalidation-mode checked-hash src scripts
	snakemake --cores all

# Made anew from the pinned packages whenever they change; `ready` is the last thing that is written.
.venv/ready: requirements.lock
	@echo "== The environment in .venv, which takes about a minute"
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("nonresponse needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear .venv
	.venv/bin/python -m $(PIP) requirements.lock
	@$(COMPILE)
	@printf '%s\n' '#!$(CURDIR)/.venv/bin/python' \
	  'import sys; sys.path.insert(0, "$(CURDIR)/src"); from nonresponse.front.command import main; main()' > .venv/bin/nonresponse
	@chmod +x .venv/bin/nonresponse
	touch .venv/ready

slurm: .venv/slurm
	@echo "== .venv has what profiles/slurm needs"

# Apart, and the tests' too: Snakemake loads both it and pandas, which they bring, at every start where they are installed.
.venv/slurm: .venv/ready requirements-slurm.lock
	@echo "== SLURM's executor for Snakemake, into .venv"
	.venv/bin/python -m $(PIP) requirements-slurm.lock
	@$(COMPILE)
	touch .venv/slurm

.venv/test: .venv/ready requirements-test.lock
	@echo "== What the tests use besides, into .venv"
	.venv/bin/python -m $(PIP) requirements-test.lock
	@$(COMPILE)
	touch .venv/test

test: lint pytest

pytest: .venv/test
	@echo "== The tests"
	pytest

lint: style types

style: .venv/test
	@echo "== Formatters and linters"
	snakefmt --check Snakefile workflow
	ruff format --check
	ruff check
	python tests/project/lint_workflow.py

types: .venv/test
	@echo "== Types"
	mypy

fuzz: .venv/test
	@echo "== Random campaigns, each counted by ours and by a loop"
	FUZZ=$(N) pytest tests/fuzz

# Each keeps what it measured in a file of its own, and the page is written after each: what is cut short has measured
# something.
STAGES = benchmark benchmark_workflow benchmark_kernels
INTO = tools/benchmarks/measured
define measure
	@python -m compileall -q --invalidation-mode checked-hash src scripts
	@for each in $(1); do echo "== $$each"; \
	  python tools/benchmarks/$$each.py --into $(INTO) && $(2) || failed=1; done; exit $$failed
endef

bench: .venv/ready .venv-peers/ready
	@echo "== The benchmarks, which take some 15 minutes, and docs/performance.md"
	$(call measure,$(STAGES) benchmark_scaling benchmark_peers,python tools/benchmarks/page.py)

bench-peers: .venv/ready .venv-peers/ready
	@echo "== Other programs beside ours, and docs/performance.md"
	$(call measure,benchmark_peers,python tools/benchmarks/page.py)

bench-scale: .venv/ready
	@echo "== A hundred million answers, and docs/performance.md"
	python tools/benchmarks/benchmark_workflow.py --only scale --into $(INTO) && python tools/benchmarks/page.py

.venv-peers/ready: requirements-peers.lock
	@echo "== The environment of the other programs in .venv-peers, which takes about two minutes"
	$(PYTHON) -m venv --clear .venv-peers
	.venv-peers/bin/python -m $(PIP) requirements-peers.lock
	touch .venv-peers/ready

gallery: .venv/ready
	@echo "== Public results, into gallery/results"
	cd gallery && snakemake --snakefile fetch --cores all --quiet
	cd gallery && snakemake --snakefile ../Snakefile --cores all --configfile $$(cat data/configs)

gallery-page: gallery
	@echo "== docs/gallery.md"
	python tools/gallery_page.py --results gallery/results --gallery gallery --page docs/gallery.md
	for page in gallery/results/*/report.html; do case=$$(basename $$(dirname $$page)); \
	  [ ! -f gallery/$$case/config.yaml ] || $(call screen,$$case,900,$$page) || exit 1; done

define screen  # the first screen of a page, of so many pixels, as a picture
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1400,$(2) --virtual-time-budget=5000 \
	  --screenshot=docs/images/$(1).png "file://$(CURDIR)/$(3)"
endef

pictures: .venv/ready
	@echo "== The pictures of README.md"
	python tools/readme_picture.py --counts resources/penas-2011-table-3/counts.csv --output docs/images/unanswered.svg
	$(call screen,report,900,results/respubliqa-2009-simulated/report.html)

docs: .venv/test
	@echo "== The generated pages of docs/, and the site in site/"
	python tools/measures_page.py --output docs/measures.md
	python tools/abstention_page.py --page docs/abstention.md --figure docs/abstention.svg
	python tools/formats_page.py
	python tools/reference_pages.py
	python tools/reproduction
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict --quiet

validation: .venv/test
	@echo "== What the statistics claim, simulated in some 25 CPU minutes, and docs/validation.md"
	nice python tools/validation

format: .venv/test
	@echo "== What the formatters and the linter can fix by themselves"
	snakefmt Snakefile workflow
	ruff format
	ruff check --fix
