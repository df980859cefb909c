from django.urls import path

from console import views

urlpatterns = [path("styleguide/", views.styleguide_page, name="styleguide")]
