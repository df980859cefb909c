"""Docs that fall behind the code fail here."""

import re
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
    assert read - {"PEEKAWORD_EMBEDDED"} == documented


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
