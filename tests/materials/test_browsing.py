"""The texts of a dataset, filtered and paged."""

import pytest
from django.db import connection
from django.urls import reverse

from accounts.models import Team, User
from materials import browsing
from materials.browsing import pieces_of
from materials.finding import texts_like
from materials.models import Dataset, Text
from tests.conftest import signed_in
from tests.materials.actors import films, judge, sha256

ROWS = [
    ("a", "A fine film about a ferry.", "pos", "", [[2, 6]]),
    ("b", "A dull film, and long.", "neg", "", None),
    ("c", "Ein feiner Film über Fähren.", "pos", "de", [[4, 10, 0.5], [0, 3, 0]]),
    ("d", "渡し舟の映画", "", "ja", None),
]


@pytest.fixture
def dataset(team: Team) -> Dataset:
    dataset = Dataset.objects.create(team=team, name="Films", slug="films", language="en")
    for key, content, label, language, rationale in ROWS:
        Text.objects.create(
            dataset=dataset, key=key, content=content, content_hash=sha256(content), label=label, language=language,
            rationale=rationale,
        )  # fmt: skip
    critic = judge(team, ["neg", "pos"])
    for key, label in (("a", "POS"), ("b", "pos"), ("d", "pos")):
        critic.predictions.create(text=dataset.texts.get(key=key), label=label, probabilities=[0.5, 0.5])
    return dataset


def keys(user: User, dataset: Dataset, **asked: str) -> str:
    response = signed_in(user).get(dataset.get_absolute_url(), asked)
    assert response.status_code == 200
    return "".join(line.text.key for line in response.context["lines"])


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, "abcd"),
        ({"label": "pos"}, "ac"),
        ({"language": "de"}, "c"),
        ({"rationale": "marked"}, "ac"),
        ({"rationale": "unmarked"}, "bd"),
        ({"prediction": "critic:right"}, "a"),
        ({"prediction": "critic:wrong"}, "b"),
        ({"prediction": "critic:missing"}, "c"),
        ({"q": "film"}, "abc"),
        ({"q": "FILM fer"}, "a"),
        ({"q": "映画"}, "d"),
        ({"q": "b"}, "b"),
        ({"q": "no such words"}, ""),
        ({"label": "pos", "q": "film", "rationale": "marked", "language": "de"}, "c"),
        # What makes no sense filters nothing.
        ({"label": "no such", "prediction": "other:right", "language": "\0"}, "abcd"),
    ],
)
def test_it_works(alice: User, dataset: Dataset, asked: dict[str, str], found: str) -> None:
    assert keys(alice, dataset, **asked) == found


def test_where_all_is_predicted_none_is_missing(alice: User, dataset: Dataset) -> None:
    text = dataset.texts.get(key="c")
    critic = dataset.team.classifiers.get()
    critic.predictions.create(text=text, label="neg", probabilities=[0.5, 0.5])
    page = signed_in(alice).get(dataset.get_absolute_url(), {"prediction": "critic:missing"}).context["page"]
    assert page.paginator.count == 0 and page.paginator.object_list.query.is_empty()


def test_what_was_chosen_is_told_and_kept_while_paging(
    alice: User, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsing, "ON_A_PAGE", 1)
    page = signed_in(alice).get(dataset.get_absolute_url(), {"q": "film", "page": "2"}).content.decode()
    assert "3 texts" in page and "2–2 of 3" in page and "q=film&amp;page=3" in page and "Clear" in page


def test_of_very_many_no_more_are_counted_than_anybody_reads(
    alice: User, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsing, "MOST_COUNTED", 1)
    assert "More than 1 texts" in signed_in(alice).get(dataset.get_absolute_url(), {"q": "film"}).content.decode()


def test_rationales_are_underlined(alice: User, dataset: Dataset) -> None:
    page = signed_in(alice).get(dataset.get_absolute_url()).content.decode()
    assert 'A <mark class="why">fine</mark> film' in page and 'Ein <mark class="why">feiner</mark> Film' in page


def test_an_excerpt_ends_in_a_mark_of_its_own(team: Team) -> None:
    text = Text(content="x" * 300, rationale=[[230, 260], [250, 300]])
    assert [(len(one.content), one.why) for one in pieces_of(text)] == [(230, False), (10, True), (1, False)]
    assert [one.content for one in pieces_of(Text(content="short"))] == ["short"]


@pytest.mark.parametrize("asked", ["' & | ! ( ) :* <->", "!!!", "a:b:c", "\\", "\0", "   "])
def test_nothing_that_is_typed_is_an_operator(team: Team, dataset: Dataset, asked: str) -> None:
    assert not texts_like(dataset.texts.all(), asked).exists()


def test_the_index_of_words_is_used(team: Team, dataset: Dataset) -> None:

    films(team, {"pos": 400}, name="Many")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("ANALYZE materials_text")
    assert "text_words" in texts_like(Text.objects.all(), "ferry").explain()


def test_a_dataset_without_choices_offers_none(alice: User, team: Team) -> None:
    dataset = films(team, {"pos": 2}, name="Plain")
    page = signed_in(alice).get(dataset.get_absolute_url()).content.decode()
    assert 'name="q"' in page and 'name="label"' not in page and 'name="prediction"' not in page


def test_imports_under_way_are_listed(alice: User, team: Team) -> None:
    team.imports.create(asked_by=alice, upload=f"{alice.pk}-{'x' * 22}", file="big.csv", asked={})
    page = signed_in(alice).get(reverse("dataset_list")).content.decode()
    assert "big.csv" in page and "Under way" in page
