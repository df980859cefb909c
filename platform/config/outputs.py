"""Whether a command may write where it was told to, before it computes for hours."""

from pathlib import Path


def output_problem(out: Path, source: Path) -> str:
    """One sentence; empty where all is well."""
    if out.is_dir():
        return f"{out} is a folder: name a file in it."
    if out.exists() and source.exists() and out.samefile(source):
        return f"{out} is the file to be read, and would be lost: name another."
    return ""
