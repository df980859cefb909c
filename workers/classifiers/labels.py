"""Names of labels: they are told apart, matched with a dataset's and stored by them."""

import re
from collections.abc import Sequence

from workers.classifiers.errors import ClassifierError

# NUL, and halves of a character: no database and no file of UTF-8 takes them.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
LONGEST_LABEL = 200  # As the labels of texts.


def check_labels(names: Sequence[str], where: str) -> None:
    """Refuse a name that is empty, too long or another's; `where` ends the sentence with the remedy."""
    for index, name in enumerate(names):
        if UNSTORABLE.search(name):
            raise ClassifierError(f"Output {index} holds a character that cannot be stored in {where}.")
        others = [other.casefold() for other in names[:index]]
        if not name or len(name) > LONGEST_LABEL or name.casefold() in others:
            fault = "is longer than any label may be" if len(name) > LONGEST_LABEL else "has no name of its own"
            raise ClassifierError(f"Output {index} {fault} in {where}.")
