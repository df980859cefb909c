"""A person's API tokens: an account with a second step gets them here alone."""

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.api.scopes import SCOPES
from accounts.api.tokens import DEFAULT_DAYS, MOST_DAYS, make_token, revoke
from accounts.hosting import hosted
from accounts.requests import ResearcherRequest

READING = [scope for scope in SCOPES if scope.endswith(":read")]


class TokenForm(forms.Form):
    name = forms.CharField(label="What it is for", max_length=80)
    days = forms.IntegerField(label="Days until it expires", min_value=1, max_value=MOST_DAYS, initial=DEFAULT_DAYS)
    scopes = forms.MultipleChoiceField(
        label="What it may do", choices=list(SCOPES.items()), initial=READING, widget=forms.CheckboxSelectMultiple
    )


@login_required
@require_safe
def token_list(request: ResearcherRequest) -> HttpResponse:
    return render(request, "accounts/tokens.html", {"tokens": request.user.api_tokens.filter(revoked_at=None)})


@never_cache
@hosted
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(app="allauth.account")  # type: ignore[untyped-decorator]
def token_new(request: ResearcherRequest) -> HttpResponse:
    """The secret stands on the page that answers, and nowhere else afterwards."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    if not form.is_bound or not form.is_valid():
        return render(request, "accounts/token_new.html", {"form": form}, status=422 if form.errors else 200)
    with transaction.atomic():
        token, secret = make_token(request.user, **form.cleaned_data)
    return render(request, "accounts/token_made.html", {"token": token, "secret": secret})


@login_required
@require_POST
def token_revoke(request: ResearcherRequest, number: int) -> HttpResponse:
    token = get_object_or_404(request.user.api_tokens, pk=number)
    with transaction.atomic():
        revoke(token)
    messages.success(request, f"“{token}” opens nothing any more.")
    return redirect("token_list")
