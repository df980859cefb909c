#!/usr/bin/env python
"""Peekaword's commands."""

import os
import sys
from pathlib import Path

# Appended, not inserted: the folder is called like a standard module and must never win over it.
sys.path.append(str(Path(__file__).resolve().parent / "platform"))

from config.embedded import main  # noqa: E402

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(sys.argv)
