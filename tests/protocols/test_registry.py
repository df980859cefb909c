import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import get_template

from catalogue.baselines import BASELINES
from protocols import PROTOCOLS, Content, Edited, Map, Source
from protocols.displays import DISPLAYS
from tests.protocols import sources
from tests.protocols.rendering import rendered

ROOT = Path(__file__).resolve().parents[2]
# What an answer's button alone does not say.
BESIDE = {"rationale_marking": {"marked": {"words": ["0"]}}}


def source(name: str, **changes: Any) -> Source:
    """With as many maps as the protocol shows."""
    maps = [Map(sources.REVIEW_SCORES, True), Map(sources.REVIEW_SCORES[::-1], True)][: PROTOCOLS[name].maps]
    usual: dict[str, Any] = {"edited": Edited("A dull film.", "negative"), "expected": "positive", "maps": maps}
    return sources.source(**(usual | changes))


def record(name: str, **changes: Any) -> Content:
    return PROTOCOLS[name].stimulus(source(name, **changes))


def answers(name: str) -> list[dict[str, Any]]:
    """Everything that can be answered by pressing one button."""
    options = PROTOCOLS[name].context(record(name), {}, 0)["options"]
    return [{"answer": option.value} | BESIDE.get(name, {}).get(option.value, {}) for option in options]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_protocol_is_complete(name: str) -> None:
    protocol = PROTOCOLS[name]
    assert protocol.name == name
    assert protocol.version >= 1 and protocol.label and protocol.summary
    assert protocol.default_question and protocol.default_instructions
    assert get_template(protocol.template)
    assert not protocol.script or (ROOT / "static" / protocol.script).is_file()
    assert set(protocol.displays) <= DISPLAYS.keys() and set(protocol.baselines) <= BASELINES.keys()


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_answer_has_a_button_with_its_number_key_and_its_form_takes_it(name: str) -> None:
    page = rendered(PROTOCOLS[name], record(name))
    for number, answer in enumerate(answers(name), start=1):
        assert f'value="{answer["answer"]}" data-key="{number}"' in page
        assert PROTOCOLS[name].form(record(name), answer).is_valid()


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_answer_can_be_stored_scored_and_named(name: str) -> None:
    protocol = PROTOCOLS[name]
    for sent in answers(name):
        form = protocol.form(record(name), sent)
        assert form.is_valid()
        answer = json.loads(json.dumps(form.cleaned_data))
        value = protocol.score(answer, record(name), "positive")
        assert value is None or math.isfinite(value)
        assert protocol.label_of(answer) and protocol.feedback(answer, record(name), "positive")


@pytest.mark.parametrize("name", PROTOCOLS)
def test_records_and_arrangements_can_be_stored(name: str) -> None:
    content = record(name)
    assert json.loads(json.dumps(content)) == content
    arranged = PROTOCOLS[name].arrange(content, random.Random(1), random.Random(2))
    assert json.loads(json.dumps(arranged)) == arranged
    assert rendered(PROTOCOLS[name], content, arranged)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_defaults_of_the_settings_are_valid_and_can_be_stored(name: str) -> None:
    protocol = PROTOCOLS[name]
    if protocol.settings:
        usual = protocol.complete_settings({})
        form = protocol.settings(initial=usual)
        sent = {one: form[one].value() for one in form.fields}
        read = protocol.settings(sent)
        assert read.is_valid() and read.cleaned_data == usual == json.loads(json.dumps(usual))


@pytest.mark.parametrize("name", PROTOCOLS)
def test_wording_is_of_the_record(name: str) -> None:
    assert set(PROTOCOLS[name].wording) <= record(name).keys()


@pytest.mark.parametrize(
    ("name", "baseline"), [(name, one) for name, protocol in PROTOCOLS.items() for one in protocol.baselines]
)
def test_every_baseline_is_shown_without_a_map(name: str, baseline: str) -> None:
    content = record(name, maps=[], k=None, baseline=baseline, display="")
    page = rendered(PROTOCOLS[name], content)
    assert 'class="mark' not in page and 'class="stick' not in page


@pytest.mark.parametrize(
    ("name", "display"), [(name, one) for name, protocol in PROTOCOLS.items() for one in protocol.displays]
)
def test_every_display_is_named_in_the_record_with_its_version(name: str, display: str) -> None:
    protocol = PROTOCOLS[name]
    content = (protocol.example or protocol.stimulus)(source(name, display=display))
    assert f'"display": "{display}", "version": {DISPLAYS[display].version}' in json.dumps(content)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_page_holds_neither_scripts_nor_styles_of_its_own(name: str) -> None:
    page = rendered(PROTOCOLS[name], record(name))
    assert "<script" not in page and "style=" not in page and " on" + "click=" not in page


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_preview_cannot_be_sent(name: str) -> None:
    page = rendered(PROTOCOLS[name], record(name), preview=True)
    assert 'type="button"' in page and 'type="submit"' not in page


@pytest.mark.parametrize("name", PROTOCOLS)
def test_an_error_stands_beside_the_answers(name: str) -> None:
    page = rendered(PROTOCOLS[name], record(name), error="Choose an answer first.")
    assert '<p class="error" role="alert">Choose' in page


@pytest.mark.parametrize("name", PROTOCOLS)
def test_rendering_the_same_source_twice_gives_the_same_record(name: str) -> None:
    assert record(name) == record(name)


def test_the_documentation_names_every_protocol_and_display() -> None:
    text = (ROOT / "docs/protocols.md").read_text()
    assert [name for name in [*PROTOCOLS, *DISPLAYS] if f"| `{name}` |" not in text] == []
