from django.urls import path

from judging import views

urlpatterns = [
    path("w/<slug:slug>/", views.arrival, name="worker_arrival"),
    path("w/<slug:slug>/<str:token>/", views.page, name="worker_page"),
    path("w/<slug:slug>/<str:token>/language/", views.language, name="worker_language"),
    path("w/<slug:slug>/<str:token>/consent/", views.consent, name="worker_consent"),
    path("w/<slug:slug>/<str:token>/practice/", views.practice, name="worker_practice"),
    path("w/<slug:slug>/<str:token>/finish/", views.finish, name="worker_finish"),
    path("w/<slug:slug>/<str:token>/leave/", views.leave, name="worker_leave"),
]
