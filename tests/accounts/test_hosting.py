import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from accounts.hosting import hosted
from accounts.models import User


def test_it_works(rf: RequestFactory) -> None:
    def view(request: HttpRequest, name: str) -> HttpResponse:
        return HttpResponse(f"{name} {hasattr(request, 'allauth')}")

    assert hosted(view)(rf.get("/"), "alice").content == b"alice True"


def test_what_is_no_concern_of_its_is_raised(rf: RequestFactory) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        hosted(view)(rf.get("/"))


def test_no_other_request_pays_for_it(client: Client, alice: User) -> None:
    assert not [name for name in settings.MIDDLEWARE if "allauth" in name]
    assert client.get("/forgotten/").status_code == 200
