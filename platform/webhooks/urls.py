from django.urls import path

from webhooks import views

BASE = "settings/webhooks/"

urlpatterns = [
    path(BASE, views.webhook_list, name="webhook_list"),
    path(f"{BASE}new/", views.webhook_add, name="webhook_add"),
    path(f"{BASE}<int:number>/", views.webhook, name="webhook"),
    path(f"{BASE}<int:number>/secret/", views.webhook_secret, name="webhook_secret"),
    path(f"{BASE}<int:number>/ping/", views.webhook_ping, name="webhook_ping"),
    path(f"{BASE}<int:number>/delete/", views.webhook_delete, name="webhook_delete"),
    path(f"{BASE}<int:number>/deliveries/<int:delivery>/", views.webhook_redeliver, name="webhook_redeliver"),
]
