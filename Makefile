# Every target does its own set-up: a fresh machine needs Python 3.11 and make.
PYTHON ?= python3.11
VENV ?= .venv
PIP = $(VENV)/bin/pip install --quiet --constraint constraints.txt
RUN = $(VENV)/bin/python
ARGS ?=
# One more than cores, as tests often wait for servers; each holds servers and a browser of its own, so not many more.
PROCESSES = $(shell $(RUN) -c "import os; print(min(4, (os.cpu_count() or 1) + 1))")

.PHONY: demo serve test check docs site messages audit lock clean

demo: $(VENV)/.demo  ## From nothing to a live campaign in the browser
	$(RUN) manage.py demo $(ARGS)

serve: $(VENV)/.demo  ## The same servers, without the demo's campaign
	$(RUN) manage.py serve $(ARGS)

test: $(VENV)/.dev  ## All tests, on real servers and a real browser
	$(RUN) -m pytest --numprocesses $(PROCESSES) --dist loadfile --no-loadscope-reorder $(ARGS)

check: $(VENV)/.dev  ## What CI checks besides the tests
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(RUN) manage.py check
	SECRET_KEY=$$($(RUN) -c 'import secrets; print(secrets.token_urlsafe(64))') \
		DATABASE_URL=postgres://peekaword@localhost/peekaword REDIS_URL=redis://localhost ALLOWED_HOSTS=peekaword.example \
		$(RUN) manage.py check --deploy --fail-level WARNING
	$(RUN) manage.py makemigrations --check --dry-run
	$(MAKE) site

docs: $(VENV)/.dev  ## Write the pages of docs/ that are made from the catalogue and the models
	$(RUN) -m catalogue.documenting > docs/methods.md
	$(RUN) -m catalogue.documenting metrics > docs/metrics.md
	$(RUN) -m catalogue.documenting_answers > docs/known_answers.md
	DJANGO_SETTINGS_MODULE=config.settings $(RUN) -m config.documenting > docs/data_dictionary.md

site: $(VENV)/.dev  ## The documentation as a site in var/docs; a link that leads nowhere is an error
	$(RUN) -m sphinx --quiet --nitpicky --fail-on-warning --keep-going -d var/doctrees docs var/docs

messages: $(VENV)/.dev  ## Bring locale/*.po up to the templates and the code, and compile the .mo
	$(RUN) manage.py messages

audit: $(VENV)/.dev  ## Ask OSV for known holes in the pinned versions; says so where it cannot be reached
	$(RUN) manage.py audit

lock: $(VENV)/.dev  ## Write down the versions that are installed now
	$(VENV)/bin/pip freeze --exclude-editable --exclude peekaword | sed 's/+cpu$$//' > constraints.txt

clean:
	rm -rf $(VENV) var

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing Peekaword into $(VENV) (a minute or two, once)"
	$(PIP) --editable '.[workers,embedded,demo]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing Peekaword with its tests into $(VENV) (a minute or two, once)"
	$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.demo
