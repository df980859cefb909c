from django.urls import path

from reports import (
    bundle_views,
    deleting_views,
    file_views,
    page_views,
    participants_views,
    passport_views,
    rationale_views,
    replay_views,
    views,
)

urlpatterns = [
    path("classifiers/<slug:slug>/passport/", passport_views.passport, name="classifier_passport"),
    path("classifiers/<slug:slug>/passport.json", passport_views.passport_json, name="classifier_passport_json"),
    path("classifiers/<slug:slug>/passport.svg", passport_views.passport_figure, name="classifier_passport_figure"),
    path("classifiers/<slug:slug>/passport/compute/", passport_views.passport_compute, name="passport_compute"),
    path("classifiers/<slug:slug>/passport/estimate/", passport_views.passport_estimate, name="passport_estimate"),
    path("campaigns/<slug:slug>/rationales/", rationale_views.campaign_rationales, name="campaign_rationales"),
    path("campaigns/<slug:slug>/remove/", deleting_views.campaign_remove, name="campaign_remove"),
    path("campaigns/<slug:slug>/live/", views.live, name="campaign_live"),
    path("campaigns/<slug:slug>/participants/", participants_views.participants, name="campaign_participants"),
    path(
        "campaigns/<slug:slug>/participants/participants.csv",
        participants_views.participants_file,
        name="campaign_participants_file",
    ),
    path("campaigns/<slug:slug>/participants/pay/", participants_views.participants_pay, name="campaign_pay"),
    path("campaigns/<slug:slug>/participants/pay.csv", participants_views.pay_file, name="campaign_pay_file"),
    path(
        "campaigns/<slug:slug>/participants/<slug:kind>.csv",
        participants_views.settlement_file,
        name="campaign_settlement_file",
    ),
    path(
        "campaigns/<slug:slug>/participants/<int:number>/exclude/",
        participants_views.participant_exclude,
        name="participant_exclude",
    ),
    path(
        "campaigns/<slug:slug>/participants/<int:number>/readmit/",
        participants_views.participant_readmit,
        name="participant_readmit",
    ),
    path("campaigns/<slug:slug>/judgments/", replay_views.judgment_list, name="campaign_judgment_list"),
    path("campaigns/<slug:slug>/judgments/<int:number>/", replay_views.judgment, name="campaign_judgment"),
    path(
        "campaigns/<slug:slug>/judgments/<int:number>/seen/", replay_views.judgment_seen, name="campaign_judgment_seen"
    ),
    path("replay/<str:scheme>.css", replay_views.replay_style, name="replay_style"),
    path("charts/<str:name>", bundle_views.chart_bundle, name="chart_bundle"),
    path("campaigns/<slug:slug>/report/", page_views.report, name="campaign_report"),
    path("campaigns/<slug:slug>/report/text/", page_views.report_text, name="campaign_report_text"),
    path("campaigns/<slug:slug>/report/ready/", page_views.report_ready, name="campaign_report_ready"),
    path("campaigns/<slug:slug>/report/report.zip", file_views.report_archive, name="campaign_report_archive"),
    path("campaigns/<slug:slug>/report/build/", file_views.report_build, name="campaign_report_build"),
    path("campaigns/<slug:slug>/report/files/<path:name>", file_views.report_file, name="campaign_report_file"),
    path("campaigns/<slug:slug>/report/judgments.csv", views.judgments, name="campaign_judgments"),
]
