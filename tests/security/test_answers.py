"""Whatever is sent as an answer: it is one of those that can be given, or it is refused in words."""

import json
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from judging.forms import read_key, read_sent
from protocols import PROTOCOLS, Content, Edited, Map
from tests.protocols.sources import REVIEW, source
from tests.security.nasty import TEXTS, UNSTORABLE

FIELDS = ("answer", "choice", "words", "most", "least", "useful", "own_0", "own_1", "step", "more", "q0", "confidence")
ODD = [
    *TEXTS.values(), *UNSTORABLE.values(), "", "0", "1", "-1", "3", "99999999999999999999", "1e9", "NaN", "\u0661",
    "positive",
    "negative", "cannot_tell", "marked", "nothing", "first", "second", "tie", "true", "[]", "None",
]  # fmt: skip
SENT = st.dictionaries(
    st.sampled_from(FIELDS), st.lists(st.sampled_from(ODD) | st.text(max_size=6), min_size=1, max_size=4), max_size=6
)


def content_of(name: str) -> Content:
    protocol = PROTOCOLS[name]
    scores = [at / 9 for at in range(9)]
    edited = Edited(REVIEW.replace("great", "poor"), "negative") if protocol.edits else None
    maps = [Map(scores, True), Map(scores[::-1], True)][: protocol.maps]
    return protocol.stimulus(
        source(maps=maps, edited=edited, settings=protocol.complete_settings({}), expected="positive")
    )


def posted(sent: dict[str, list[str]]) -> QueryDict:
    data = QueryDict(mutable=True)
    for name, values in sent.items():
        data.setlist(name, values)
    return data


@pytest.mark.parametrize("name", PROTOCOLS)
@examples(max_examples=60, deadline=None, derandomize=True)
@given(sent=SENT)
def test_it_works(name: str, sent: dict[str, list[str]]) -> None:
    protocol, content = PROTOCOLS[name], content_of(name)
    form = protocol.form(content, posted(sent))
    if not form.is_valid():
        assert all(str(error) for errors in form.errors.values() for error in errors)
        return
    answer = dict(form.cleaned_data)
    json.dumps(answer, allow_nan=False).encode()
    if protocol.steps(content):
        answer["step"] = 0
    score = protocol.score(answer, content, "positive")
    assert score is None or -10 <= score <= 10
    assert protocol.label_of(answer) and protocol.feedback(answer, content, "positive")
    assert not set(json.dumps(answer, ensure_ascii=False)) & {"\0", "\ud800"}


@pytest.mark.parametrize("name", PROTOCOLS)
def test_no_nasty_text_is_an_answer(name: str) -> None:
    content = content_of(name)
    for text in [*TEXTS.values(), *UNSTORABLE.values()]:
        assert not PROTOCOLS[name].form(content, posted({"answer": [text]})).is_valid()


@examples(max_examples=60, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from(["response_ms", "active_ms", "away_ms", "away_count", "width", "scheme"]),
                       st.sampled_from(ODD) | st.text(max_size=8)))  # fmt: skip
def test_what_comes_along_is_a_number_within_bounds_or_nothing(sent: dict[str, str]) -> None:
    found = read_sent(sent)
    told: list[Any] = [found.response_ms, found.active_ms, *found.shown.values()]
    json.dumps(found.shown, allow_nan=False)
    assert all(one is None or one in ("light", "dark") or 0 <= one <= 86_400_000 for one in told)


@examples(max_examples=60, deadline=None, derandomize=True)
@given(st.sampled_from(ODD) | st.text(max_size=30))
def test_a_key_is_a_number_that_the_database_has(raw: str) -> None:
    assert 0 <= read_key(raw) < 2**63
