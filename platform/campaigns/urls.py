from django.urls import path, register_converter

from campaigns.acting import ACTIONS
from campaigns.views import campaigns, designing, preregistering


class ActionConverter:
    regex = "|".join(ACTIONS)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(ActionConverter, "campaign_action")

urlpatterns = [
    path("campaigns/", campaigns.campaign_list, name="campaign_list"),
    path("campaigns/new/", designing.campaign_new, name="campaign_new"),
    path("campaigns/methods/", designing.campaign_methods, name="campaign_methods"),
    path("campaigns/estimate/", designing.campaign_estimate, name="campaign_estimate"),
    path("campaigns/autosave/", designing.campaign_autosave, name="campaign_new_autosave"),
    path("campaigns/sketches/<uuid:key>/drop/", designing.sketch_drop, name="campaign_sketch_drop"),
    path("campaigns/<slug:slug>/", campaigns.campaign, name="campaign"),
    path("campaigns/<slug:slug>/edit/", designing.campaign_edit, name="campaign_edit"),
    path("campaigns/<slug:slug>/autosave/", designing.campaign_autosave, name="campaign_autosave"),
    path("campaigns/<slug:slug>/progress/", campaigns.campaign_progress, name="campaign_progress"),
    path("campaigns/<slug:slug>/launching/", campaigns.campaign_launching, name="campaign_launching"),
    path("campaigns/<slug:slug>/preview/", campaigns.campaign_preview, name="campaign_preview"),
    path("campaigns/<slug:slug>/preregistration/", preregistering.preregistration, name="campaign_preregistration"),
    path(
        "campaigns/<slug:slug>/preregistration.<str:kind>",
        preregistering.preregistration_file,
        name="campaign_preregistration_file",
    ),
    path("campaigns/<slug:slug>/copy/", campaigns.campaign_copy, name="campaign_copy"),
    path("campaigns/<slug:slug>/delete/", campaigns.campaign_delete, name="campaign_delete"),
    path("campaigns/<slug:slug>/<campaign_action:action>/", campaigns.campaign_action, name="campaign_action"),
]
