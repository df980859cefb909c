import pytest
from django.template.loader import get_template

from protocols import PROTOCOLS, Edited, Source
from tests.protocols import sources
from tests.protocols.rendering import rendered

# What an answer's button alone does not say.
BESIDE = {"rationale_marking": {"marked": {"words": ["0"]}}}


def source() -> Source:
    return sources.source(edited=Edited("A dull film.", "negative"), expected="positive")


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_protocol_is_complete(name: str) -> None:
    protocol = PROTOCOLS[name]
    assert protocol.name == name
    assert protocol.version >= 1 and protocol.label and protocol.summary
    assert protocol.default_question and protocol.default_instructions
    assert get_template(protocol.template)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_answer_has_a_button_with_its_number_key_and_its_form_takes_it(name: str) -> None:
    protocol = PROTOCOLS[name]
    content = protocol.stimulus(source())
    page = rendered(protocol, content)
    for number, option in enumerate(protocol.context(content, {}, 0)["options"], start=1):
        assert f'value="{option.value}" data-key="{number}"' in page
        beside = BESIDE.get(name, {}).get(option.value, {})
        assert protocol.form(content, {"answer": option.value} | beside).is_valid()


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_preview_cannot_be_sent(name: str) -> None:
    protocol = PROTOCOLS[name]
    page = rendered(protocol, protocol.stimulus(source()), preview=True)
    assert 'type="button"' in page and 'type="submit"' not in page


@pytest.mark.parametrize("name", PROTOCOLS)
def test_an_error_stands_beside_the_answers(name: str) -> None:
    protocol = PROTOCOLS[name]
    assert '<p class="error" role="alert">Choose' in rendered(
        protocol, protocol.stimulus(source()), error="Choose an answer first."
    )


@pytest.mark.parametrize("name", PROTOCOLS)
def test_rendering_the_same_source_twice_gives_the_same_record(name: str) -> None:
    assert PROTOCOLS[name].stimulus(source()) == PROTOCOLS[name].stimulus(source())
