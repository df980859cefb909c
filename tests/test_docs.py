"""Docs that fall behind the code fail here."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

from django.core.management import get_commands

from config.documenting import document

ROOT = Path(__file__).resolve().parent.parent
APPS = {"accounts", "materials", "campaigns", "judging", "reports", "operations", "config"}


def test_every_setting_is_documented_and_every_documented_setting_is_read() -> None:
    names = ("settings.py", "environment.py", "web_server.py")
    sources = [(ROOT / "platform" / "config" / name).read_text() for name in names]
    read = set(re.findall(r'env(?:_\w+)?\("([A-Z_]+)"', "".join(sources)))
    documented = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE))
    compose = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    assert read - {"PEEKAWORD_EMBEDDED"} | compose == documented


def test_the_data_dictionary_says_what_the_models_say() -> None:
    assert (ROOT / "docs" / "data_dictionary.md").read_text() == document(), "make docs writes it anew"


def test_every_page_is_in_the_table_of_contents() -> None:
    contents = re.findall(r"^([a-z_]+)$", (ROOT / "docs" / "index.md").read_text(), re.MULTILINE)
    assert sorted(page.stem for page in (ROOT / "docs").glob("*.md") if page.stem != "index") == sorted(contents)


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    commands = [name for name, app in get_commands().items() if app in APPS]
    assert commands and [name for name in commands if f"manage.py {name}" not in readme] == []


def test_every_make_target_that_the_readme_names_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`?make ([a-z]+)", (ROOT / "README.md").read_text()))
    assert named and named <= targets


def test_every_file_that_the_docs_link_to_exists() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())]
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []


# What leads a reader through the pages: here what is bold is the name of one, or of a button, but for the beginning of
# a paragraph, which ends in a full stop, and a stressed word, which has a small letter.
GUIDES = [
    "accounts", "archives", "assignment", "backup", "campaigns", "care", "classifiers", "client", "deployment",
    "explanations", "importing", "passport", "prolific_study", "quick_start", "recruiting", "report_files", "webhooks",
]  # fmt: skip
SHOWN = re.compile(r"<(a|button|summary|h1|h2|h3|th|label|legend|span|p)\b[^>]*>(.*?)</\1>", re.DOTALL)
PARTS = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|<[^>]+>", re.DOTALL)


def _names_on_pages() -> Iterator[str]:
    """All that stands by itself on a page, or in the code as what a page says."""
    for template in (ROOT / "templates").rglob("*.html"):
        for _, shown in SHOWN.findall(template.read_text()):
            yield from (PARTS.sub("", shown), *PARTS.split(shown))
    for module in (ROOT / "platform").rglob("*.py"):
        yield from re.findall(r'"([^"\n]{2,80})"', module.read_text())


def _bold(page: Path) -> Iterator[str]:
    prose = re.sub(r"`[^`]*`|^ {4,}.*$", "", page.read_text(), flags=re.MULTILINE)
    for found in re.findall(r"\*\*([^*]+)\*\*", prose):
        for name in re.split(r" / |, (?=[A-Z])", " ".join(found.split())):
            if name[0].isupper() and not name.endswith((".", ":")):
                yield name


def test_every_page_and_button_that_a_guide_names_exists() -> None:
    known = {" ".join(html.unescape(name).split()).strip(" .:").casefold() for name in _names_on_pages()}
    pages = [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in GUIDES)]
    named = [(page.name, name) for page in pages for name in _bold(page)]
    assert len(named) > 40
    assert [(page, name) for page, name in named if name.casefold() not in known] == []
