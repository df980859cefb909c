"""Draw the sample and have every explanation of it computed: draft -> preparing -> ready."""

from collections.abc import Collection, Iterable, Mapping

from django.db import transaction
from django.db.models import QuerySet, Sum

from accounts.models import User
from campaigns.arming import arms
from campaigns.covering import uncovered
from campaigns.describing import cells_of
from campaigns.models import Campaign, Condition, Launch, SampledText
from campaigns.moving import CampaignError, State, locked, refuse_while_launching
from campaigns.pairing import Pair
from campaigns.sampling import Pick, SampleError, Stock, draw_all, needs_predictions, spread, stock
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
    _check_texts(campaign)
    needed = needs_predictions(campaign.judge_against, campaign.only_correct, campaign.methods)
    if needed and not is_evaluated(campaign):
        raise NotEvaluated(f"{classifier} has not predicted all texts of {dataset} yet: evaluate it first.")


def _check_texts(campaign: Campaign) -> None:
    protocol, dataset = PROTOCOLS[campaign.protocol], campaign.dataset
    if protocol.learning and not campaign.examples_per_label:
        raise CampaignError("Workers learn from solved examples: say in the design how many per label, 1 at least.")
    if protocol.edits and not dataset.texts.filter(edit_of__isnull=False).exists():
        raise CampaignError(f"No text of {dataset} is an edit of another: import some with the column edit_of.")


def _check_answers(campaign: Campaign) -> None:
    """Workers need two answers at least, all of them different."""
    classifier, names = campaign.classifier, campaign.classifier.label_names
    if len(names) < 2 and PROTOCOLS[campaign.protocol].asks_label:
        raise CampaignError(f"{classifier} has one output only: there is no label for workers to guess.")
    if campaign.cannot_tell and CANNOT_TELL in names:
        raise CampaignError(
            f"The label {CANNOT_TELL} of {classifier} would be taken for “Cannot tell”: give it another name on the "
            "classifier's page, or do not offer “Cannot tell”."
        )


def is_evaluated(campaign: Campaign) -> bool:
    """Every text is predicted, or was tried and failed."""
    counts = campaign.dataset.prediction_counts.filter(classifier=campaign.classifier)
    if counts.aggregate(all=Sum("n"))["all"] == campaign.dataset.n_texts():
        return True  # Most often; to look for one that is missing takes a look at all.
    failed = Failure.objects.filter(run__classifier=campaign.classifier, run__kind=Run.Kind.PREDICT)
    missing = campaign.dataset.texts.exclude(predictions__classifier=campaign.classifier)
    return not missing.exclude(pk__in=failed.values("text")).exists()


def evaluate(campaign: Campaign, user: User | None) -> None:
    if campaign.classifier.state != Classifier.State.READY:
        raise CampaignError(f"The classifier {campaign.classifier} is not ready: see its page.")
    explaining.evaluate(campaign.dataset, campaign.classifier, user)


def stock_of(campaign: Campaign) -> Stock:
    materials = campaign.dataset, campaign.classifier
    judged = campaign.judge_against, campaign.only_correct
    return stock(PROTOCOLS[campaign.protocol], *materials, *judged, campaign.methods, campaign.sample_seed)


def settle(campaign: Campaign, user: User | None = None) -> None:
    """Once the run is done: ready, or another run for the texts that replace those that failed."""
    if campaign.state != State.PREPARING or campaign.run is None or campaign.run.state != Run.State.DONE:
        return
    with transaction.atomic():
        row = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if row.state == State.PREPARING and row.run_id == campaign.run_id:
            _settle(row, user)
    campaign.refresh_from_db()


def settle_all(sender: object, run_id: int, **_: object) -> None:
    """As soon as a run is done, whether or not anybody looks at the campaigns that wait for it."""
    for campaign in Campaign.objects.filter(run=run_id, state=State.PREPARING).select_related("run"):
        settle(campaign, campaign.run.started_by if campaign.run else None)


def _settle(campaign: Campaign, user: User | None) -> None:
    failed = failed_texts(campaign)
    if not failed:
        campaign.state = State.READY
    else:
        campaign.notices += [_notice(campaign, text) for text in failed]
        if len(failed) > MOST_FAILED * explained(campaign).count():
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
    wanted = explained(campaign).values("text")
    sampled = Text.objects.filter(pk__in=wanted)
    for name, method in arms(campaign).items():
        done = Explanation.objects.filter(classifier=campaign.classifier, method=name, params=params_of(method))
        sampled = sampled.filter(pk__in=done.values("text"))
    return list(Text.objects.filter(pk__in=wanted).exclude(pk__in=sampled.values("pk")))


def explained(campaign: Campaign) -> QuerySet[SampledText]:
    """What of the sample is shown with maps: where workers learn from examples, these alone."""
    if PROTOCOLS[campaign.protocol].learning:
        return campaign.sample.filter(role=SampledText.Role.EXAMPLE)
    return campaign.sample.all()


def _notice(campaign: Campaign, text: Text) -> dict[str, str | int]:
    failure = Failure.objects.filter(run=campaign.run, text=text).first()
    reason = failure.reason if failure else "no explanation was written"
    return {"text": text.pk, "key": text.key, "reason": reason}


def _draw(campaign: Campaign, excluded: Collection[int]) -> None:
    """The sample anew. With texts excluded, a label may come out short; the page says so."""
    found, numbers = stock_of(campaign), (campaign.texts_per_label, campaign.examples_per_label)
    apart = (campaign.practice_items, campaign.gold_items)
    try:
        drawn = draw_all(found, *numbers, campaign.sample_seed, excluded, *apart)
    except SampleError as error:
        if excluded:
            raise
        left_out = uncovered(campaign.dataset, campaign.classifier, campaign.methods)
        raise CampaignError(f"{error} {left_out}".strip()) from error
    campaign.sample.all().delete()
    roles = SampledText.Role
    groups = {
        roles.EXAMPLE: drawn.examples,
        roles.ITEM: spread(drawn.items),
        roles.PRACTICE: drawn.practice,
        roles.GOLD: drawn.gold,
    }
    rows = [row for role, picks in groups.items() for row in _rows(campaign, picks, role, found.paired)]
    SampledText.objects.bulk_create(rows)


def _rows(
    campaign: Campaign, picks: Iterable[Pick], role: SampledText.Role, paired: Mapping[int, Pair]
) -> Iterable[SampledText]:
    for position, (text_id, expected) in enumerate(picks, start=1):
        edited = paired[text_id].edited_id if text_id in paired else None
        yield SampledText(
            campaign=campaign, text_id=text_id, role=role, position=position, expected=expected, edited_id=edited
        )


def _explain(campaign: Campaign, user: User | None) -> None:
    campaign.run = explaining.explain(
        Text.objects.filter(pk__in=explained(campaign).values("text")),
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
        refuse_while_launching(campaign)
        row = locked(campaign, State.PREPARING, State.READY)
        Launch.objects.filter(campaign=row).delete()
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
