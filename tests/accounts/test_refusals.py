from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.conftest import signed_in


def test_a_refusal_says_whom_to_ask(bob: User) -> None:
    response = signed_in(bob).get(reverse("dataset_import"))
    assert response.status_code == 403 and b"Ask an owner of the team" in response.content


def test_what_is_not_there_is_told_plainly(alice: User) -> None:
    response = signed_in(alice).get("/datasets/none/")
    assert response.status_code == 404 and b"There is nothing here" in response.content


def test_the_page_of_a_fault_needs_nothing() -> None:
    assert "Something broke on our side" in render_to_string("500.html")


def test_a_form_from_before_signing_in_again_says_what_to_do(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    response = client.post(reverse("dataset_import"))
    assert response.status_code == 403 and b"load the page anew and send it again" in response.content
