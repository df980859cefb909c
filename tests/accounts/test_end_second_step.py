import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command

from accounts.models import User


def test_it_works(alice: User, bob: User, capsys: pytest.CaptureFixture[str]) -> None:
    for user in (alice, bob):
        Authenticator.objects.create(user=user, type="totp", data={})
    call_command("end_second_step", "alice")
    call_command("end_second_step", "alice")
    assert capsys.readouterr().out == "alice signs in by password alone.\nalice has no second step.\n"
    assert Authenticator.objects.get().user == bob


@pytest.mark.django_db
def test_an_unknown_name_is_told() -> None:
    with pytest.raises(CommandError, match="Nobody is called 'nobody'"):
        call_command("end_second_step", "nobody")
