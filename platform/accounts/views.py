from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpResponse

from accounts.joining import ensure_team


class SignInView(LoginView):
    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        ensure_team(form.get_user())
        return super().form_valid(form)
