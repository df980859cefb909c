from django.urls import path

from reports import archiving_views

# Before the pages of campaigns, one of which could bear these names.
urlpatterns = [
    path("campaigns/import/", archiving_views.archive_import, name="archive_import"),
    path("campaigns/import/<int:number>/", archiving_views.archive_importing, name="archive_importing"),
    path("campaigns/import/<int:number>/dismiss/", archiving_views.archive_dismiss, name="archive_dismiss"),
    path("campaigns/<slug:slug>/archive/", archiving_views.campaign_archive, name="campaign_archive"),
    path("campaigns/<slug:slug>/archive/archive.zip", archiving_views.archive_file, name="campaign_archive_file"),
]
