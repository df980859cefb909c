"""The wizard's section on where workers come from, posted as a browser does."""

from typing import Any

import pytest

from accounts.models import Team, User
from campaigns.models import Campaign
from materials.models import Classifier, Dataset
from recruitment import PROVIDERS
from recruitment.outcomes import OTHERS
from tests.campaigns.test_campaign_new import URL, answers
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"neg": 15, "pos": 15})


@pytest.fixture
def classifier(dataset: Dataset) -> Classifier:
    classifier = judge(dataset.team, ["neg", "pos"])
    predict_right(dataset, classifier, wrong=0)
    return classifier


def made(user: User, dataset: Dataset, classifier: Classifier, **changes: Any) -> Campaign:
    response = signed_in(user).post(URL, answers(dataset, classifier, **changes))
    assert response.status_code == 302, response.content.decode()
    return Campaign.objects.get()


def test_it_works(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    campaign = made(
        alice,
        dataset,
        classifier,
        recruitment="panel",
        worker_parameter="rid",
        declined_code="NO1",
        declined_message="Bye.",
        returned_redirect="https://panel.example/r?s={session}",
        **{"panel-captured": "session, country"},
    )
    assert (campaign.recruitment, campaign.worker_parameter) == ("panel", "rid")
    assert campaign.recruitment_settings == {"captured": "session, country"}
    assert campaign.exits == {
        "declined": {"code": "NO1", "redirect": "", "message": "Bye."},
        "returned": {"code": "", "redirect": "https://panel.example/r?s={session}", "message": ""},
    }


def test_every_provider_and_outcome_is_offered_with_codes_of_their_own(
    alice: User, dataset: Dataset, classifier: Classifier
) -> None:
    page = signed_in(alice).get(URL + "?protocol=topk_guess&dataset=films&classifier=critic").content.decode()
    assert all(provider.summary.replace("'", "&#x27;") in page for provider in PROVIDERS.values())
    codes = [page.split(f'name="{name}_code" value="')[1].split('"')[0] for name in OTHERS]
    assert len(set(codes)) == len(OTHERS) and all(len(code) == 8 for code in codes)


@pytest.mark.parametrize(("recruitment", "parameter"), [("prolific", "PROLIFIC_PID"), ("mturk_protocol", "workerId")])
def test_a_provider_that_names_its_workers_decides_the_parameter(
    alice: User, dataset: Dataset, classifier: Classifier, recruitment: str, parameter: str
) -> None:
    assert made(alice, dataset, classifier, recruitment=recruitment, worker_parameter="x").worker_parameter == parameter


def test_nothing_said_is_an_open_link_without_codes(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    campaign = made(alice, dataset, classifier)
    assert (campaign.recruitment, campaign.exits, campaign.recruitment_settings) == ("open_link", {}, {})


def test_a_host_that_takes_assignments_back_needs_no_code(
    alice: User, dataset: Dataset, classifier: Classifier
) -> None:
    assert made(alice, dataset, classifier, recruitment="mturk_protocol", completion_code="").completion_code == ""


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"recruitment": "carrier pigeons"}, "Select a valid choice"),
        ({"declined_code": "C0DE"}, "“Completed” has this code already"),
        ({"declined_code": "A", "full_code": "A"}, "“Declined” has this code already"),
        ({"full_redirect": "https://x.org/?c={code}"}, "Give a code to fill the place of {code}"),
        ({"returned_redirect": "javascript:alert(1)"}, "Expected a web address"),
        ({"timed_out_redirect": "https://app.prolific.co/x"}, "app.prolific.com"),
        ({"recruitment": "panel", "panel-captured": "a b"}, "cannot be a parameter&#x27;s name"),
    ],
)
def test_what_cannot_work_is_said_beside_its_field(
    alice: User, dataset: Dataset, classifier: Classifier, changes: dict[str, Any], says: str
) -> None:
    response = signed_in(alice).post(URL, answers(dataset, classifier, **changes))
    assert response.status_code == 200 and not Campaign.objects.exists()
    assert says in response.content.decode()


def test_settings_of_a_provider_that_is_not_chosen_do_not_matter(
    alice: User, dataset: Dataset, classifier: Classifier
) -> None:
    campaign = made(alice, dataset, classifier, recruitment="open_link", **{"panel-captured": "a b"})
    assert campaign.recruitment_settings == {}


def test_a_draft_is_shown_again_as_it_was_saved(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    changes = {"recruitment": "panel", "worker_parameter": "rid", "panel-captured": "session", "full_code": "FULL1"}
    campaign = made(alice, dataset, classifier, **changes)
    page = signed_in(alice).get(f"/campaigns/{campaign.slug}/edit/").content.decode()
    assert 'name="full_code" value="FULL1"' in page and 'name="panel-captured" value="session"' in page
    assert 'value="panel" id="id_recruitment_4" checked' in page
