"""Methods from outside: read from their source, refused with a reason."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from catalogue.external import ExternalError, add_methods, read_method
from catalogue.methods import ALL_KINDS, METHODS, PIECES, Method

SOURCE = '''
import a_module_that_nobody_has

PEEKAWORD = {"length": {"label": "Word length", "citation": "We 2026", "signed": False, "classifier_kinds": ["lstm"]}}


def length(classifier, batch, target, power: float = 2.0, *, of: str = "pieces"):
    """How long a word is

    And much more.
    """


def bare(classifier, batch, target):
    return None


def needy(classifier, batch, target, power):
    return None


def computed(classifier, batch, target, power=2 * 3):
    return None
'''
Write = Callable[[str], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "outsiders", raising=False)

    def put(source: str) -> None:
        (tmp_path / "outsiders.py").write_text(source, encoding="utf-8")

    put(SOURCE)
    return put


def test_it_works_without_importing_anything(write: Write) -> None:
    method = read_method("outsiders:length")
    assert method.name == "length" and method.label == "Word length" and method.citation == "We 2026"
    assert method.description == "How long a word is." and method.family == "external"
    assert not method.signed and not method.complete and method.classifier_kinds == ("lstm",)
    assert [(p.name, p.default) for p in method.parameters] == [
        ("power", 2.0),
        ("of", "pieces"),
        ("pieces", PIECES.default),
    ]
    assert method.function == "outsiders:length" and "outsiders" not in sys.modules


def test_a_function_without_facts_has_sensible_ones(write: Write) -> None:
    method = read_method("outsiders:bare")
    assert (method.label, method.signed, method.classifier_kinds) == ("Bare", True, ALL_KINDS)


def test_adding_twice_changes_nothing_and_leaves_ours(write: Write) -> None:
    methods: dict[str, Method] = dict(METHODS)
    add_methods(["outsiders:bare"], methods)
    add_methods(["outsiders:bare"], methods)
    assert list(methods) == [*METHODS, "bare"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("length", "expected package.module:function"),
        ("outsiders:", "expected package.module:function"),
        ("no_such_module:f", "there is no module no_such_module; is it on PYTHONPATH?"),
        ("no_such_package.module:f", "cannot be found"),
        ("outsiders:absent", "there is no function absent in outsiders"),
        ("outsiders:needy", "parameters with defaults"),
        ("outsiders:computed", "the default of power must be a number"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_the_reason(write: Write, path: str, reason: str) -> None:
    with pytest.raises(ExternalError) as error:
        read_method(path)
    assert str(error.value).startswith(f"{path}: ") and reason in str(error.value)


@pytest.mark.parametrize("facts", ['{"bare": {"lable": "x"}}', '{"bare": {"signed": 1}}', '{"bare": 3}'])
def test_wrong_facts_are_named(write: Write, facts: str) -> None:
    write(SOURCE.replace("PEEKAWORD = {", f"PEEKAWORD = {facts}\nOLD = {{"))
    with pytest.raises(ExternalError, match="PEEKAWORD says .* wrongly; it may say label, family"):
        read_method("outsiders:bare")


def test_source_that_is_no_python_is_refused(write: Write) -> None:
    write("def bare(:")
    with pytest.raises(ExternalError, match="outsiders.py, line 1"):
        read_method("outsiders:bare")


def test_the_name_of_one_of_ours_is_taken(write: Write) -> None:
    write("def lime(classifier, batch, target):\n    return None\n")
    with pytest.raises(ExternalError, match="there is a method lime already"):
        add_methods(["outsiders:lime"], dict(METHODS))
