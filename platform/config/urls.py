from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    # First, as no other page is asked for so often.
    path("", include("judging.urls")),
    path("", include("operations.urls")),
    path("api/", include("config.api")),
    path("", include("accounts.urls")),
    path("", include("console.urls")),
    path("", include("webhooks.urls")),
    path("", include("materials.urls")),
    path("", include("reports.planning_urls")),
    path("", include("reports.comparing_urls")),
    path("", include("reports.archiving_urls")),
    path("", include("campaigns.urls")),
    path("", include("judging.recruiting_urls")),
    path("", include("reports.urls")),
]

handler400 = "operations.failing.tell_of_bad_request"
handler403 = "operations.failing.tell_of_refusal"
handler404 = "operations.failing.tell_of_nothing"
handler500 = "operations.failing.tell_of_failure"
