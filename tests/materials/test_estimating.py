"""How long explaining takes, told before it starts."""

from decimal import Decimal

import pytest
from django.conf import LazySettings

from accounts.models import Team
from catalogue.costs import passes
from catalogue.methods import METHODS
from materials.estimating import Computing, estimate_computing
from materials.explaining import full_params
from materials.models import Classifier, Dataset, Explanation
from tests.materials.actors import films, judge

# 100 letters a text: 25 pieces beside the special ones, and 100 / 6 words.
PIECES = 27


@pytest.fixture
def dataset(team: Team) -> Dataset:
    dataset = films(team, {"pos": 20})
    dataset.texts.update(content="x" * 100)
    return dataset


@pytest.fixture
def classifier(team: Team) -> Classifier:
    return judge(team, ["pos", "neg"])


def explain_before(dataset: Dataset, classifier: Classifier, method: str, seconds: float, count: int) -> None:
    Explanation.objects.bulk_create(
        Explanation(
            text=text, classifier=classifier, method=method, params=full_params(method), target=0, starts=[], ends=[],
            scores=[], seconds=seconds,
        )
        for text in dataset.texts.all()[:count]
    )  # fmt: skip


def seconds(dataset: Dataset, classifier: Classifier, *methods: str, metrics: tuple[str, ...] = ()) -> float | None:
    found = estimate_computing(
        dataset.texts.all(), 10, classifier, {name: {} for name in methods}, {name: {} for name in metrics}
    )
    return found.seconds if found else None


@pytest.mark.django_db
def test_it_works_from_the_speed_of_the_classifier(dataset: Dataset, classifier: Classifier) -> None:
    classifier.seconds_per_piece = 0.001
    assert seconds(dataset, classifier, "gradient") == pytest.approx(10 * PIECES * 3 * 0.001)
    scored = seconds(dataset, classifier, "gradient", metrics=("comprehensiveness",))
    assert scored == pytest.approx(10 * PIECES * (3 + 5) * 0.001)


@pytest.mark.django_db
def test_metrics_share_a_text_or_run_its_methods_again(dataset: Dataset, classifier: Classifier) -> None:
    classifier.seconds_per_piece = 0.001
    words = 100 / 6
    both = seconds(dataset, classifier, "gradient", "random", metrics=("tau_loo",))
    assert both == pytest.approx(10 * PIECES * (3 + words) * 0.001)
    again = seconds(dataset, classifier, "gradient", "random", metrics=("max_sensitivity", "token_f1"))
    assert again == pytest.approx(10 * PIECES * (3 + 10 * 3) * 0.001)


@pytest.mark.django_db
def test_a_method_that_was_measured_takes_what_it_took(dataset: Dataset, classifier: Classifier) -> None:
    classifier.seconds_per_piece = 0.001
    explain_before(dataset, classifier, "lime", seconds=2.5, count=5)
    assert seconds(dataset, classifier, "lime") == pytest.approx(25)
    assert seconds(dataset, classifier, "lime", "gradient") == pytest.approx(25 + 10 * PIECES * 3 * 0.001)


@pytest.mark.django_db
def test_nothing_is_said_while_nothing_is_known(dataset: Dataset, classifier: Classifier) -> None:
    assert seconds(dataset, classifier, "gradient") is None
    dataset.texts.all().delete()
    classifier.seconds_per_piece = 0.001
    assert seconds(dataset, classifier, "gradient") is None


@pytest.mark.django_db
def test_imported_maps_cost_nothing(dataset: Dataset, classifier: Classifier) -> None:
    classifier.seconds_per_piece = 0.001
    assert seconds(dataset, classifier, "imported:mine") == 0


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(20, "less than a minute"), (100, "about 2 min"), (3000, "about 50 min"), (9000, "about 2.5 h")],
)
def test_it_is_said_in_words(seconds: float, said: str) -> None:
    assert str(Computing(seconds)) == said


def test_an_hour_has_its_price(settings: LazySettings) -> None:
    settings.COMPUTE_PRICE_PER_HOUR = 3.0
    assert Computing(1800).price == Decimal("1.50")


@pytest.mark.parametrize("name", METHODS)
def test_every_method_has_a_cost_that_grows_with_nothing_but_work(name: str) -> None:
    params = full_params(name)
    assert passes(name, params, 5) > 0 or name == "random"
    assert 0 <= passes(name, params, 5) <= passes(name, params, 500) < 1e6


def test_more_samples_cost_more() -> None:
    assert passes("lime", {"samples": 400}, 20) == 2 * passes("lime", {"samples": 200}, 20) == 200
