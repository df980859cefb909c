"""Problems, limits, ETags, pages and tokens."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.db import DatabaseError, OperationalError
from django.test import Client
from django.utils import timezone

from accounts.api.models import ApiToken
from accounts.api.tokens import digest_of, make_token, revoke
from accounts.auditing import Act
from accounts.models import AuditEntry, Team, User
from materials.api.datasets import DatasetViewSet
from materials.models import Dataset
from tests.api.reaching import Speaker, operations
from tests.conftest import PASSWORD, signed_in

pytestmark = pytest.mark.django_db
DATASETS = "/api/v1/datasets/"


@pytest.fixture(autouse=True)
def no_counts_of_other_tests() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def speaker(alice: User) -> Speaker:
    return Speaker(alice)


def problem(response: Any) -> tuple[int, str]:
    assert response.headers["Content-Type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == response.status_code and body["type"].endswith(body["code"]) and body["title"]
    return response.status_code, body["code"]


def test_every_error_is_a_problem(speaker: Speaker) -> None:
    client, token = speaker.client, speaker.credentials
    assert problem(speaker.get("/api/v1/nothing/")) == (404, "not_found")
    assert problem(speaker.get("/api/v1/no%0Athing/")) == (404, "not_found")
    assert problem(speaker.get(f"{DATASETS}none/")) == (404, "not_found")
    assert problem(speaker.ask("PUT", DATASETS, {})) == (405, "method_not_allowed")
    assert problem(speaker.get(DATASETS, accept="image/png")) == (406, "not_acceptable")
    assert problem(client.post(DATASETS, "a", "text/csv", headers=token)) == (415, "unsupported_media_type")
    assert problem(client.post(DATASETS, "{", "application/json", headers=token)) == (400, "parse_error")
    assert problem(client.get(DATASETS)) == (401, "not_authenticated")
    assert problem(client.get(DATASETS, headers={"authorization": "Token none"})) == (401, "authentication_failed")


@pytest.mark.parametrize("path", [DATASETS, "/api/v1/token/"])
@pytest.mark.parametrize("body", ["[" * 100_000, '{"a":' * 50_000], ids=["lists", "objects"])
def test_brackets_within_brackets_are_the_senders_fault(speaker: Speaker, path: str, body: str) -> None:
    answer = speaker.client.post(path, body, "application/json", headers=speaker.credentials)
    assert problem(answer) == (400, "parse_error") and "too deep" in answer.json()["detail"]


def test_a_problem_says_what_is_wrong_where(speaker: Speaker) -> None:
    errors = speaker.post(DATASETS, {"name": 5, "language": "english please"}).json()["errors"]
    assert errors == [{"pointer": "/name", "detail": "Expected a string.", "code": "type"}]
    assert speaker.post(DATASETS, {}).json()["errors"][0]["pointer"] == "/name"
    assert speaker.get(f"{DATASETS}?page_size=0").json()["errors"][0]["pointer"] == "/page_size"


def test_a_fault_of_ours_is_a_problem_without_a_traceback(speaker: Speaker, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(view: Any) -> Any:
        raise DatabaseError("secret detail")

    monkeypatch.setattr(DatasetViewSet, "rows", fail)
    speaker.client.raise_request_exception = False
    response = speaker.get(DATASETS)
    assert problem(response) == (500, "error") and "secret" not in response.content.decode()


def test_a_database_that_is_away_is_said_to_be_so(speaker: Speaker, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(view: Any) -> Any:
        raise OperationalError("server closed the connection")

    monkeypatch.setattr(DatasetViewSet, "rows", fail)
    speaker.client.raise_request_exception = False
    response = speaker.get(DATASETS)
    assert problem(response) == (503, "unavailable") and response.headers["Retry-After"] == "5"


def test_whoever_asks_too_often_is_told_when_to_come_back(speaker: Speaker, settings: LazySettings) -> None:
    settings.API_REQUESTS_PER_MINUTE = 2
    first, _, third = (speaker.get(DATASETS) for _ in range(3))
    assert first.headers["RateLimit-Policy"] == '"requests";q=2;w=60'
    assert first.headers["RateLimit"].startswith('"requests";r=1;t=')
    assert problem(third) == (429, "throttled") and 1 <= int(third.headers["Retry-After"]) <= 60
    assert third.headers["RateLimit"].startswith('"requests";r=0;t=')


def test_an_address_that_guesses_tokens_is_slowed_down(client: Client, settings: LazySettings) -> None:
    settings.API_STRANGER_REQUESTS_PER_MINUTE = 2
    got = [client.get(DATASETS, headers={"authorization": f"Bearer {n}"}).status_code for n in range(3)]
    assert got == [401, 401, 429]


def test_whoever_has_it_already_is_told_so(speaker: Speaker, team: Team) -> None:
    Dataset.objects.create(team=team, name="Books", slug="books")
    etag = speaker.get(f"{DATASETS}books/").headers["ETag"]
    again = speaker.get(f"{DATASETS}books/", if_none_match=f'"other", {etag}')
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag)
    Dataset.objects.update(name="Novels")
    assert speaker.get(f"{DATASETS}books/", if_none_match=etag).status_code == 200


def test_what_has_changed_meanwhile_is_not_overwritten(speaker: Speaker, team: Team) -> None:
    Dataset.objects.create(team=team, name="Books", slug="books")
    etag = speaker.get(f"{DATASETS}books/").headers["ETag"]
    Dataset.objects.update(name="Novels")
    stale = speaker.ask("DELETE", f"{DATASETS}books/", headers={"if-match": etag})
    assert problem(stale) == (412, "precondition_failed") and Dataset.objects.exists()
    etag = speaker.get(f"{DATASETS}books/").headers["ETag"]
    assert speaker.ask("DELETE", f"{DATASETS}books/", headers={"if-match": etag}).status_code == 204


def test_pages_follow_each_other_without_gap_or_double(speaker: Speaker, team: Team) -> None:
    for number in range(5):
        Dataset.objects.create(team=team, name=f"Set {number}", slug=f"set-{number}")
    address, seen = f"{DATASETS}?page_size=2", []
    while address:
        response = speaker.get(address)
        page = response.json()
        seen += [row["slug"] for row in page["results"]]
        assert response.headers.get("Link") == (f'<{page["next"]}>; rel="next"' if page["next"] else None)
        address = page["next"]
    assert seen == ["set-4", "set-3", "set-2", "set-1", "set-0"]


@pytest.mark.parametrize("cursor", ["x", "%00", "é", "c", "c-1", "czzzzzzzzzzzzz", "c1%0A"])
def test_a_made_up_cursor_is_refused(speaker: Speaker, cursor: str) -> None:
    assert problem(speaker.get(f"{DATASETS}?cursor={cursor}")) == (400, "invalid")


def test_a_list_takes_the_same_queries_however_long(
    speaker: Speaker, team: Team, django_assert_num_queries: Any
) -> None:
    for number in range(20):
        Dataset.objects.create(team=team, name=f"Set {number}", slug=f"set-{number}")
    speaker.get(DATASETS)
    with django_assert_num_queries(2):
        speaker.get(DATASETS)


def test_a_token_is_known_by_its_hash_alone(alice: User) -> None:
    token, secret = make_token(alice, "Laptop", ["materials:read"])
    row = ApiToken.objects.get()
    assert row.digest == digest_of(secret) and secret.startswith(row.prefix) and len(row.prefix) < len(secret) // 4
    assert secret not in "".join(str(value) for value in vars(row).values())
    assert AuditEntry.objects.get(act=Act.TOKEN_MADE).subject_name == str(token)


@pytest.mark.parametrize("change", [{"expires_at": timedelta(0)}, {"revoked_at": timedelta(0)}])
def test_a_token_that_is_over_does_not_work(alice: User, change: dict[str, timedelta]) -> None:
    token, secret = make_token(alice, "Laptop")
    ApiToken.objects.update(**{name: timezone.now() + after for name, after in change.items()})
    assert Client().get(DATASETS, headers={"authorization": f"Bearer {secret}"}).status_code == 401


def test_a_token_of_somebody_who_may_not_sign_in_does_not_work(alice: User, speaker: Speaker) -> None:
    User.objects.update(is_active=False)
    assert speaker.get(DATASETS).status_code == 401


def test_a_revoked_token_says_so_to_the_log_once(alice: User, speaker: Speaker) -> None:
    token = ApiToken.objects.get()
    revoke(token)
    revoke(token)
    assert AuditEntry.objects.filter(act=Act.TOKEN_REVOKED).count() == 1
    assert speaker.get(DATASETS).status_code == 401


def test_use_is_noted_to_the_day(speaker: Speaker, django_assert_num_queries: Any) -> None:
    speaker.get(DATASETS)
    assert ApiToken.objects.get().last_used_on == timezone.now().date()


def test_scopes_and_days_are_what_was_asked_for(client: Client, alice: User) -> None:
    asked = {"username": "alice", "password": PASSWORD, "scopes": ["materials:read"], "days": 1}
    made = client.post("/api/v1/token/", asked, "application/json").json()
    assert made["scopes"] == ["materials:read"]
    lacking = client.post(
        DATASETS, {"name": "Books"}, "application/json", headers={"authorization": f"Bearer {made['token']}"}
    )
    assert problem(lacking) == (403, "insufficient_scope")


def test_the_pages_session_writes_with_its_csrf_token_alone(alice: User) -> None:
    assert signed_in(alice).post(DATASETS, {"name": "Books"}, "application/json").status_code == 201
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(alice)
    assert problem(careful.post(DATASETS, {"name": "Films"}, "application/json")) == (403, "permission_denied")


def test_the_page_of_the_api_tells_all_operations_and_asks_nobody_else(client: Client, speaker: Speaker) -> None:
    page = client.get("/api/docs/").content.decode()
    for _, path, _ in operations():
        assert path in page
    assert 'id="problem-idempotency_key_reused"' in page and "https://" not in page and "http://" not in page
    missing = speaker.get(f"{DATASETS}none/").json()["type"]
    assert f'id="{missing.partition("#")[2]}"' in page
