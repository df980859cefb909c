"""Readers read the protocols' real pages."""

import random
from collections import Counter
from typing import Any

import lxml.html
import pytest
from lxml.html import HtmlElement

from judging.minds import READERS
from judging.minds.foretelling import study
from judging.minds.reading import marks, scales
from judging.simulating import KINDS, Kind, Lexicon, Mind
from protocols import PROTOCOLS, Content, Edited, Map, Source
from protocols.displays import ALL
from tests.protocols.rendering import rendered
from tests.protocols.sources import source as plain

LEXICON = Lexicon().learn([("a great film", "positive"), ("great fun", "positive"), ("a dull film", "negative")])
# A great film , with a dull ending .
FOR, AGAINST = (0, 9, 0, 0, 0, 0, -6, 0, 0), (0, 0, 0, 0, 0, 0, 9, 0, 0)


def mind(kind: Kind = "honest", seed: int = 0) -> Mind:
    return Mind(kind, LEXICON, random.Random(seed), Lexicon())


def source(name: str, **changes: Any) -> Source:
    maps = [Map(FOR, True), Map(AGAINST, True)][: PROTOCOLS[name].maps]
    settings = PROTOCOLS[name].complete_settings(changes.pop("settings", {}))
    usual: dict[str, Any] = {"maps": maps, "expected": "positive", "settings": settings}
    usual["edited"] = Edited("A great film, with a great ending.", "positive")
    return plain(**(usual | changes))


def page(name: str, presentation: dict[str, Any] | None = None, step: int = 0, **changes: Any) -> HtmlElement:
    return page_of(name, PROTOCOLS[name].stimulus(source(name, **changes)), presentation, step)


def page_of(name: str, content: Content, presentation: dict[str, Any] | None = None, step: int = 0) -> HtmlElement:
    shown = rendered(PROTOCOLS[name], content, presentation, step)
    return lxml.html.document_fromstring(f"<form>{shown}</form>")


def answers(name: str, shown: HtmlElement, kind: Kind = "honest", times: int = 40) -> list[dict[str, Any]]:
    return [READERS[name].answer(mind(kind, seed), shown) for seed in range(times)]


def mean(given: list[dict[str, Any]], key: str = "answer") -> float:
    return sum(float(one[key]) for one in given) / len(given)


def test_every_protocol_has_a_reader() -> None:
    assert list(READERS) == list(PROTOCOLS)


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_one_that_the_form_takes(name: str, kind: Kind) -> None:
    content = PROTOCOLS[name].stimulus(source(name))
    for given in answers(name, page_of(name, content), kind):
        assert "more" in given or PROTOCOLS[name].form(content, given).is_valid(), given


@pytest.mark.parametrize("name", ["topk_guess", "forward_simulation"])
def test_an_honest_worker_mostly_guesses_what_the_words_say(name: str) -> None:
    shown = page(name, content="A dull, dull film", maps=[Map((1, 1, 0, 1, 1), True)])
    given = Counter(one["answer"] for one in answers(name, shown))
    assert given["negative"] > 30


def test_who_sees_no_known_word_often_cannot_tell() -> None:
    nothing = page("topk_guess", content="zebra", maps=[Map((1,), True)])
    assert Counter(one["answer"] for one in answers("topk_guess", nothing))["cannot_tell"] > 5


@pytest.mark.parametrize("name", ["topk_guess", "forward_simulation", "pairwise", "counterfactual_simulation"])
def test_a_malicious_worker_turns_answers_round(name: str) -> None:
    shown = page(name)
    honest = Counter(one["answer"] for one in answers(name, shown)).most_common(1)[0][0]
    turned = Counter(one["answer"] for one in answers(name, shown, "malicious"))
    assert turned[honest] < 20


def test_a_careless_worker_spreads_over_all_answers() -> None:
    given = {one["answer"] for one in answers("topk_guess", page("topk_guess"), "careless", times=60)}
    assert given == {"negative", "positive", "cannot_tell"}


def test_words_are_uncovered_until_they_are_enough() -> None:
    content = PROTOCOLS["reveal"].stimulus(source("reveal", maps=[Map((3, 1, 4, 0, 5, 6, 2, 7, 0), True)]))
    last = PROTOCOLS["reveal"].steps(content)
    first, whole = (answers("reveal", page_of("reveal", content, step=step)) for step in (0, last))
    assert sum("more" in one for one in first) > 30
    assert all("answer" in one for one in whole)
    assert all("answer" in one for one in answers("reveal", page_of("reveal", content), "careless"))


@pytest.mark.parametrize("display", ALL)
def test_marks_that_speak_for_the_prediction_are_rated_higher(display: str) -> None:
    good, bad = (page("rating", maps=[Map(scores, True)], display=display) for scores in (FOR, AGAINST))
    assert marks(good)[0].strength > 0.9 and marks(good)[-1].strength < 0
    assert mean(answers("rating", good)) > mean(answers("rating", bad)) + 1.5


def test_every_question_is_answered_on_its_scale() -> None:
    settings = {"beside": ["plausible"], "scale": "slider"}
    shown = page("rating", settings=settings)
    assert [(one.key, one.low, one.high) for one in scales(shown)] == [("answer", 0, 100), ("plausible", 0, 100)]
    good, bad = (answers("rating", shown, kind) for kind in ("honest", "malicious"))
    assert mean(good, "plausible") > 60 > 40 > mean(bad, "plausible")


def test_without_marks_a_rating_is_in_the_middle() -> None:
    shown = page("rating", maps=[], display="", baseline="no_explanation")
    assert mean(answers("rating", shown)) == pytest.approx(3, abs=0.4)


@pytest.mark.parametrize("left", ["first", "second"])
def test_the_side_that_agrees_is_preferred_wherever_it_stands(left: str) -> None:
    given = Counter(one["answer"] for one in answers("pairwise", page("pairwise", {"left": left})))
    assert given["first"] > 35


def test_maps_that_are_alike_are_a_tie_at_times() -> None:
    alike = page("pairwise", maps=[Map(FOR, True), Map(FOR, True)])
    assert Counter(one["answer"] for one in answers("pairwise", alike))["tie"] > 5


def test_strongly_marked_words_are_rated_important() -> None:
    content = PROTOCOLS["word_importance"].stimulus(source("word_importance"))
    strong, weak = (
        answers("word_importance", page_of("word_importance", content | {"word": place})) for place in (1, 2)
    )
    assert mean(strong) > 6 and mean(weak) < 2.5
    unframed = page_of("word_importance", content | {"word": None})
    assert mean(answers("word_importance", unframed)) == 1


def test_solved_examples_teach_words_and_marked_ones_the_more() -> None:
    example, forward = PROTOCOLS["forward_simulation"].example, "forward_simulation"
    assert example
    solved = page_of(forward, example(source(forward, predicted="negative")))
    test = page(forward, content="A great ending.", maps=[Map((0, 0, 0, 0), True)])
    taught, other = mind(), mind()
    study(taught, solved)
    before, after = (one.evidence(["great"], ["negative", "positive"])["negative"] for one in (other, taught))
    assert after > before and taught.learnt.counts["negative"]["great"] > taught.learnt.counts["negative"]["film"]
    assert READERS[forward].answer(taught, test)["answer"] in ("negative", "positive")


def test_an_edit_that_removes_what_was_marked_changes_the_output() -> None:
    name = "counterfactual_simulation"
    kept = page(name, edited=Edited("A great, great film, with a dull ending.", "positive"))
    gone = page(name, edited=Edited("A dull film, with a dull ending.", "negative"))
    same, changed = (Counter(one["answer"] for one in answers(name, shown)) for shown in (kept, gone))
    assert same["positive"] > 30 and changed == {"negative": 40}


def test_telling_words_are_marked_and_the_rest_is_left() -> None:
    name = "rationale_marking"
    shown = page(name, settings={"picks": "both"})
    [first, *rest] = answers(name, shown)
    assert first["answer"] == "marked" and "1" in first["words"] and "5" not in first["words"]
    turned = READERS[name].answer(mind("malicious"), shown)
    assert not set(turned["words"]) & set(first["words"])


def test_where_no_word_is_telling_nothing_is_marked() -> None:
    shown = page("rationale_marking", content="zebra", maps=[])
    assert answers("rationale_marking", shown, times=1) == [{"answer": "nothing"}]
