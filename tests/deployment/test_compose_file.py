"""docker-compose.yml: what the Compose specification says, and what we ask of every service besides."""

import json
import re
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from tests.deployment.composing import EXAMPLE, ROOT, Missing, example, images, services, written

SECRETS = dict.fromkeys(("SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD"), "0" * 64)
NAMES = sorted(written()["services"])
# Docker names none of these, and each lets a container out.
OUT = {"privileged", "cap_add", "pid", "ipc", "network_mode", "userns_mode"}
# Names of variables whose values nobody else may know.
SECRET = re.compile(r"PASSWORD|SECRET|TOKEN|_KEY|AUTH|_URL$|_DSN$")


@pytest.fixture(params=NAMES)
def service(request: pytest.FixtureRequest) -> dict[str, Any]:
    return services(SECRETS)[request.param]


def test_it_works() -> None:
    """Against the specification's own schema, as the package check-jsonschema carries it (Apache-2.0)."""
    schema = json.loads((files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json").read_text())
    checker = jsonschema.validators.validator_for(schema)(schema)
    assert [error.message for error in checker.iter_errors(written())] == []
    assert [error.message for error in checker.iter_errors({"services": {"web": {"comand": ["x"]}}})] != []


def test_it_has_what_a_deployment_needs() -> None:
    assert {"postgres", "redis", "migrate", "web", "worker", "worker-gpu", "beat"} == set(NAMES)
    assert written()["services"]["worker-gpu"]["profiles"] == ["gpu"]


def test_a_service_may_do_no_more_than_it_needs(service: dict[str, Any]) -> None:
    assert service["read_only"] is True and "/tmp" in service["tmpfs"]
    assert service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"]
    assert service["user"] not in {"root", "0"} and not OUT & service.keys()


def test_a_service_says_whether_it_is_well(service: dict[str, Any]) -> None:
    assert (
        service["healthcheck"]["test"][0] == "CMD"
        and {"interval", "timeout", "retries"} <= service["healthcheck"].keys()
    )


def test_an_image_is_ours_or_of_a_known_version(service: dict[str, Any]) -> None:
    if "build" in service:
        assert images()[service["build"]["target"]].user == service["user"]
    else:
        assert re.fullmatch(r"(postgres|redis):\d+", service["image"])


def test_only_the_web_is_to_be_reached_and_only_from_this_machine() -> None:
    asked = {name: one["ports"] for name, one in services(SECRETS).items() if "ports" in one}
    assert asked == {"web": ["127.0.0.1:8000:8000"]}
    inside = {name for name, one in services(SECRETS).items() if one["networks"] == ["inside"]}
    assert inside == {"postgres", "redis", "migrate"} and written()["networks"]["inside"] == {"internal": True}


def test_what_writes_does_so_in_volumes_that_exist(service: dict[str, Any]) -> None:
    named = {volume.partition(":")[0] for volume in service.get("volumes", [])}
    assert named <= written()["volumes"].keys()


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_that_is_not_set_is_asked_for(name: str) -> None:
    with pytest.raises(Missing, match=f"{name}: copy .env.example to .env, and set {name} there"):
        services(SECRETS | {name: ""})


def test_no_secret_has_a_default() -> None:
    """Every value that is one, or holds one, comes from outside: it changes with what is set there."""
    other = services(dict.fromkeys(SECRETS, "1" * 64))
    for name, service in services(SECRETS).items():
        for key, value in service.get("environment", {}).items():
            if SECRET.search(key) and value:
                assert value != other[name]["environment"][key], f"{name}: {key}"


def test_the_example_sets_no_secret_and_names_all_that_have_to_be_set() -> None:
    assert {name for name, value in example().items() if SECRET.search(name) and value} == set()
    assert SECRETS.keys() <= example().keys()


def test_every_variable_of_the_example_and_of_the_file_is_documented() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE))
    compose = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    assert example().keys() | compose <= documented


def test_the_example_s_file_is_neither_committed_nor_built_in() -> None:
    assert EXAMPLE.exists()
    for name in (".gitignore", ".dockerignore"):
        assert ".env" in (ROOT / name).read_text().split()


def test_the_web_s_image_has_no_torch_and_a_worker_s_has() -> None:
    extras = {name: image.extras for name, image in images().items() if name != "base"}
    assert extras == {"web": {"backup", "sentry"}, "worker": {"workers", "sentry"}, "worker-gpu": {"workers", "sentry"}}


def test_a_worker_takes_from_all_queues_unless_another_computes() -> None:
    def queues(name: str, **variables: str) -> str:
        return str(services(SECRETS | variables)[name]["command"][-1])

    assert queues("worker") == "celery,compute" and queues("worker", WORKER_QUEUES="celery") == "celery"
    assert queues("worker-gpu") == "compute" and services(SECRETS)["worker-gpu"]["environment"]["DEVICE"] == "cuda"
