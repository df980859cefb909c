"""Campaigns and what comes of them."""

from typing import Any

from django.utils import timezone

from accounts.models import Team, User
from campaigns.creating import create_campaign
from campaigns.sketching import begin
from judging.inviting import add_code, invite
from judging.models import BonusPayment, Participation, ProlificStudy
from materials.models import Classifier, Dataset
from reports.models import ArchiveJob
from tests.api.expecting import Expected, World, owns, reads, supervises, writes
from webhooks.models import Delivery, Endpoint


def furnish(team: Team, owner: User) -> dict[str, dict[str, object]]:
    """What fills the braces of addresses, by their first part."""
    dataset = Dataset.objects.filter(team=team).latest("pk")
    classifier = Classifier.objects.filter(team=team).latest("pk")
    design: dict[str, Any] = {"methods": ["gradient"], "metrics": [], "ks": [2], "texts_per_label": 1}
    campaign = create_campaign(team, "Guess", "topk_guess", dataset, classifier, practice_items=1, **design)
    worker = Participation.objects.create(campaign=campaign, worker_hash="a", named=True, quota=1)
    ((invitation, _),) = invite(campaign, 1)
    endpoint = Endpoint.objects.create(team=team, url="https://lab.example/hook", events=["report.ready"])
    delivery = Delivery.objects.create(endpoint=endpoint, event="ping", body="{}", due_at=timezone.now())
    at = {"slug": campaign.slug, "number": worker.pk, "act": "prepare", "invitation": invitation}
    at |= {"code": add_code(campaign, 2).code, "kind": "approve"}
    ProlificStudy.objects.create(campaign=campaign, study_id="60f25f799fbd8a136cc6a9b0")
    payment = BonusPayment.objects.create(campaign=campaign, reference="r", amounts={"s": "1.50"}, total_cents=200)
    archive = ArchiveJob.objects.create(team=team, asked_by=owner, kind="import", token="t", file="a.zip")
    at |= {"payment": payment.pk}
    sketch = begin(owner, None, {"name": ["Half"]})
    return {
        "drafts": {"key": str(sketch.key)},
        "campaigns": at,
        "archives": {"id": archive.pk},
        "webhooks": {"id": endpoint.pk, "number": delivery.pk},
    }


def _new(world: World) -> dict[str, Any]:
    materials = {"dataset": world.at["datasets"]["slug"], "classifier": world.at["classifiers"]["slug"]}
    design = {"methods": ["gradient"], "ks": [2], "texts_per_label": 1, "practice_items": 1}
    return {"name": "Another", "protocol": "topk_guess", **materials, **design}


def _hook(world: World) -> dict[str, Any]:
    return {"url": "https://lab.example/other", "events": ["campaign.closed"]}


AT = "/api/v1/campaigns/{slug}/"
# A draft has no report, and one with nothing in it is of use to nobody.
NOTHING_MADE = Expected(409, 409, 409, 404)
NOTHING_MADE_YET = Expected(409, 409, 403, 404)
NOT_ASKED = Expected(404, 404, 403, 404)
OWN = Expected(200, 404, 404, 404)
NOTHING_SEEN = Expected(404, 404, 404, 404)
STUDY: dict[str, Expected] = {
    "GET /api/v1/campaigns/": reads(stranger=200),
    "POST /api/v1/campaigns/": writes(201, _new, stranger=422),
    f"GET {AT}": reads(),
    f"PATCH {AT}": writes(200, lambda world: {"name": "Changed"}),
    f"DELETE {AT}": writes(204),
    f"POST {AT}copy/": writes(201),
    f"POST {AT}{{act}}/": writes(200),
    f"GET {AT}progress/": reads(),
    f"GET {AT}findings/": reads(),
    f"GET {AT}preview/": Expected(404, 404, 404, 404),
    f"GET {AT}preregistration/": reads(),
    f"GET {AT}preregistration/markdown/": reads(),
    f"GET {AT}estimate/": reads(),
    # Drafts are each user's own, and this one lacks nearly everything.
    "GET /api/v1/drafts/": reads(stranger=200),
    "POST /api/v1/drafts/": writes(201, lambda world: {"filled_in": {"name": ["Mine"]}}, stranger=201),
    "GET /api/v1/drafts/{key}/": OWN,
    "PATCH /api/v1/drafts/{key}/": Expected(200, 404, 404, 404, lambda world: {"filled_in": {"name": ["New"]}}),
    "GET /api/v1/drafts/{key}/estimate/": OWN,
    "POST /api/v1/drafts/{key}/finish/": Expected(422, 404, 404, 404),
    "DELETE /api/v1/drafts/{key}/": Expected(204, 404, 404, 404),
    f"GET {AT}recruitment/": supervises(),
    f"GET {AT}invitations/": supervises(),
    f"POST {AT}invitations/": supervises(201, lambda world: {"count": 2}),
    f"DELETE {AT}invitations/{{invitation}}/": supervises(204),
    f"GET {AT}codes/": supervises(),
    f"DELETE {AT}codes/{{code}}/": supervises(204),
    f"POST {AT}codes/": supervises(201, lambda world: {"uses": 2}),
    f"GET {AT}participants/": supervises(),
    f"GET {AT}participants/{{number}}/": supervises(),
    f"POST {AT}participants/{{number}}/exclude/": supervises(200, lambda world: {"reason": "No attention"}),
    f"POST {AT}participants/{{number}}/readmit/": supervises(200),
    f"GET {AT}study/": supervises(),
    # No token for Prolific is set.
    f"POST {AT}study/": supervises(409, lambda world: {"study": "60f25f799fbd8a136cc6a9b1"}),
    f"POST {AT}study/draft/": supervises(409, lambda world: {"name": "N", "description": "D", "places": 2}),
    f"POST {AT}study/places/": supervises(409, lambda world: {"more": 2}),
    f"GET {AT}submissions/": supervises(),
    f"POST {AT}submissions/read/": supervises(409),
    f"POST {AT}submissions/returns/": supervises(409),
    f"POST {AT}participants/approve/": supervises(409),
    f"GET {AT}bonuses/": supervises(),
    f"GET {AT}bonuses/owed/": supervises(),
    f"POST {AT}bonuses/": supervises(409, lambda world: {"amounts": {"60f25f799fbd8a136cc6a9b0": "1.50"}}),
    f"POST {AT}bonuses/{{payment}}/pay/": supervises(409),
    f"GET {AT}archive/": NOT_ASKED,
    f"POST {AT}archive/": supervises(202),
    f"GET {AT}archive/zip/": NOTHING_MADE_YET,
    "GET /api/v1/archives/{id}/": supervises(),
    f"GET {AT}pay/": supervises(),
    f"GET {AT}settlement/{{kind}}/": supervises(),
    f"POST {AT}remove/": owns(204, lambda world: {"name": "Guess"}),
    f"GET {AT}judgments/": reads(),
    f"GET {AT}judgments/all/": reads(),
    f"GET {AT}judgments/{{number}}/": NOTHING_SEEN,
    # A campaign cannot be compared before it has answers.
    f"GET {AT}comparison/": Expected(400, 400, 400, 404),
    f"GET {AT}live/": reads(),
    # Words are marked in none of these campaigns.
    f"GET {AT}rationales/": NOT_ASKED,
    f"POST {AT}rationales/": NOT_ASKED,
    "GET /api/v1/plan/": Expected(400, 400, 400, 400),
    f"GET {AT}report/": reads(),
    f"POST {AT}report/": Expected(202, 202, 202, 404),
    f"GET {AT}report/json/": reads(),
    f"GET {AT}report/zip/": NOTHING_MADE,
    f"GET {AT}report/files/": NOTHING_MADE,
    f"GET {AT}report/file/": NOTHING_MADE,
    "GET /api/v1/webhooks/": reads(stranger=200),
    "POST /api/v1/webhooks/": writes(201, _hook, stranger=201),
    "GET /api/v1/webhooks/{id}/": supervises(),
    "PATCH /api/v1/webhooks/{id}/": supervises(200, lambda world: {"active": False}),
    "DELETE /api/v1/webhooks/{id}/": supervises(204),
    "POST /api/v1/webhooks/{id}/secret/": supervises(),
    "POST /api/v1/webhooks/{id}/ping/": supervises(202),
    "GET /api/v1/webhooks/{id}/deliveries/": supervises(),
    "POST /api/v1/webhooks/{id}/deliveries/{number}/redeliver/": supervises(202),
}
