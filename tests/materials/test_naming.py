from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from accounts.models import Team
from materials.models import Classifier, Dataset
from materials.naming import free_slug
from materials.registering import add_classifier


def test_it_works(db: None) -> None:
    assert free_slug(Dataset, "Movie reviews, 2nd part") == "movie-reviews-2nd-part"


@pytest.mark.parametrize(
    ("name", "slug"), [("new", "new-2"), ("Import", "import-2"), ("映画", "dataset"), ("-", "dataset")]
)
def test_no_slug_hides_a_page_or_is_empty(db: None, name: str, slug: str) -> None:
    assert free_slug(Dataset, name) == slug


def test_a_taken_slug_is_numbered(team: Team) -> None:
    for slug in ("films", "films-2", "films-x"):
        Dataset.objects.create(team=team, name=slug, slug=slug)
    assert free_slug(Dataset, "Films") == "films-3"
    assert free_slug(Classifier, "Films") == "films"


def test_a_long_name_is_cut(team: Team) -> None:
    first = free_slug(Dataset, "x" * 120)
    Dataset.objects.create(team=team, name="x", slug=first)
    assert len(first) == 70 and free_slug(Dataset, "x" * 120) == f"{first}-2"


@pytest.mark.django_db(transaction=True)
def test_teams_that_name_things_alike_at_once_get_slugs_of_their_own() -> None:
    teams = [Team.objects.create(name=f"Lab {number}") for number in range(6)]

    def add(team: Team) -> str:
        try:
            return add_classifier(team, "BERT", "org/bert").slug
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        slugs = sorted(pool.map(add, teams))
    assert slugs == ["bert", "bert-2", "bert-3", "bert-4", "bert-5", "bert-6"]
