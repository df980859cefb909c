import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from lxml import etree

from accounts.models import Team, User
from materials.models import Classifier, Dataset, ImportedMethod, Text
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right, sha256
from tests.materials.heat import REVIEW, SCORES, explained


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"pos": 2, "neg": 1})


@pytest.fixture
def review(dataset: Dataset) -> Text:
    return Text.objects.create(dataset=dataset, key="review", content=REVIEW, content_hash=sha256(REVIEW), label="pos")


@pytest.fixture
def critic(review: Text) -> Classifier:
    classifier = judge(review.dataset.team, ["neg", "pos"])
    predict_right(review.dataset, classifier)
    return classifier


def address(text: Text, figure: str = "", query: str = "") -> str:
    name = "dataset_text_figure" if figure else "dataset_text"
    return reverse(name, args=[text.dataset.slug, text.pk, *([figure] if figure else [])]) + query


def page(user: User, text: Text, query: str = "") -> str:
    return signed_in(user).get(address(text, query=query)).content.decode()


def test_it_works(alice: User, review: Text, critic: Classifier) -> None:
    explained(review, critic, "lime", SCORES, params={"samples": 500, "kernel_width": 0.25}, special=[["[CLS]", 0.25]])
    explained(review, critic, "deeplift", SCORES, completeness_error=0.4, seconds=2.0)
    body = page(alice, review)
    assert "Gold label" in body and "0.900" in body and "2 heat maps" in body
    assert body.index(">DeepLIFT") < body.index(">LIME") and "samples = 500" in body and "kernel_width" not in body
    assert "completeness error <strong>40 %</strong>, large" in body and "2.0 s" in body and "500 ms" in body
    assert 'data-s="+0.9" data-r="1">great<' in body and '<span class="mono">[CLS]</span> +0.25' in body
    assert "1 word not seen" in body and "How alike the methods rank the words" in body


def test_an_edit_names_its_original(alice: User, review: Text, critic: Classifier) -> None:
    original = review.dataset.texts.get(key="pos0")
    assert "edit of" not in page(alice, review)
    Text.objects.filter(pk=review.pk).update(edit_of=original)
    body = page(alice, review)
    assert "edit of" in body and address(original) in body


def test_what_people_marked_stands_beside_the_maps(alice: User, review: Text, critic: Classifier) -> None:
    explained(review, critic, "lime", SCORES)
    assert "Marked by people" not in page(alice, review)
    Text.objects.filter(pk=review.pk).update(rationale=[[21, 25], [2, 9], [8, 13]])
    body = page(alice, review)
    assert '<span class="mark level-3">great f</span><span class="mark level-3">ilm,</span>' in body
    assert "Marked by people" in body and '<span class="mark level-3">dull</span>' in body


def test_graded_rationales_stand_there_too(alice: User, review: Text, critic: Classifier) -> None:
    explained(review, critic, "lime", SCORES)
    Text.objects.filter(pk=review.pk).update(rationale=[[2, 7, 0.5], [21, 25, 0], [8, 13, 3.0]])
    body = page(alice, review)
    assert '<span class="mark level-3">great</span>' in body and '<span class="mark level-3">film,</span>' in body
    assert '<span class="mark level-3">dull</span>' not in body


def test_the_display_can_be_chosen_without_a_script(alice: User, review: Text, critic: Classifier) -> None:
    explained(review, critic, "lime", SCORES)
    assert 'value="colour" checked' in page(alice, review)
    assert 'value="numbers" checked' in page(alice, review, "?display=numbers")
    assert 'value="colour" checked' in page(alice, review, "?display=none")


def test_imported_maps_stand_last_and_are_named_as_imported(alice: User, review: Text, critic: Classifier) -> None:
    ImportedMethod.objects.create(team=critic.team, name="imported:gpt", title="gpt", signed=False)
    explained(review, critic, "imported:gpt", [1.0] * 9)
    explained(review, critic, "random", SCORES)
    body = page(alice, review)
    assert body.index(">Random") < body.index(">gpt (imported)")
    assert "All scores of gpt (imported) are equal." in body


def test_each_map_says_what_its_method_does_and_where_it_comes_from(
    alice: User, review: Text, critic: Classifier
) -> None:
    ImportedMethod.objects.create(team=critic.team, name="imported:gpt", title="gpt", source="a chat")
    for method in ("random", "imported:gpt", "a_plug_in"):
        explained(review, critic, method, [1.0] * 9)
    body = page(alice, review)
    assert "<p>Words in a random order that is fixed for each text: what any method must beat. Lu et al. 2024," in body
    assert (
        "<p>Maps made elsewhere (a chat) and imported.</p>" in body and body.count('<details class="heat-about">') == 2
    )


def test_words_that_an_imported_map_does_not_score_are_not_said_to_be_unseen(
    alice: User, review: Text, critic: Classifier
) -> None:
    ImportedMethod.objects.create(team=critic.team, name="imported:gpt", title="gpt")
    explained(review, critic, "imported:gpt", SCORES)
    body = page(alice, review)
    assert "1 word without a score" in body and '<span class="w not-seen no-score">ending</span>' in body
    assert "it has no score for the word" in body and "not seen<" not in body and "never saw" not in body
    explained(review, critic, "lime", SCORES)
    body = page(alice, review)
    assert "1 word not seen" in body and "never saw the word. The same in an imported map: it has no score" in body
    latex = signed_in(alice).get(address(review, "tex")).content.decode()
    assert "1 word without a score" in latex and "Grey italics in an imported map: it has no score" in latex


def test_a_method_that_is_gone_still_has_a_map(alice: User, review: Text, critic: Classifier) -> None:
    explained(review, critic, "a_plug_in", SCORES)
    assert "a_plug_in" in page(alice, review)


def test_another_classifier_and_another_label_can_be_chosen(alice: User, review: Text, critic: Classifier) -> None:
    explained(review, critic, "lime", SCORES)
    explained(review, critic, "random", SCORES, target=0)
    explained(review, judge(critic.team, ["neg", "pos"], name="Rival"), "gradient", SCORES)
    body = page(alice, review, "?classifier=critic")
    assert ">LIME" in body and ">Random" not in body and '<option value="rival"' in body
    assert ">Random" in page(alice, review, "?classifier=critic&target=neg")
    assert ">Gradient" in page(alice, review, "?classifier=rival")


def test_without_explanations_it_shows_the_text_and_says_what_to_do(alice: User, review: Text) -> None:
    body = page(alice, review)
    assert REVIEW in body and "No heat maps of this text yet" in body
    judge(review.dataset.team, ["neg", "pos"])
    predict_right(review.dataset, Classifier.objects.get())
    assert "0.900" in page(alice, review)


def test_one_walks_among_the_explained_texts(alice: User, review: Text, critic: Classifier) -> None:
    first = review.dataset.texts.earliest("pk")
    for text in (first, review):
        explained(text, critic, "lime", [1.0] * len(text.content.split()) if text == first else SCORES)
    body = page(alice, review)
    assert (
        f'rel="prev" data-keeps-display href="{address(first)}?classifier=critic"' in body and 'rel="next"' not in body
    )


def test_the_writing_direction_follows_the_text(alice: User, review: Text, critic: Classifier) -> None:
    content = "هذا الفيلم جميل"
    text = Text.objects.create(
        dataset=review.dataset, key="ar", content=content, content_hash=sha256(content), language="ar"
    )
    explained(text, critic, "lime", [0.1, 0.2, 0.3])
    assert 'dir="auto" lang="ar"' in page(alice, text)


def test_figures_are_of_all_maps_or_of_one(alice: User, review: Text, critic: Classifier) -> None:
    lime = explained(review, critic, "lime", SCORES)
    explained(review, critic, "random", SCORES)
    response = signed_in(alice).get(address(review, "svg"))
    assert response.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert response.headers["Content-Disposition"] == f'attachment; filename="text-{review.pk}.svg"'
    assert {"LIME", "Random"} <= set(etree.fromstring(response.content).itertext())
    latex = signed_in(alice).get(address(review, "tex", f"?map={lime}")).content.decode()
    assert r"\textbf{LIME}" in latex and "Random" not in latex


def test_a_figure_of_nothing_is_not_found(alice: User, review: Text, critic: Classifier) -> None:
    assert signed_in(alice).get(address(review, "svg")).status_code == 404
    explained(review, critic, "lime", SCORES)
    assert signed_in(alice).get(address(review, "svg", "?map=0")).status_code == 404
    assert signed_in(alice).get(address(review, "svg").replace(".svg", ".exe")).status_code == 404


def test_it_takes_the_same_queries_for_any_number_of_maps(alice: User, review: Text, critic: Classifier) -> None:
    client, counts = signed_in(alice), []
    for method in ("lime", "random", "gradient"):
        explained(review, critic, method, SCORES)
        with CaptureQueriesContext(connection) as queries:
            client.get(address(review))
        counts.append(len(queries))
    assert len(set(counts)) == 1 and counts[0] < 15


def test_the_table_of_texts_leads_here(alice: User, review: Text, critic: Classifier) -> None:
    explained(review, critic, "lime", SCORES)
    explained(review, critic, "random", SCORES)
    table = signed_in(alice).get(review.dataset.get_absolute_url()).content.decode()
    assert f'href="{address(review)}">review</a>' in table and f'href="{address(review)}">2<' in table


def test_other_methods_are_refused(alice: User, review: Text) -> None:
    assert signed_in(alice).post(address(review)).status_code == 405
    assert signed_in(alice).post(address(review, "svg")).status_code == 405


def test_another_team_s_is_not_found(charlie: User, review: Text, critic: Classifier) -> None:
    explained(review, critic, "lime", SCORES)
    assert signed_in(charlie).get(address(review)).status_code == 404
    assert signed_in(charlie).get(address(review, "svg")).status_code == 404


def test_a_reader_sees_it(bob: User, review: Text) -> None:
    assert REVIEW in page(bob, review)


def test_a_text_of_another_dataset_is_not_found(alice: User, review: Text) -> None:
    other = films(review.dataset.team, {"pos": 1}, name="Others")
    assert signed_in(alice).get(reverse("dataset_text", args=[other.slug, review.pk])).status_code == 404


def test_a_visitor_signs_in_first(client: Client, review: Text) -> None:
    assert client.get(address(review)).headers["Location"].startswith("/sign-in/")
