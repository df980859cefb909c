from django.urls import path

from console import views

urlpatterns = [
    path("", views.home_page, name="home"),
    path("search/", views.search_page, name="search"),
    path("styleguide/", views.styleguide_page, name="styleguide"),
]
