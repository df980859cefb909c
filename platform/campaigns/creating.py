"""New campaigns, with what a protocol proposes wherever nothing is said, and copies of old ones."""

import secrets
from decimal import ROUND_CEILING, Decimal
from typing import Any

from django.conf import settings

from accounts.models import Team
from campaigns.designing import estimate, propose_ks, word_counts
from campaigns.models import Campaign, usual_metrics
from campaigns.moving import CampaignError
from campaigns.translating import proposed
from catalogue.languages import nearest
from catalogue.methods import PROPOSED, methods_for
from materials.models import Classifier, Dataset
from materials.naming import insert_named
from protocols import PROTOCOLS
from recruitment.outcomes import new_exits

CONSENT = (
    "This is a research study on how computer programs explain what they read. You will read short texts, or parts of "
    "them, and answer one question about each.\n\n"
    "Taking part is voluntary: you can stop at any time by closing the page. We store your answers and how long they "
    "took, and no name; the id that your platform gave us is kept only in a scrambled form. The answers may be "
    "published as research data."
)
NOT_COPIED = {"id", "slug", "state", "run", "notices", "design_hash", "copied_from", "created_at", "launched_at"}
NOT_COPIED |= {"closed_at", "imported", "edits", "archived_at"}
MOST_ITEMS = 40
TEXTS_PER_LABEL = 10
EXAMPLES_PER_LABEL = 4
LEAST_PAY = Decimal("2.00")


def defaults(
    protocol: str, dataset: Dataset, classifier: Classifier, texts_per_label: int = TEXTS_PER_LABEL
) -> dict[str, Any]:
    """What a new campaign of this protocol starts with."""
    asked = PROTOCOLS[protocol]
    labels = len(dataset.label_names()) or len(classifier.label_names)
    language = nearest(dataset.language) or "en"
    most, examples = max(1, min(MOST_ITEMS, labels * texts_per_label)), EXAMPLES_PER_LABEL if asked.learning else 0
    return {
        "protocol": protocol,
        "methods": [name for name in methods_for(classifier.kind) if name in PROPOSED] if asked.maps else [],
        "metrics": usual_metrics() if asked.maps else [],
        "texts_per_label": texts_per_label,
        "most_per_worker": most,
        "ks": propose_ks(word_counts(dataset)) if asked.needs_k else [],
        "language": language,  # Of the wording, as of the texts where we have wording in it.
        "question": proposed(asked.default_question, language),
        "instructions": proposed(asked.default_instructions, language),
        "judge_against": Campaign.JudgeAgainst.GOLD if asked.judges else Campaign.JudgeAgainst.PREDICTION,
        "baselines": ["no_explanation"] if asked.between and "no_explanation" in asked.baselines else [],
        "allocation": Campaign.Allocation.BETWEEN if asked.between else Campaign.Allocation.LEAST_FILLED,
        "examples_per_label": examples,
        "consent": proposed(CONSENT, language),
        "completion_code": secrets.token_hex(4).upper(),
        "exits": new_exits(),
        "worker_parameter": "worker",
        "pay_per_worker": propose_pay(most, examples * labels),
    }


def propose_pay(items: int, examples: int) -> Decimal:
    """What the work is worth by the least pay for an hour, in full tenths."""
    seconds: int = Campaign._meta.get_field("seconds_per_item").default
    minutes = estimate(items, 1, 1, items, seconds, Decimal(0), examples).minutes
    tenths = (Decimal(str(settings.MINIMUM_HOURLY_PAY * minutes / 60)) * 10).to_integral_value(ROUND_CEILING)
    return max(LEAST_PAY, tenths / 10)


def create_campaign(
    team: Team, name: str, protocol: str, dataset: Dataset, classifier: Classifier, **fields: Any
) -> Campaign:
    """A draft. `fields` are those of `Campaign`; what is left out is as `defaults` proposes."""
    texts_per_label = fields.get("texts_per_label", TEXTS_PER_LABEL)
    values = defaults(protocol, dataset, classifier, texts_per_label) | fields
    return save_new(Campaign(team=team, name=name, dataset=dataset, classifier=classifier, **values))


def save_new(campaign: Campaign) -> Campaign:
    """Under a slug of its own."""
    insert_named(campaign)
    return campaign


def copy_campaign(campaign: Campaign) -> Campaign:
    """A draft of the same design, to be changed: the copied one stays as it was. CampaignError where it has none."""
    if campaign.imported:
        raise CampaignError("Its judgments come from elsewhere: there is no design to copy.")
    names = [field.name for field in Campaign._meta.concrete_fields if field.name not in NOT_COPIED]
    values = {name: getattr(campaign, name) for name in names}
    values["name"] = f"Copy of {campaign.name}"[:120]
    return save_new(Campaign(copied_from=campaign, **values))
