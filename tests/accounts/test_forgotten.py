import re
from typing import Any

import pytest
from django.test import Client

from accounts.api.tokens import make_token
from accounts.models import AuditEntry, Team, User
from tests.conftest import PASSWORD, signed_in

NEW = "another long pass phrase"
BOTH = {"password1": NEW, "password2": NEW}


def asked(client: Client, email: str) -> str:
    return client.post("/forgotten/", {"email": email}, follow=True).content.decode()


def link_in(mails: list[Any]) -> str:
    found = re.search(r"http://testserver(/forgotten/\S+)", mails[-1].body)
    assert found
    return found[1]


def test_it_works(client: Client, alice: User, mailoutbox: list[Any]) -> None:
    assert "Look into your mailbox" in asked(client, "Alice@example.org")
    (mail,) = mailoutbox
    assert mail.to == ["alice@example.org"] and "of the account alice" in mail.body
    response = client.get(link_in(mailoutbox))
    form = response["Location"]
    assert form.endswith("-set-password/") and link_in(mailoutbox) not in form
    assert client.post(form, BOTH, follow=True).status_code == 200
    alice.refresh_from_db()
    assert alice.check_password(NEW) and "_auth_user_id" not in client.session


def test_an_unknown_address_is_answered_as_a_known_one(client: Client, alice: User, mailoutbox: list[Any]) -> None:
    known, unknown = asked(client, "alice@example.org"), asked(client, "nobody@example.org")
    token = re.compile(r'value="\w{64}"|X-CSRFToken": "\w+"')
    assert token.sub("", known) == token.sub("", unknown)
    assert [mail.to for mail in mailoutbox] == [["alice@example.org"]]


def test_a_link_works_once(client: Client, alice: User, mailoutbox: list[Any]) -> None:
    asked(client, "alice@example.org")
    link = link_in(mailoutbox)
    client.post(client.get(link)["Location"], BOTH)
    assert "used or too old" in Client().get(link).content.decode()


def test_a_guessed_link_opens_nothing(client: Client, alice: User) -> None:
    assert "used or too old" in client.get("/forgotten/1-guessed-key/").content.decode()


def test_it_ends_all_sessions_and_revokes_the_tokens(
    client: Client, alice: User, bob: User, team: Team, mailoutbox: list[Any]
) -> None:
    """Whoever had the account may not be whoever has the mailbox; the team's log says what was done."""
    there = signed_in(alice)
    secrets = [make_token(user, "Nightly")[1] for user in (alice, alice, bob)]
    AuditEntry.objects.all().delete()
    asked(client, "alice@example.org")
    page = client.post(client.get(link_in(mailoutbox))["Location"], BOTH, follow=True).content.decode()
    assert there.get("/settings/").status_code == 302
    assert "its API tokens are revoked" in page
    answers = [Client().get("/api/v1/datasets/", headers={"authorization": f"Bearer {one}"}) for one in secrets]
    assert [answer.status_code for answer in answers] == [401, 401, 200]
    acts = AuditEntry.objects.filter(team=team, actor=alice).order_by("pk").values_list("act", "subject_name")
    assert list(acts) == [("password_reset", "alice"), *[("token_revoked", "Nightly")] * 2]


def test_a_weak_password_is_refused(client: Client, alice: User, mailoutbox: list[Any]) -> None:
    asked(client, "alice@example.org")
    form = client.get(link_in(mailoutbox))["Location"]
    assert "too short" in client.post(form, {"password1": "abc", "password2": "abc"}).content.decode()
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_a_closed_account_gets_none(client: Client, alice: User, mailoutbox: list[Any]) -> None:
    User.objects.update(is_active=False)
    assert "Look into your mailbox" in asked(client, "alice@example.org") and mailoutbox == []


@pytest.mark.usefixtures("throttled")
@pytest.mark.parametrize("email", ["alice@example.org", "nobody@example.org"])
def test_a_mailbox_is_not_flooded(client: Client, alice: User, email: str, mailoutbox: list[Any]) -> None:
    codes = [client.post("/forgotten/", {"email": email}).status_code for _ in range(4)]
    assert codes == [302, 302, 302, 429] and len(mailoutbox) in (0, 3)


def test_it_says_so_where_no_mail_is_sent(client: Client, alice: User, settings: Any) -> None:
    settings.EMAIL_HOST = ""
    assert "sends no mail" in client.get("/forgotten/").content.decode()
    settings.EMAIL_HOST = "mail.example.org"
    assert "sends no mail" not in client.get("/forgotten/").content.decode()
