"""docker-compose.yml and Dockerfile, read as Docker reads them as far as ours go. Tests copy nothing out of them."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
COMPOSE, DOCKERFILE, EXAMPLE = ROOT / "docker-compose.yml", ROOT / "Dockerfile", ROOT / ".env.example"
VARIABLE = re.compile(r"\$(?:(?P<escaped>\$)|\{(?P<name>[A-Z_]+)(?::(?P<kind>[?-])(?P<word>[^}]*))?\})")


class Missing(Exception):
    """A variable that has to be set is not; says what Docker would."""


def written() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())
    return content


def services(variables: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """With the variables of the shell or of .env filled in."""
    filled: dict[str, dict[str, Any]] = _filled(written()["services"], variables)
    return filled


def _filled(value: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(one, variables) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, variables) for one in value]
    return VARIABLE.sub(lambda found: _value(found, variables), value) if isinstance(value, str) else value


def _value(found: re.Match[str], variables: Mapping[str, str]) -> str:
    if found["escaped"]:
        return "$"
    value = variables.get(found["name"], "")
    if not value and found["kind"] == "?":
        raise Missing(f"{found['name']}: {found['word']}")
    return value or found["word"] or ""


def example() -> dict[str, str]:
    """The variables of .env.example with their values."""
    lines = [line for line in EXAMPLE.read_text().splitlines() if line and not line.startswith("#")]
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


@dataclass
class Image:
    """One stage of the Dockerfile, with what the stages below it bring."""

    user: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    copied: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)

    @property
    def extras(self) -> set[str]:
        """Of our own package, as pip is asked for them."""
        (installed,) = (run for run in self.runs if "pip install" in run)
        found = re.search(r"--editable '?\.(?:\[([a-z,]+)\])?'?", installed)
        assert found and "--constraint constraints.txt" in installed
        return set((found[1] or "").split(",")) - {""}


def images() -> dict[str, Image]:
    stages: dict[str, Image] = {}
    for line in DOCKERFILE.read_text().replace("\\\n", " ").splitlines():
        word, _, rest = line.partition(" ")
        if word == "FROM":
            source, _, name = rest.partition(" AS ")
            below = stages.get(source, Image())
            image = stages[name] = Image(below.user, dict(below.environment), list(below.copied), list(below.runs))
        elif word == "ENV":
            image.environment |= dict(part.split("=", 1) for part in shlex.split(rest))
        elif word == "COPY":
            image.copied += rest.split()[:-1]
        elif word == "RUN":
            image.runs.append(rest)
        elif word == "USER":
            image.user = rest
    return stages
