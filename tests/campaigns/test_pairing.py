from accounts.models import Team
from campaigns.pairing import pairs
from campaigns.sampling import stock
from materials.models import Classifier, Dataset, Prediction
from protocols import PROTOCOLS
from tests.campaigns.actors import edit
from tests.materials.actors import films, judge, predict_right


def materials(team: Team) -> tuple[Dataset, Classifier]:
    """Eight films; six have an edit, which turns the model's output in four."""
    dataset, classifier = films(team, {"neg": 4, "pos": 4}), judge(team, ["neg", "pos"])
    predict_right(dataset, classifier)
    for text in dataset.texts.exclude(key__in=["neg3", "pos3"]):
        turned = {"neg": "pos", "pos": "neg"}[text.label] if text.key[-1] in "01" else text.label
        edit(text, classifier, turned)
    return dataset, classifier


def test_it_works(team: Team) -> None:
    dataset, classifier = materials(team)
    found = pairs(dataset, classifier, seed=0)
    texts = dataset.texts.in_bulk()
    assert sorted(texts[pk].key for pk in found) == ["neg0", "neg1", "neg2", "pos0", "pos1", "pos2"]
    assert {texts[pk].key for pk, pair in found.items() if pair.turned} == {"neg0", "neg1", "pos0", "pos1"}
    assert all(texts[pair.edited_id].edit_of_id == pk for pk, pair in found.items())


def test_a_pair_needs_both_predictions(team: Team) -> None:
    dataset, classifier = materials(team)
    Prediction.objects.filter(text__key="neg0").delete()
    Prediction.objects.filter(text__edit_of__key="neg1").delete()
    assert len(pairs(dataset, classifier, seed=0)) == 4


def test_of_several_edits_the_seed_chooses_one(team: Team) -> None:
    dataset, classifier = materials(team)
    original = dataset.texts.get(key="neg0")
    for number in range(5):
        edit(original, classifier, "neg", f"another{number}")
    chosen = {pairs(dataset, classifier, seed)[original.pk].edited_id for seed in range(20)}
    assert len(chosen) > 1 and chosen <= set(original.edits.values_list("pk", flat=True))
    assert pairs(dataset, classifier, 7) == pairs(dataset, classifier, 7)


def test_originals_are_drawn_by_what_the_model_says_of_the_edit(team: Team) -> None:
    dataset, classifier = materials(team)
    found = stock(PROTOCOLS["counterfactual_simulation"], dataset, classifier, "prediction", False, [], seed=0)
    keys = {label: [dataset.texts.get(pk=pk).key for pk in ids] for label, ids in found.order.items()}
    assert sorted(keys["neg"]) == ["neg2", "pos0", "pos1"] and sorted(keys["pos"]) == ["neg0", "neg1", "pos2"]
    assert keys["neg"][0] == "neg2" and keys["neg"][1] in ("pos0", "pos1")
