import pytest

from accounts.joining import TeamError, choose_team, ensure_team
from accounts.models import Team, User


def test_it_works(team: Team) -> None:
    assert choose_team("") == choose_team("Saliency lab") == team


def test_a_team_that_is_not_there_is_told_with_those_that_are(team: Team) -> None:
    with pytest.raises(TeamError, match="No team is called 'Lab': the teams are Saliency lab"):
        choose_team("Lab")


def test_one_of_several_must_be_named(team: Team) -> None:
    Team.objects.create(name="Saliency lab")
    with pytest.raises(TeamError, match="Which team"):
        choose_team("")
    with pytest.raises(TeamError, match="Several teams are called"):
        choose_team("Saliency lab")


@pytest.mark.django_db
def test_the_only_user_is_given_a_team() -> None:
    user = User.objects.create_user("root")
    assert choose_team("") == ensure_team(user) == Team.objects.get()
