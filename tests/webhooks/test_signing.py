import pytest

from accounts.models import Team
from webhooks.models import Endpoint
from webhooks.signing import secret_of, sign

pytestmark = pytest.mark.django_db


def test_it_works() -> None:
    # printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac pws_known
    known = "e2266d5579b0ccc8c6f331e219990ec89a29c78f44a8c4c92ca15f8988bb5d2c"
    assert sign("pws_known", 1700000000, b'{"a":1}') == f"t=1700000000,v1={known}"


def test_every_endpoint_has_a_secret_of_its_own_that_the_database_does_not_hold(team: Team) -> None:
    made = [Endpoint.objects.create(team=team, url="https://a.example", events=["ping"]) for _ in range(2)]
    first, second = map(secret_of, made)
    assert first != second and len(first) == len("pws_") + 64
    stored = Endpoint.objects.filter(pk=made[0].pk).values().get()
    assert first.removeprefix("pws_") not in str(stored)
    assert secret_of(Endpoint.objects.get(pk=made[0].pk)) == first
