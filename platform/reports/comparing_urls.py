from django.urls import path

from reports import comparing_views

# Before the pages of campaigns, one of which could bear this name.
urlpatterns = [path("campaigns/compare/", comparing_views.compare_campaigns, name="campaign_compare")]
