from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.access import readable
from accounts.requests import ResearcherRequest
from materials.comparing import compare
from materials.drawing import draw
from materials.models import Dataset, Text
from materials.picturing import DISPLAYS, Panel
from materials.showing import Shown, neighbours, show
from materials.typesetting import typeset

FIGURES = {"svg": (draw, "image/svg+xml"), "tex": (typeset, "application/x-tex")}


def _shown(request: ResearcherRequest, slug: str, pk: int) -> Shown:
    mine = Text.objects.filter(dataset__in=readable(Dataset.objects.all(), request.user), dataset__slug=slug)
    row = get_object_or_404(mine.select_related("dataset__team"), pk=pk)
    return show(row, request.GET.get("classifier", ""), request.GET.get("target", ""))


@login_required
@require_safe
def text(request: ResearcherRequest, slug: str, pk: int) -> HttpResponse:
    shown = _shown(request, slug, pk)
    before, after = neighbours(shown.text, shown.classifier)
    display = request.GET.get("display", "")
    classifier = shown.classifier.slug if shown.classifier else ""
    context = {
        "shown": shown,
        "picture": shown.picture,
        "panels": [Panel(one, *_figures(shown, one.key)) for one in shown.picture.maps],
        "figures": _figures(shown),
        "comparison": compare(shown.picture.maps),
        "displays": DISPLAYS,
        "display": display if display in DISPLAYS else next(iter(DISPLAYS)),
        "before": before,
        "after": after,
        "query": urlencode({"classifier": classifier, "display": display} if display else {"classifier": classifier}),
    }
    return render(request, "materials/text.html", context)


def _figures(shown: Shown, key: str = "") -> list[str]:
    asked = {"classifier": shown.classifier.slug if shown.classifier else "", "target": shown.target}
    query = urlencode(asked | ({"map": key} if key else {}))
    where = [shown.text.dataset.slug, shown.text.pk]
    return [f"{reverse('dataset_text_figure', args=[*where, kind])}?{query}" for kind in FIGURES]


@login_required
@require_safe
def text_figure(request: ResearcherRequest, slug: str, pk: int, kind: str) -> HttpResponse:
    """All heat maps of the page, or the one of `map`."""
    shown = _shown(request, slug, pk)
    wanted = request.GET.get("map", "")
    maps = [one for one in shown.picture.maps if wanted in ("", one.key)]
    if not maps:
        raise Http404("This text has no such heat map.")
    make, content_type = FIGURES[kind]
    response = HttpResponse(make(shown.picture, maps), content_type=f"{content_type}; charset=utf-8")
    name = f"text-{pk}{wanted and '-' + wanted}.{kind}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
