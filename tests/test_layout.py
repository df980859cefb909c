"""The import root is called `platform`, like a standard module; these tests keep that harmless."""

import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APPS = sorted(path.parent.name for path in (ROOT / "platform").glob("*/__init__.py"))


def test_platform_is_the_standard_library_s() -> None:
    assert platform.python_version() == sys.version.split()[0].rstrip("+")


def test_the_import_root_is_no_package() -> None:
    assert not (ROOT / "platform" / "__init__.py").exists()


def test_no_app_bears_a_standard_library_name() -> None:
    assert APPS and not set(APPS) & set(sys.stdlib_module_names)


def test_every_folder_with_tests_is_a_package() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_the_web_imports_neither_torch_nor_workers() -> None:
    code = (
        "import sys; sys.path[:0] = ['.', 'platform']; import config.wsgi, config.urls;"
        "print([m for m in ('torch', 'transformers', 'workers') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
