"""Teams, datasets, classifiers, runs, uploads and the catalogue."""

from typing import Any

from accounts.inviting import invite
from accounts.models import Membership, Team, User
from materials import resuming
from materials.bringing import Asked
from materials.checking import Columns
from materials.models import Import, Removal, Run
from tests.api.expecting import Expected, World, owns, reads, writes
from tests.materials.actors import films, judge, predict_right
from tests.materials.explained import explain

CONTENT = b"text,label\nA fine film,good\n"


def furnish(team: Team, owner: User) -> dict[str, dict[str, object]]:
    """What fills the braces of addresses, by their first part."""
    dataset, classifier = films(team, {"good": 2, "bad": 2}, name="Plays"), judge(team, ["bad", "good"], name="Reader")
    predict_right(dataset, classifier)
    text = dataset.texts.earliest("pk")
    explain(classifier, text, "gradient", values={"comprehensiveness": 0.5})
    run = Run.objects.create(dataset=dataset, classifier=classifier, kind=Run.Kind.PREDICT, state=Run.State.CANCELLED)
    upload = resuming.begin(owner, team, None, "films.csv", len(CONTENT), "", True)
    resuming.append(upload, 0, CONTENT)
    asked = Asked("Films", "en", Columns("text"), [])
    brought = Import.objects.create(team=team, asked_by=owner, upload="other", file="a.csv", asked=asked.as_json())
    editor = team.memberships.get(role=Membership.Role.EDITOR).user_id
    removal = Removal.objects.create(team=team, kind="dataset", key=0, name="Old", total=9, state=Removal.State.FAILED)
    invitation, _ = invite(team, owner, Membership.Role.ANALYST, "new@example.org")
    return {
        "datasets": {"slug": dataset.slug, "id": text.pk},
        "classifiers": {"slug": classifier.slug},
        "runs": {"id": run.pk},
        "uploads": {"token": upload.token},
        "imports": {"id": brought.pk},
        "removals": {"id": removal.pk},
        "teams": {"id": team.pk, "user": editor, "invitation": invitation.pk},
    }


def _new_run(world: World) -> dict[str, Any]:
    return {
        "dataset": world.at["datasets"]["slug"],
        "classifier": world.at["classifiers"]["slug"],
        "kind": "explain",
        "methods": {"gradient": {}},
    }


def _new_passport(world: World) -> dict[str, Any]:
    return {"dataset": world.at["datasets"]["slug"], "texts": 2, "methods": ["gradient"], "metrics": []}


MATERIALS: dict[str, Expected] = {
    "POST /api/v1/token/": Expected(400, 400, 400, 400, lambda world: {}, open_to_all=True),
    "GET /api/v1/catalogue/methods/": reads(stranger=200),
    "GET /api/v1/catalogue/metrics/": reads(stranger=200),
    "GET /api/v1/catalogue/protocols/": reads(stranger=200),
    "GET /api/v1/teams/": reads(stranger=200),
    "POST /api/v1/teams/": Expected(201, 201, 201, 201, lambda world: {"name": "Mine"}),
    "GET /api/v1/teams/{id}/": reads(),
    "PATCH /api/v1/teams/{id}/": owns(200, lambda world: {"name": "Ours"}),
    "GET /api/v1/teams/{id}/members/": reads(),
    "PATCH /api/v1/teams/{id}/members/{user}/": owns(200, lambda world: {"role": "analyst"}),
    # Whom it removes is the editor, who may leave.
    "DELETE /api/v1/teams/{id}/members/{user}/": Expected(204, 204, 403, 404),
    "GET /api/v1/teams/{id}/log/": owns(200),
    "GET /api/v1/teams/{id}/invitations/": owns(200),
    "POST /api/v1/teams/{id}/invitations/": owns(201, lambda world: {"role": "editor"}),
    "DELETE /api/v1/teams/{id}/invitations/{invitation}/": owns(204),
    "GET /api/v1/datasets/": reads(stranger=200),
    "POST /api/v1/datasets/": writes(201, lambda world: {"name": "Books"}, stranger=201),
    "GET /api/v1/datasets/{slug}/": reads(),
    "PATCH /api/v1/datasets/{slug}/": writes(200, lambda world: {"name": "Dramas"}),
    "DELETE /api/v1/datasets/{slug}/": owns(409),
    "POST /api/v1/datasets/{slug}/labels/": writes(200, lambda world: {"names": {"good": "fine"}}),
    "GET /api/v1/datasets/{slug}/classifiers/": reads(),
    # The file is one of texts, and the owner's.
    "POST /api/v1/datasets/{slug}/maps/": writes(422, lambda world: {"upload": world.at["uploads"]["token"]}),
    "GET /api/v1/datasets/{slug}/texts/": reads(),
    "GET /api/v1/datasets/{slug}/texts/{id}/": reads(),
    "GET /api/v1/datasets/{slug}/texts/{id}/svg/": reads(),
    "GET /api/v1/datasets/{slug}/texts/{id}/tex/": reads(),
    "GET /api/v1/datasets/{slug}/explanations/": reads(),
    "GET /api/v1/datasets/{slug}/explanations/stream/": reads(),
    "GET /api/v1/datasets/{slug}/scores/": reads(),
    "GET /api/v1/classifiers/": reads(stranger=200),
    "POST /api/v1/classifiers/": writes(202, lambda world: {"name": "New", "source": "org/new"}, stranger=202),
    "GET /api/v1/classifiers/{slug}/": reads(),
    "PATCH /api/v1/classifiers/{slug}/": writes(200, lambda world: {"label_names": ["no", "yes"]}),
    "DELETE /api/v1/classifiers/{slug}/": owns(409),
    "GET /api/v1/classifiers/{slug}/datasets/": reads(),
    "GET /api/v1/classifiers/{slug}/passport/": reads(),
    "POST /api/v1/classifiers/{slug}/passport/": writes(202, _new_passport),
    # One method cannot be compared with itself.
    "GET /api/v1/classifiers/{slug}/passport/svg/": Expected(409, 409, 409, 404),
    "POST /api/v1/classifiers/{slug}/reload/": writes(409),
    "GET /api/v1/runs/": reads(stranger=200),
    "POST /api/v1/runs/": writes(202, _new_run, stranger=422),
    "GET /api/v1/runs/{id}/": reads(),
    "GET /api/v1/runs/{id}/failures/": reads(),
    "POST /api/v1/runs/{id}/cancel/": writes(200),
    "POST /api/v1/runs/{id}/resume/": writes(202),
    "POST /api/v1/runs/{id}/retry/": writes(409),
    "GET /api/v1/removals/": reads(stranger=200),
    "GET /api/v1/removals/{id}/": reads(),
    "POST /api/v1/removals/{id}/retry/": owns(202),
    "GET /api/v1/imports/": reads(stranger=200),
    "GET /api/v1/imports/{id}/": reads(),
    # Uploads are each user's own.
    "POST /api/v1/uploads/": writes(201, lambda world: {"file": "a.csv", "size": 9}, stranger=201),
    "GET /api/v1/uploads/{token}/": Expected(200, 404, 404, 404),
    "PATCH /api/v1/uploads/{token}/": Expected(422, 404, 404, 404, lambda world: b"more", {"Upload-Offset": "28"}),
    # Nothing was rejected of it.
    "GET /api/v1/uploads/{token}/rejected/": Expected(404, 404, 404, 404),
    "GET /api/v1/uploads/{token}/preview/": Expected(200, 404, 404, 404),
    "POST /api/v1/uploads/{token}/complete/": Expected(202, 404, 404, 404, lambda world: {"dataset": "Books"}),
    # That it is no archive, the task finds out.
    "POST /api/v1/archives/": Expected(202, 422, 422, 422, lambda world: {"upload": world.at["uploads"]["token"]}),
    # Last, as files do not come back.
    "DELETE /api/v1/uploads/{token}/": Expected(204, 404, 404, 404),
}
