"""The workers' pages are translated wholly: nothing missing, nothing left over, nothing half filled in."""

import re

import polib
import pytest
from django.core.management.base import CommandError
from django.test import override_settings
from django.utils.translation import gettext, ngettext, override

from catalogue.languages import LANGUAGES, nearest
from config.extracting import Message, messages, proposals
from config.management.commands.messages import PLURALS, WIDTH, Command, forms_of, merged, po_path

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


def placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


@pytest.fixture(params=PLURALS)
def code(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def catalogue(code: str) -> polib.POFile:
    return polib.pofile(str(po_path(code)), wrapwidth=WIDTH)


def test_every_language_but_english_has_a_catalogue() -> None:
    assert set(PLURALS) == set(LANGUAGES) - {"en"}


def test_the_catalogue_holds_what_templates_and_code_say(code: str) -> None:
    """Run `make messages` where this fails, and translate what is new."""
    assert {Message(entry.msgid, entry.msgid_plural) for entry in catalogue(code)} == set(messages())


def test_nothing_is_missing_or_doubtful(code: str) -> None:
    file = catalogue(code)
    assert [entry.msgid for entry in file.untranslated_entries()] == []
    assert [entry.msgid for entry in file.fuzzy_entries()] == []


def test_what_is_filled_in_is_the_same(code: str) -> None:
    for entry in catalogue(code):
        if not entry.msgid_plural:
            assert placeholders(entry.msgstr) == placeholders(entry.msgid), entry.msgstr


def test_the_number_stands_in_the_plural_and_may_be_a_word_in_the_rest(code: str) -> None:
    for entry in catalogue(code):
        if entry.msgid_plural:
            wanted = placeholders(entry.msgid_plural)
            forms = [placeholders(form) for form in entry.msgstr_plural.values()]
            assert len(forms) == forms_of(code), entry.msgid
            assert forms[-1] == wanted and all(form <= wanted for form in forms), entry.msgstr_plural


def test_paragraphs_stay_paragraphs(code: str) -> None:
    for entry in catalogue(code):
        assert entry.msgstr.count("\n") == (0 if entry.msgid_plural else entry.msgid.count("\n")), entry.msgid


def test_the_compiled_catalogue_is_that_of_the_source(code: str) -> None:
    compiled = polib.mofile(str(po_path(code).with_suffix(".mo")))
    made = [(entry.msgid, entry.msgid_plural, entry.msgstr, entry.msgstr_plural) for entry in compiled]
    source = [(entry.msgid, entry.msgid_plural, entry.msgstr, entry.msgstr_plural) for entry in catalogue(code)]
    assert sorted(made, key=str) == sorted(source, key=str)


def test_merging_changes_nothing_more(code: str) -> None:
    assert str(merged(code, messages())) == str(catalogue(code))


@override_settings(LANGUAGE_CODE="en")
@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "لا كلمات مخفية"),
        (1, "كلمة مخفية واحدة"),
        (2, "كلمتان مخفيتان"),
        (3, "%(count)d كلمات مخفية"),
        (10, "%(count)d كلمات مخفية"),
        (11, "%(count)d كلمة مخفية"),
        (99, "%(count)d كلمة مخفية"),
        (100, "%(count)d كلمة مخفية"),
        (103, "%(count)d كلمات مخفية"),
    ],
)
def test_arabic_counts_in_six_ways(count: int, said: str) -> None:
    with override("ar"):
        assert ngettext("%(count)d hidden word", "%(count)d hidden words", count) == said


def test_french_counts_nothing_as_one() -> None:
    with override("fr"):
        assert ngettext("%(count)d hidden word", "%(count)d hidden words", 0) == "%(count)d mot caché"


def test_what_campaigns_start_from_is_there_in_every_language(code: str) -> None:
    with override(code):
        assert all(gettext(text) != text for text in proposals())


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("de", "de"), ("de-AT", "de"), ("fr_CA", "fr"), ("zh", "zh-hans"), ("zh-CN", "zh-hans"),
        ("zh-Hans-SG", "zh-hans"), ("zh-TW", ""), ("zh-Hant", ""),
        ("AR-eg", "ar"), ("pt", ""), ("", ""), ("*", ""), ("dem", ""),
    ],
)  # fmt: skip
def test_a_tag_finds_the_nearest_language(tag: str, code: str) -> None:
    assert nearest(tag) == code


def test_without_polib_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(CommandError, match="pip install 'peekaword\\[dev\\]'"):
        Command().handle(language=[])
