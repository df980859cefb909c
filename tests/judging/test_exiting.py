import pytest
from django.test import Client

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging.exiting import way_out
from judging.models import Participation
from recruitment.outcomes import OTHERS
from tests.judging.building import CODE, live_campaign, worker
from tests.judging.walking import arrive, page_of, press, text_of, to_first_item

State = Participation.State
EXITS = {name: {"code": f"code-of-{name}", "redirect": "", "message": f"Thanks, {name}."} for name in OTHERS}


@pytest.fixture
def prolific(team: Team) -> Campaign:
    return live_campaign(team, recruitment="prolific", exit_redirect="", exits=EXITS)


@pytest.mark.django_db
@pytest.mark.parametrize("state", [State.SCREENED_OUT, State.DECLINED, State.RETURNED, State.TIMED_OUT])
def test_it_works(client: Client, prolific: Campaign, state: State) -> None:
    page = text_of(client.get(page_of(worker(prolific, state=state))))
    assert f"code-of-{state}" in page and f"Thanks, {state}." in page
    assert f"https://app.prolific.com/submissions/complete?cc=code-of-{state}" in page
    assert CODE not in page and "please return your place" not in page
    assert not [name for name in OTHERS if name != state and f"code-of-{name}" in page]


@pytest.mark.django_db
def test_who_is_done_gets_the_code_of_completion_alone(client: Client, prolific: Campaign) -> None:
    page = text_of(client.get(page_of(worker(prolific, state=State.COMPLETED))))
    assert f"complete?cc={CODE}" in page and "code-of-" not in page


@pytest.mark.django_db
@pytest.mark.parametrize("state", [State.ARRIVED, State.CONSENTED, State.PRACTISED])
def test_no_code_is_in_a_page_before_its_outcome(client: Client, prolific: Campaign, state: State) -> None:
    wanda = worker(prolific, state=state)
    page = text_of(client.get(page_of(wanda)))
    assert CODE not in page and "code-of-" not in page
    assert way_out(wanda) == ("", "", way_out(wanda).exit) and not way_out(wanda).exit.url


@pytest.mark.django_db
@pytest.mark.parametrize("state", [State.SCREENED_OUT, State.DECLINED, State.RETURNED, State.TIMED_OUT])
@pytest.mark.parametrize("campaign_state", [Campaign.State.PAUSED, Campaign.State.CLOSED])
def test_the_way_out_is_still_there_when_the_study_has_stopped(
    client: Client, prolific: Campaign, state: State, campaign_state: str
) -> None:
    wanda = worker(prolific, state=state)
    Campaign.objects.update(state=campaign_state)
    page = text_of(client.get(page_of(wanda)))
    assert f"complete?cc=code-of-{state}" in page and 'value="agree"' not in page


@pytest.mark.django_db
def test_who_comes_to_a_full_study_is_sent_back_by_its_own_code(client: Client, prolific: Campaign) -> None:
    prolific.places.update(state=Place.State.FILLED)
    page = text_of(arrive(client, prolific, PROLIFIC_PID="late"))
    assert "complete?cc=code-of-full" in page and "Thanks, full." in page
    assert not Participation.objects.exists()


@pytest.mark.django_db
def test_who_could_not_start_leaves_as_from_a_full_study(client: Client, prolific: Campaign) -> None:
    wanda = worker(prolific)
    prolific.places.update(state=Place.State.FILLED)
    assert "complete?cc=code-of-full" in text_of(client.get(page_of(wanda)))


@pytest.mark.django_db
def test_a_study_that_is_closed_shows_no_code(client: Client, prolific: Campaign) -> None:
    Campaign.objects.update(state=Campaign.State.CLOSED)
    assert "code-of-" not in text_of(arrive(client, prolific, PROLIFIC_PID="late"))


@pytest.mark.django_db
def test_a_panel_takes_people_back_with_the_parameters_they_came_with(client: Client, team: Team) -> None:
    exits = {"declined": {"code": "", "redirect": "https://panel.example/no?s={session}", "message": ""}}
    campaign = live_campaign(team, recruitment="panel", worker_parameter="rid", exits=exits)
    response = press(client, arrive(client, campaign, rid="w1", session="a b"), choice="decline")
    assert "https://panel.example/no?s=a%20b" in text_of(response)


@pytest.mark.django_db
def test_a_host_of_mturks_protocol_is_posted_to_at_the_end_and_not_before(client: Client, team: Team) -> None:
    campaign = live_campaign(team, texts=1, recruitment="mturk_protocol", worker_parameter="workerId")
    came = {"workerId": "A1", "assignmentId": "asg-7", "hitId": "h", "turkSubmitTo": "https://www.mturk.com"}
    item = to_first_item(client, campaign, **came)
    assert "externalSubmit" not in text_of(item) and "asg-7" not in text_of(item)
    page = text_of(press(client, item, answer="positive"))
    assert '<form method="post" action="https://www.mturk.com/mturk/externalSubmit">' in page
    assert '<input type="hidden" name="assignmentId" value="asg-7">' in page
    assert '<input type="hidden" name="outcome" value="completed">' in page


@pytest.mark.django_db
def test_no_other_host_is_ever_posted_to(client: Client, team: Team) -> None:
    campaign = live_campaign(team, recruitment="mturk_protocol", exit_redirect="")
    parameters = {"assignmentId": "asg-7", "turkSubmitTo": "https://evil.example"}
    page = text_of(client.get(page_of(worker(campaign, state=State.COMPLETED, parameters=parameters))))
    assert "evil.example" not in page and "asg-7" not in page and CODE in page
