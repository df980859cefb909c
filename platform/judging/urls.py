from django.urls import path

from judging import asking_views, hearing_views, learning_views, views

urlpatterns = [
    path("hooks/prolific/", hearing_views.prolific_hook, name="prolific_hook"),
    path("w/<slug:slug>/", views.arrival, name="worker_arrival"),
    path("w/<slug:slug>/<str:token>/", views.page, name="worker_page"),
    path("w/<slug:slug>/<str:token>/language/", views.language, name="worker_language"),
    path("w/<slug:slug>/<str:token>/consent/", views.consent, name="worker_consent"),
    path("w/<slug:slug>/<str:token>/before/", asking_views.before, name="worker_before"),
    path("w/<slug:slug>/<str:token>/comprehension/", asking_views.comprehension, name="worker_comprehension"),
    path("w/<slug:slug>/<str:token>/learn/", learning_views.learn, name="worker_learn"),
    path("w/<slug:slug>/<str:token>/practice/", views.practice, name="worker_practice"),
    path("w/<slug:slug>/<str:token>/check/", asking_views.check, name="worker_check"),
    path("w/<slug:slug>/<str:token>/warning/", asking_views.warning, name="worker_warning"),
    path("w/<slug:slug>/<str:token>/after/", asking_views.after, name="worker_after"),
    path("w/<slug:slug>/<str:token>/debrief/", asking_views.debrief, name="worker_debrief"),
    path("w/<slug:slug>/<str:token>/finish/", views.finish, name="worker_finish"),
    path("w/<slug:slug>/<str:token>/time/", views.time, name="worker_time"),
    path("w/<slug:slug>/<str:token>/leave/", views.leave, name="worker_leave"),
]
