from django.contrib.auth.views import LogoutView
from django.urls import path

from accounts.views import SignInView

urlpatterns = [
    path("sign-in/", SignInView.as_view(), name="login"),
    path("sign-out/", LogoutView.as_view(), name="logout"),
]
