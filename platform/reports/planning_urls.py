"""Before the addresses of campaigns, whose slugs would take this for a campaign of that name."""

from django.urls import path

from reports import planning_views

urlpatterns = [path("campaigns/plan/", planning_views.plan, name="campaign_plan")]
