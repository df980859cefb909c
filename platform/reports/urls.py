from django.urls import path

from reports import views

urlpatterns = [
    path("campaigns/<slug:slug>/live/", views.live, name="campaign_live"),
    path("campaigns/<slug:slug>/report/", views.report, name="campaign_report"),
    path("campaigns/<slug:slug>/report/report.zip", views.report_archive, name="campaign_report_archive"),
    path("campaigns/<slug:slug>/report/files/<path:name>", views.report_file, name="campaign_report_file"),
    path("campaigns/<slug:slug>/report/judgments.csv", views.judgments, name="campaign_judgments"),
]
