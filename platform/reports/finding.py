"""The campaign that a command names."""

from django.core.management.base import CommandError

from campaigns.models import Campaign


def find_campaign(slug: str) -> Campaign:
    try:
        return Campaign.objects.select_related("dataset", "classifier", "run").get(slug=slug)
    except Campaign.DoesNotExist:
        known = list(Campaign.objects.order_by("slug").values_list("slug", flat=True)[:20])
        hint = f"There is: {', '.join(known)}." if known else "There are no campaigns yet."
        raise CommandError(f"There is no campaign {slug!r}. {hint}") from None
