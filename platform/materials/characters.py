"""What the database, and a page in UTF-8, cannot hold: NUL and halves of surrogate pairs."""

import re

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
