from allauth.usersessions.models import UserSession

from accounts.models import User
from accounts.tasks import forget_sessions
from tests.accounts.test_settings_pages import entered, is_in


def test_it_works(alice: User, bob: User) -> None:
    here, there = entered(), entered("bob")
    there.logout()
    assert UserSession.objects.count() == 2
    forget_sessions()
    assert UserSession.objects.get().user == alice and is_in(here)
