"""No secret is ever in the repository."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.environment import ROOT

# As services write theirs, and what a private key begins with.
SHAPES = {
    "private key": r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----",
    "AWS key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "GitHub token": r"\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{60,}",
    "Hugging Face token": r"\bhf_[A-Za-z0-9]{30,}\b",
    "Slack token": r"\bxox[abprs]-[A-Za-z0-9-]{20,}",
    "Google key": r"\bAIza[0-9A-Za-z_-]{35}\b",
    "Stripe key": r"\b[sr]k_live_[0-9A-Za-z]{20,}",
    "Sentry address": r"https://[0-9a-f]{32}@[\w.-]*sentry",
    "token of ours": r"\bpkw_[A-Za-z0-9_-]{30,}",
    "JSON web token": r"\beyJ[A-Za-z0-9_-]{20,}\.eyJ[A-Za-z0-9_-]{20,}\.",
    "password in an address": r"\b(?:postgres(?:ql)?|rediss?|amqp|https?)://[^\s:@/'\"{}<>$]+:(?!secret@|password@|pass@)"
    r"[^\s:@/'\"{}<>$]{8,}@(?!localhost|127\.|db[:/]|\[)",
}
FOUND = {name: re.compile(shape) for name, shape in SHAPES.items()}
# Files that no repository should have, whatever is in them.
FORBIDDEN = re.compile(
    r"(^|/)(\.env|secret_key|id_(rsa|ed25519)|\.netrc|\.pypirc|credentials(\.json)?)$|\.(pem|p12|pfx|key|kdbx)$"
)
TOO_LARGE = 5_000_000


# Of a folder that is no repository: what is made in it, or put there by hand, and never sent anywhere.
OWN = {"var", ".venv", "node_modules", "__pycache__", ".git", ".env"}


def tracked() -> list[Path]:
    """As git has them; where there is no git, all there are."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        return [ROOT / name.decode() for name in listed.split(b"\0") if name]
    except (OSError, subprocess.CalledProcessError):
        return [path for path in ROOT.rglob("*") if not OWN & set(path.relative_to(ROOT).parts)]


def secrets_in(text: str) -> Iterator[str]:
    return (f"{name}: {found[0][:20]}" for name, shape in FOUND.items() for found in shape.finditer(text))


def test_it_works() -> None:
    wrong = []
    for path in tracked():
        if FORBIDDEN.search(path.relative_to(ROOT).as_posix()):
            wrong.append(f"{path}: should not be here")
        elif path.is_file() and not path.is_symlink() and path != Path(__file__) and path.stat().st_size < TOO_LARGE:
            text = path.read_bytes().decode("utf-8", "replace")
            wrong += [f"{path}: {what}" for what in secrets_in(text)]
    assert not wrong


@pytest.mark.parametrize(
    "written",
    [
        "-----BEGIN OPENSSH PRIVATE KEY-----", "AKIA" + "A1B2" * 4, "ghp_" + "a1" * 18, "hf_" + "aB" * 17,
        "postgres://peekaword:" + "hunter22hunter@db1.example.org/x", "pkw_" + "x" * 40,
    ],
)  # fmt: skip
def test_it_would_be_found(written: str) -> None:
    assert list(secrets_in(f'TOKEN = "{written}"'))


def test_what_has_to_be_secret_comes_from_where_secrets_come_from() -> None:
    """`random` draws designs, which anybody may repeat: no token, code, salt or key is made with it."""
    drawing = re.compile(r"random\.(?:choice|choices|randint|randbytes|getrandbits|random)\(|Random\(")
    making = re.compile(r"\b(?:token|secret|salt|ticket|password|code|key)\w*\s*=[^=\n]*(?:random\.|Random\()")
    modules = [path for folder in ("platform", "workers") for path in (ROOT / folder).rglob("*.py")]
    wrong = [path.name for path in modules if drawing.search(text := path.read_text()) and making.search(text)]
    assert not wrong
