import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import Team
from catalogue.methods import METHODS
from materials.models import ImportedMethod
from materials.resolving import params_of, resolve, resolve_all


def test_it_works(team: Team) -> None:
    ImportedMethod.objects.create(
        team=team, name="imported:GPT", title="GPT", params={"shots": 3}, source="a chat", signed=False
    )
    method = resolve("imported:GPT", team)
    assert (method.label, method.family, method.citation) == ("GPT (imported)", "imported", "a chat")
    assert not method.signed and not method.complete
    assert params_of(method) == {"shots": 3}


def test_computed_methods_are_the_catalogue_s(team: Team, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert resolve("lime", team) is METHODS["lime"]
    assert params_of(METHODS["lime"])["samples"] == 200


def test_the_order_given_is_kept_and_asked_for_at_once(
    team: Team, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for title in ("a", "b"):
        ImportedMethod.objects.create(team=team, name=f"imported:{title}", title=title)
    with django_assert_num_queries(1):
        assert list(resolve_all(["imported:b", "random", "imported:a"], team)) == ["imported:b", "random", "imported:a"]


def test_another_team_s_import_is_not_looked_at(team: Team) -> None:
    ImportedMethod.objects.create(
        team=Team.objects.create(name="Another lab"), name="imported:GPT", title="GPT", signed=False
    )
    assert resolve("imported:GPT", team).signed


def test_an_unknown_method_is_told_apart(team: Team) -> None:
    with pytest.raises(KeyError):
        resolve("magic", team)
