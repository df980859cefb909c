import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINKS = """
import sys; sys.path[:0] = ['.', 'platform']
import django; django.setup()
from django.template.loader import render_to_string
print(render_to_string('worker/base.html'))
"""


def run(var: Path, *command: str, **more: str) -> str:
    env = {**os.environ, "PEEKAWORD_VAR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings", **more}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    ).stdout


def test_pages_link_to_hashed_names_once_they_are_collected(tmp_path: Path) -> None:
    before = run(tmp_path, "-c", LINKS)
    assert "css/peekaword.css" in before
    run(tmp_path, "manage.py", "collectstatic", "--no-input", HASHED_STATIC="true")
    after = run(tmp_path, "-c", LINKS)
    assert "css/peekaword.css" not in after and "css/peekaword." in after
    assert list((tmp_path / "static" / "css").glob("peekaword.*.css.gz"))
