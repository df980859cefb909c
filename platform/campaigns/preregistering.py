"""The design, the exclusion rules and the analysis, written down before the first answer, as one document.

Equal designs under equal code have equal documents, byte by byte, and so one SHA-256.
"""

import json
from hashlib import sha256
from typing import Any

from analysis.quality.rules import RULES
from analysis.registering import analysis_plan, code_versions
from campaigns.describing import cells_of, planned
from campaigns.models import Campaign, Registration
from campaigns.preparing import metrics_asked
from protocols import PROTOCOLS

FORMAT = "peekaword-preregistration/1"
# What does not change what workers are asked and shown.
NOT_DESIGN = {
    "id", "team", "name", "slug", "state", "run", "notices", "design_hash", "copied_from", "created_at", "launched_at",
    "closed_at", "dataset", "classifier", "metrics", "hypotheses", "comparisons", "imported",
    "edits", "archived_at",
}  # fmt: skip
# Part of the design hash, but no more than that: who knows these could be paid without having worked.
NOT_PUBLIC = {
    "completion_code", "exits", "exit_redirect", "exit_message", "recruitment_settings", "worker_parameter",
}  # fmt: skip
Document = dict[str, Any]


def design(campaign: Campaign) -> Document:
    """All that decides what workers see and are asked, besides the stimuli."""
    fields = {
        field.name: getattr(campaign, field.name)
        for field in Campaign._meta.concrete_fields
        if field.name not in NOT_DESIGN
    }
    classifier = campaign.classifier
    return fields | {
        "protocol_version": PROTOCOLS[campaign.protocol].version,
        "classifier": [classifier.source, classifier.revision, classifier.weights_hash, classifier.label_names],
    }


def canonical(value: Any) -> bytes:
    """One spelling for equal values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str).encode()


def draft_document(campaign: Campaign) -> Document:
    """What would be registered if the campaign were launched now. The design's hash is there from launch on."""
    size = planned(campaign)
    arms = list(dict.fromkeys(arm for cell in cells_of(campaign) for arm in (cell.method, cell.other) if arm))
    return {
        "format": FORMAT,
        "campaign": campaign.slug,
        "title": campaign.name,
        "hypotheses": campaign.hypotheses,
        "design": _public(design(campaign))
        | {
            "dataset": campaign.dataset.slug,
            "dataset_language": campaign.dataset.language,
            "arms": arms,
            "protocol_settings": PROTOCOLS[campaign.protocol].complete_settings(campaign.protocol_settings),
        },
        "design_hash": campaign.design_hash or None,
        "size": {
            "texts": size.texts,
            "conditions": size.conditions,
            "stimuli": size.stimuli,
            "judgments": size.judgments,
            "fewest_workers": size.workers,
        },
        "exclusion_rules": {name: RULES[name].complete(given) for name, given in sorted(campaign.rules.items())},
        "analysis": analysis_plan(
            campaign.protocol,
            arms,
            comparisons=[(first, second) for first, second in campaign.comparisons],
            metrics=list(metrics_asked(campaign)) if campaign.methods else [],
            judgments=size.judgments,
        ),
        "code": code_versions(),
    }


def _public(full: Document) -> Document:
    """The rules stand in a place of their own; of questions with a right choice, not which one it is."""
    shown = {name: value for name, value in full.items() if name not in NOT_PUBLIC | {"rules"}}
    for name in ("comprehension", "checks"):
        shown[name] = [{key: one[key] for key in one if key != "right"} for one in shown[name]]
    return shown


def register(campaign: Campaign) -> Registration:
    """At launch, within its transaction."""
    assert campaign.launched_at is not None
    document = canonical(draft_document(campaign))
    return Registration.objects.create(
        campaign=campaign,
        document=document.decode(),
        digest=sha256(document).hexdigest(),
        registered_at=campaign.launched_at,
    )


def registered(campaign: Campaign) -> Registration | None:
    """None before launch, and of campaigns that were launched before registrations were kept."""
    return Registration.objects.filter(campaign=campaign).first()


def document_of(campaign: Campaign) -> bytes:
    """What was registered; before launch, what would be."""
    found = registered(campaign)
    return found.document.encode() if found else canonical(draft_document(campaign))
