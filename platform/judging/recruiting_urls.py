from django.urls import path

from judging import recruiting_views as views

BASE = "campaigns/<slug:slug>/recruitment/"

urlpatterns = [
    path(BASE, views.recruitment, name="campaign_recruitment"),
    path(f"{BASE}invitations/", views.invitations, name="campaign_invitations"),
    path(f"{BASE}invitations/<int:number>/revoke/", views.invitation_revoke, name="campaign_invitation_revoke"),
    path(f"{BASE}codes/", views.codes, name="campaign_codes"),
    path(f"{BASE}codes/<str:code>/revoke/", views.code_revoke, name="campaign_code_revoke"),
    path(f"{BASE}study/", views.study, name="campaign_study"),
    path(f"{BASE}study/draft/", views.study_draft, name="campaign_study_draft"),
    path(f"{BASE}submissions/", views.submissions, name="campaign_submissions"),
    path(f"{BASE}submissions/approve/", views.approve, name="campaign_approve"),
    path(f"{BASE}submissions/returns/", views.returns, name="campaign_returns"),
    path(f"{BASE}places/", views.places, name="campaign_places"),
    path(f"{BASE}bonuses/", views.bonuses, name="campaign_bonuses"),
    path(f"{BASE}bonuses/<int:number>/pay/", views.bonuses_pay, name="campaign_bonuses_pay"),
]
