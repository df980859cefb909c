import pytest

from accounts.models import Team
from materials.agreeing import Accuracy, accuracies_by_dataset, accuracies_of, mismatch, unmatched
from materials.models import Prediction
from materials.registering import LabelError, rename_labels
from tests.materials.actors import films, judge, predict_right


def test_it_works(team: Team) -> None:
    dataset, classifier = films(team, {"pos": 3, "neg": 3}), judge(team, ["neg", "pos"])
    predict_right(dataset, classifier, wrong=2)
    found = accuracies_of(dataset)[classifier.pk]
    assert (found.right, found.n, found.percent) == (4, 6, "66.7")
    assert accuracies_by_dataset(classifier) == {dataset.pk: found}


def test_without_predictions_there_is_no_accuracy(team: Team) -> None:
    assert accuracies_of(films(team, {"pos": 1})) == {}
    assert Accuracy(0, 0).percent == ""


def test_capitals_do_not_matter() -> None:
    assert unmatched(["Pos", "NEG "], ["pos", "neg"]) == []
    assert unmatched(["pos", "mixed"], ["pos", "neg"]) == ["mixed"]


def test_a_mismatch_names_the_labels_and_the_remedy() -> None:
    said = mismatch(["neg", "pos"], ["LABEL_0", "LABEL_1"])
    assert "“neg”, “pos” are not among" in said and "“LABEL_0”, “LABEL_1”" in said and "on its page" in said
    assert mismatch(["neg", "pos"], ["POS", "NEG"]) == ""


def test_renaming_labels_renames_predictions(team: Team) -> None:
    dataset, classifier = films(team, {"0": 1, "1": 1}), judge(team, ["0", "1"])
    predict_right(dataset, classifier)
    rename_labels(classifier, ["1", "0"])
    assert classifier.label_names == ["1", "0"]
    assert dict(Prediction.objects.values_list("text__label", "label")) == {"0": "1", "1": "0"}


@pytest.mark.parametrize("names", [["a"], ["a", "A"], ["a", ""], ["a", "b", "c"]])
def test_labels_must_be_as_many_and_different(team: Team, names: list[str]) -> None:
    with pytest.raises(LabelError, match="Expected 2 different names"):
        rename_labels(judge(team, ["0", "1"]), names)
