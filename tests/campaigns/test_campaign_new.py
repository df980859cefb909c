import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Team, User
from campaigns.models import Campaign
from catalogue.methods import METHODS
from materials.models import Classifier, Dataset
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right

URL = "/campaigns/new/"


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"neg": 15, "pos": 15})


@pytest.fixture
def classifier(dataset: Dataset) -> Classifier:
    classifier = judge(dataset.team, ["neg", "pos"])
    predict_right(dataset, classifier, wrong=2)
    return classifier


def answers(dataset: Dataset, classifier: Classifier, **changes: Any) -> dict[str, Any]:
    return {
        "protocol": "topk_guess",
        "name": "Which words",
        "dataset": dataset.pk,
        "classifier": classifier.pk,
        "methods": ["random", "gradient"],
        "metrics": ["comprehensiveness", "sufficiency"],
        "texts_per_label": "10",
        "sample_seed": "1",
        "judge_against": "gold",
        "ks": "10, 5 ,5",
        "judgments_per_stimulus": "3",
        "most_per_worker": "20",
        "minutes_per_item": "10",
        "question": "What is it?",
        "cannot_tell": "on",
        "instructions": "Read.",
        "consent": "I agree.",
        "worker_parameter": "PROLIFIC_PID",
        "completion_code": "C0DE",
        "pay_per_worker": "2.00",
        "seconds_per_item": "20",
        **changes,
    }


def refused(client: Client, data: dict[str, Any]) -> str:
    response = client.post(URL, data)
    assert response.status_code == 200 and not Campaign.objects.exists()
    return response.content.decode()


def test_it_works(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    response = signed_in(alice).post(URL, answers(dataset, classifier))
    campaign = Campaign.objects.get()
    assert response.status_code == 302 and response.headers["Location"] == "/campaigns/which-words/"
    assert (campaign.state, campaign.team, campaign.protocol) == ("draft", dataset.team, "topk_guess")
    assert (campaign.methods, campaign.ks, campaign.cannot_tell) == (["gradient", "random"], [5, 10], True)


def test_first_it_asks_what_it_is_about(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    page = signed_in(alice).get(URL + "?dataset=films").content.decode()
    assert "Guess from the top words" in page and "Rate the highlights" in page
    assert '<option value="films" selected>' in page


def test_without_materials_it_says_what_to_bring(alice: User) -> None:
    page = signed_in(alice).get(URL).content.decode()
    assert "First bring the texts" in page and "/classifiers/new/" in page


def test_the_rest_is_proposed(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    page = signed_in(alice).get(URL + "?protocol=topk_guess&dataset=films&classifier=critic").content.decode()
    assert 'name="ks" value="2, 3, 5, 10, 20"' in page
    assert "Proposed so that no text is shown whole: the shortest that was looked at has 30 words." in page
    assert page.count("checked") >= 9 and "by the words you can see" in page


def test_ratings_have_no_words_to_show(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    client = signed_in(alice)
    page = client.get(URL + "?protocol=rating&dataset=films&classifier=critic").content.decode()
    assert 'name="ks"' not in page and 'name="cannot_tell"' not in page and 'name="judge_against"' not in page
    client.post(URL, answers(dataset, classifier, protocol="rating", displays=["colour"]))
    campaign = Campaign.objects.get()
    assert (campaign.ks, campaign.cannot_tell, campaign.judge_against) == ([], False, "prediction")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": ""}, "This field is required"),
        ({"methods": []}, "Choose at least one method"),
        ({"methods": ["magic"]}, "magic is not one of the available choices"),
        ({"ks": "0, 5"}, "from 1 to 10,000"),
        ({"ks": "five"}, "Give whole numbers by commas"),
        ({"ks": " , "}, "Give at least one number"),
        ({"ks": ",".join(map(str, range(1, 30)))}, "At most 20 numbers"),
        ({"texts_per_label": "15"}, "15 are wanted"),
        ({"texts_per_label": "14", "only_correct": "on"}, "only 13 texts to choose from with the label “neg”"),
        ({"texts_per_label": "0"}, "greater than or equal to 1"),
        ({"most_per_worker": "21"}, "the most is 20"),
        ({"judgments_per_stimulus": "0"}, "greater than or equal to 1"),
        ({"completion_code": ""}, "Workers need a code that shows that they are done"),
        ({"completion_code": "", "exit_redirect": "https://x.org/?cc={code}"}, "fills the place of {code}"),
        ({"exit_redirect": "ftp://x.org/"}, "Expected a web address that begins with https://"),
        ({"exit_redirect": "javascript:alert(1)"}, "Expected a web address"),
        ({"exit_redirect": "https://app.prolific.co/x"}, "app.prolific.com"),
        ({"protocol": "magic"}, "There is no protocol"),
        ({"pay_per_worker": "x"}, "Enter a number"),
        ({"pay_per_worker": "-1"}, "greater than or equal to 0"),
        ({"minutes_per_item": "2147483647"}, "less than or equal to 10080"),
        ({"seconds_per_item": "604801"}, "less than or equal to 604800"),
    ],
)
def test_what_cannot_work_is_said_beside_its_field(
    alice: User, dataset: Dataset, classifier: Classifier, changes: dict[str, Any], says: str
) -> None:
    page = refused(signed_in(alice), answers(dataset, classifier, **changes))
    assert says in page
    assert "errorlist" in page


def test_a_redirect_without_a_code_needs_none(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    data = answers(dataset, classifier, completion_code="", exit_redirect="https://panel.example/done?cc=K1")
    assert signed_in(alice).post(URL, data).status_code == 302


def test_labels_that_differ_are_refused(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    other = judge(dataset.team, ["LABEL_0", "LABEL_1"], name="Other")
    assert "are not among the classifier" in refused(signed_in(alice), answers(dataset, other))


def test_a_classifier_that_is_not_ready_is_not_offered(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    Classifier.objects.update(state="failed")
    assert "Select a valid choice" in refused(signed_in(alice), answers(dataset, classifier))


def test_two_of_one_name_get_two_addresses(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    client = signed_in(alice)
    for address in ("/campaigns/which-words/", "/campaigns/which-words-2/"):
        assert client.post(URL, answers(dataset, classifier)).headers["Location"] == address


def test_the_estimate_follows_the_form(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    client, url = signed_in(alice), reverse("campaign_estimate")
    page = client.post(url, answers(dataset, classifier, pay_per_worker="0.50")).content.decode()
    assert "<dd>80</dd>" in page and "<dd>240</dd>" in page and "<dd>12</dd>" in page
    assert "Less than 8 USD an hour" in page
    assert "Fill in the methods" in client.post(url, {"protocol": "topk_guess"}).content.decode()
    more = client.post(url, answers(dataset, classifier, texts_per_label="50", most_per_worker="100")).content.decode()
    assert "<dd>400</dd>" in more


def test_the_estimate_says_what_is_wrong_with_the_texts(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    data = answers(dataset, classifier, protocol="counterfactual_simulation")
    page = signed_in(alice).post(reverse("campaign_estimate"), data).content.decode()
    assert "No text of it is an edit of another" in page and "Fill in the methods" not in page


def test_the_sections_to_mend_are_named(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    page = refused(signed_in(alice), answers(dataset, classifier, ks="five", checks="- lost"))
    assert 'under <a href="#design">Design</a> and <a href="#quality">Quality</a>.' in page


def test_what_most_never_need_is_folded_until_it_is_used(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    client = signed_in(alice)
    folded = r'<details class="more"( open)?><summary>(Breaks|Choose the rules|Choose the languages)'
    chosen = {"block_size": "5", "rule_away": "on", "translations-de": "on", "name": ""}
    for changes, state in (({"name": ""}, ""), (chosen, " open")):
        found = re.findall(folded, refused(client, answers(dataset, classifier, **changes)))
        assert found == [(state, "Breaks"), (state, "Choose the rules"), (state, "Choose the languages")]


def test_the_estimate_says_how_long_computing_takes(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    client, url = signed_in(alice), reverse("campaign_estimate")
    assert "Computing" not in client.post(url, answers(dataset, classifier)).content.decode()
    Classifier.objects.update(seconds_per_piece=0.01)
    page = client.post(url, answers(dataset, classifier)).content.decode()
    assert re.search(r"<dt>Computing the maps</dt><dd>about [\d.]+ (min|h)</dd>", page)


def test_other_methods_are_refused(alice: User) -> None:
    client = signed_in(alice)
    assert client.delete(URL).status_code == client.get(reverse("campaign_estimate")).status_code == 405


def test_another_team_s_materials_are_not_offered(charlie: User, dataset: Dataset, classifier: Classifier) -> None:
    assert refused(signed_in(charlie), answers(dataset, classifier)).count("Select a valid choice") == 2


def test_a_reader_is_refused(bob: User, dataset: Dataset, classifier: Classifier) -> None:
    client = signed_in(bob)
    assert client.get(URL).status_code == client.post(URL, answers(dataset, classifier)).status_code == 403


def test_parameters_of_methods_can_be_set(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    data = answers(dataset, classifier, methods=["lime"]) | {"param-lime-samples": "500", "param-lime-ridge": ""}
    signed_in(alice).post(URL, data)
    campaign = Campaign.objects.get()
    assert campaign.method_params == {"lime": {"samples": 500}}
    assert "LIME (samples = 500)" in signed_in(alice).get(campaign.get_absolute_url()).content.decode()
    wizard = signed_in(alice).get(reverse("campaign_edit", args=[campaign.slug])).content.decode()
    assert 'name="param-lime-samples" value="500"' in wizard


def test_what_is_said_of_complete_methods_is_true_of_all(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    page = signed_in(alice).post(reverse("campaign_methods"), answers(dataset, classifier)).content.decode()
    assert "far from adding up" in page and "They add up" not in page
    complete = sum(one.complete and "transformer" in one.classifier_kinds for one in METHODS.values())
    assert page.count("Each map says how far its scores are from adding up.") == complete > 3


def test_a_parameter_that_cannot_be_is_said(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    page = refused(signed_in(alice), answers(dataset, classifier, methods=["lime"]) | {"param-lime-samples": "<many>"})
    assert "LIME: samples is &#x27;&lt;many&gt;&#x27;" in page and 'value="&lt;many&gt;"' in page


def test_only_methods_that_serve_the_classifier_are_offered(
    alice: User, dataset: Dataset, classifier: Classifier
) -> None:
    client, address = signed_in(alice), reverse("campaign_methods")
    assert (
        'value="attention_all" checked'
        in client.post(address, answers(dataset, classifier, methods=["attention_all", "lime"])).content.decode()
    )
    Classifier.objects.update(kind="lstm")
    page = client.post(address, answers(dataset, classifier, methods=["attention_all", "lime"])).content.decode()
    assert "attention_all" not in page and 'value="lime" checked' in page and "errorlist" not in page
    assert client.get(address).status_code == 405


def test_the_numbers_of_a_plan_come_along(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    client = signed_in(alice)
    brought = "texts=31&judgments_per_stimulus=7&most_per_worker=20&pay_per_worker=2.50&allocation=between"
    start = client.get(f"{URL}?protocol=rating&{brought}").content.decode()
    assert '<input type="hidden" name="texts" value="31">' in start and "This field is required" not in start
    page = client.get(f"{URL}?protocol=rating&dataset=films&classifier=critic&{brought}").content.decode()
    for name, value in {"texts_per_label": 16, "judgments_per_stimulus": 7, "pay_per_worker": "2.50"}.items():
        assert f'name="{name}" value="{value}"' in page


def test_numbers_of_a_plan_that_are_none_are_left_out(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    asked = "protocol=rating&dataset=films&classifier=critic&texts=-3&judgments_per_stimulus=many&allocation=odd"
    page = signed_in(alice).get(f"{URL}?{asked}").content.decode()
    assert 'name="texts_per_label" value="10"' in page and 'name="judgments_per_stimulus" value="5"' in page
