"""Draw the sample and have every explanation of it computed: draft -> preparing -> ready."""

from collections.abc import Collection, Iterable, Mapping

from django.db import transaction

from accounts.models import User
from campaigns.arming import arms
from campaigns.covering import uncovered
from campaigns.describing import cells_of
from campaigns.models import Campaign, Condition, SampledText
from campaigns.moving import CampaignError, State, locked
from campaigns.sampling import Order, Pick, SampleError, candidates, draw, needs_predictions, shuffled, spread
from catalogue.methods import Method
from materials import explaining
from materials.agreeing import mismatch
from materials.estimating import Computing, estimate_computing
from materials.models import Classifier, Dataset, Explanation, Failure, Run, Text
from materials.resolving import params_of
from protocols import CANNOT_TELL, PROTOCOLS

# Where people have marked texts, and where they said how important a word is.
OF_RATIONALES: explaining.Asked = {"token_f1": {}, "iou_f1": {}, "auprc": {}, "pointing_game": {}}
OF_GRADES: explaining.Asked = {"rank_correlation": {}}
# Where so many texts fail, it is not the texts.
MOST_FAILED = 0.5


def computing_time(
    dataset: Dataset, classifier: Classifier, methods: Mapping[str, Method], metrics: Iterable[str], texts: int
) -> Computing | None:
    """Of all maps and metrics of a sample; None while nothing is known of the classifier's speed.

    Metrics that compare with people's marks take no time.
    """
    asked: explaining.Asked = {name: params_of(method) for name, method in methods.items()}
    return estimate_computing(dataset.texts.all(), texts, classifier, asked, {name: {} for name in metrics})


def metrics_asked(campaign: Campaign) -> explaining.Asked:
    """Those that were chosen, and all for which the texts have people's marks."""
    chosen: explaining.Asked = {name: {} for name in campaign.metrics}
    marked = campaign.dataset.texts.filter(rationale__isnull=False, rationale__0__isnull=False)
    if not marked.exists():
        return chosen
    graded = marked.filter(rationale__0__2__isnull=False).exists()
    return {**chosen, **OF_RATIONALES, **(OF_GRADES if graded else {})}


class NotEvaluated(CampaignError):
    """The classifier has to predict the dataset's texts first."""


def prepare(campaign: Campaign, user: User | None) -> None:
    """Start it. CampaignError where the classifier, its predictions or the texts are not there yet."""
    with transaction.atomic():
        row = locked(campaign, State.DRAFT)
        check_materials(row)
        row.notices = []
        _draw(row, excluded=())
        Condition.objects.bulk_create(
            Condition(campaign=row, position=at, **cell._asdict()) for at, cell in enumerate(cells_of(row), start=1)
        )
        row.state = State.READY
        if row.methods:
            _explain(row, user)
            row.state = State.PREPARING
        row.save()
    campaign.refresh_from_db()


def check_materials(campaign: Campaign) -> None:
    """CampaignError says what has to be done before."""
    dataset, classifier = campaign.dataset, campaign.classifier
    if classifier.state != Classifier.State.READY:
        raise CampaignError(f"The classifier {classifier} is not ready: see its page.")
    _check_answers(campaign)
    if campaign.judge_against == Campaign.JudgeAgainst.GOLD or campaign.only_correct:
        labels = dataset.label_names()
        if not labels:
            raise CampaignError(f"The texts of {dataset} have no gold labels: judge against the model's prediction.")
        problem = mismatch(labels, classifier.label_names)
        if problem:
            raise CampaignError(problem)
    needed = needs_predictions(campaign.judge_against, campaign.only_correct, campaign.methods)
    if needed and not is_evaluated(campaign):
        raise NotEvaluated(f"{classifier} has not predicted all texts of {dataset} yet: evaluate it first.")


def _check_answers(campaign: Campaign) -> None:
    """Workers need two answers at least, all of them different."""
    classifier, names = campaign.classifier, campaign.classifier.label_names
    if len(names) < 2 and PROTOCOLS[campaign.protocol].judges:
        raise CampaignError(f"{classifier} has one output only: there is no label for workers to guess.")
    if campaign.cannot_tell and CANNOT_TELL in names:
        raise CampaignError(
            f"The label {CANNOT_TELL} of {classifier} would be taken for “Cannot tell”: give it another name on the "
            "classifier's page, or do not offer “Cannot tell”."
        )


def is_evaluated(campaign: Campaign) -> bool:
    """Every text is predicted, or was tried and failed."""
    failed = Failure.objects.filter(run__classifier=campaign.classifier, run__kind=Run.Kind.PREDICT)
    missing = campaign.dataset.texts.exclude(predictions__classifier=campaign.classifier)
    return not missing.exclude(pk__in=failed.values("text")).exists()


def evaluate(campaign: Campaign, user: User | None) -> None:
    if campaign.classifier.state != Classifier.State.READY:
        raise CampaignError(f"The classifier {campaign.classifier} is not ready: see its page.")
    explaining.evaluate(campaign.dataset, campaign.classifier, user)


def sample_order(campaign: Campaign) -> Order:
    judged = campaign.judge_against, campaign.only_correct
    found = candidates(campaign.dataset, campaign.classifier, *judged, campaign.methods)
    return shuffled(found, campaign.sample_seed)


def settle(campaign: Campaign, user: User | None = None) -> None:
    """Once the run is done: ready, or another run for the texts that replace those that failed."""
    if campaign.state != State.PREPARING or campaign.run is None or campaign.run.state != Run.State.DONE:
        return
    with transaction.atomic():
        row = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if row.state == State.PREPARING and row.run_id == campaign.run_id:
            _settle(row, user)
    campaign.refresh_from_db()


def _settle(campaign: Campaign, user: User | None) -> None:
    failed = failed_texts(campaign)
    if not failed:
        campaign.state = State.READY
    else:
        campaign.notices += [_notice(campaign, text) for text in failed]
        if len(failed) > MOST_FAILED * campaign.sample.count():
            _undo(campaign)
        else:
            _replace(campaign, user)
    campaign.save()


def _replace(campaign: Campaign, user: User | None) -> None:
    try:
        _draw(campaign, excluded={notice["text"] for notice in campaign.notices})
    except SampleError:
        _undo(campaign)
    else:
        _explain(campaign, user)


def failed_texts(campaign: Campaign) -> list[Text]:
    """Texts of the sample that lack an explanation of any of the methods."""
    sampled = Text.objects.filter(pk__in=campaign.sample.values("text"))
    for name, method in arms(campaign).items():
        done = Explanation.objects.filter(classifier=campaign.classifier, method=name, params=params_of(method))
        sampled = sampled.filter(pk__in=done.values("text"))
    return list(Text.objects.filter(pk__in=campaign.sample.values("text")).exclude(pk__in=sampled.values("pk")))


def _notice(campaign: Campaign, text: Text) -> dict[str, str | int]:
    failure = Failure.objects.filter(run=campaign.run, text=text).first()
    reason = failure.reason if failure else "no explanation was written"
    return {"text": text.pk, "key": text.key, "reason": reason}


def _draw(campaign: Campaign, excluded: Collection[int]) -> None:
    """The sample anew. With texts excluded, a label may come out short; the page says so."""
    try:
        items, practice = draw(sample_order(campaign), campaign.texts_per_label, excluded, short=bool(excluded))
    except SampleError as error:
        if excluded:
            raise
        left_out = uncovered(campaign.dataset, campaign.classifier, campaign.methods)
        raise CampaignError(f"{error} {left_out}".strip()) from error
    campaign.sample.all().delete()
    SampledText.objects.bulk_create(
        [*_rows(campaign, spread(items), SampledText.Role.ITEM), *_rows(campaign, practice, SampledText.Role.PRACTICE)]
    )


def _rows(campaign: Campaign, picks: Iterable[Pick], role: SampledText.Role) -> Iterable[SampledText]:
    for position, pick in enumerate(picks, start=1):
        yield SampledText(campaign=campaign, text_id=pick.text_id, role=role, position=position, expected=pick.expected)


def _explain(campaign: Campaign, user: User | None) -> None:
    campaign.run = explaining.explain(
        Text.objects.filter(pk__in=campaign.sample.values("text")),
        campaign.dataset,
        campaign.classifier,
        {name: params_of(method) for name, method in arms(campaign).items()},
        metrics_asked(campaign),
        user,
    )


def cancel(campaign: Campaign) -> None:
    """Stop computing for now; what is computed stays."""
    if campaign.run:
        explaining.cancel(campaign.run)


def carry_on(campaign: Campaign) -> None:
    if campaign.run:
        explaining.resume(campaign.run)


def back_to_draft(campaign: Campaign) -> None:
    """Edit again what is not launched; explanations that were computed stay and are not computed twice."""
    with transaction.atomic():
        row = locked(campaign, State.PREPARING, State.READY)
        if row.run is not None:
            explaining.cancel(row.run)
        row.notices = []
        _undo(row)
        row.save()
    campaign.refresh_from_db()


def _undo(campaign: Campaign) -> None:
    campaign.sample.all().delete()
    campaign.conditions.all().delete()
    campaign.state, campaign.run = State.DRAFT, None
