"""What went wrong with a classifier, in words for the person who named it."""


class ClassifierError(Exception):
    """The message says what was expected and what to do."""
