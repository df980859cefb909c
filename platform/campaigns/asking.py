"""Questions to workers, written as plain lines: a question, its choices below it behind hyphens, a blank line between.

    What do the marked words show?                      How old are you? [number]
    - What I should like to be true
    + What led the program to its prediction            How often do you read reviews? [optional]
                                                        - Never
                                                        - Every week

A plus sign stands before the right choice, where one is asked for. `[number]` and `[text]` ask for these.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Question = dict[str, Any]

CHOICE, NUMBER, TEXT = "choice", "number", "text"
OPTIONAL = "optional"
MOST_QUESTIONS, MOST_CHOICES = 30, 20
LONGEST = 300
_SUFFIX = re.compile(r"\s*\[([a-z, ]+)\]\s*$")


class AskingError(ValueError):
    """What is wrong, with the line it stands in."""


def read_tests(text: str) -> list[Question]:
    """Questions with one right choice: [{question, kind, choices, right}, ...], `right` a position from 0."""
    return [_test(block) for block in _blocks(text)]


def read_questions(text: str) -> list[Question]:
    """Questions without a right answer: [{question, kind, choices, optional}, ...]."""
    return [_question(block) for block in _blocks(text)]


def write_questions(questions: Iterable[Question]) -> str:
    """The lines that are read as these."""
    return "\n\n".join("\n".join(_lines(question)) for question in questions)


def _lines(question: Question) -> Iterator[str]:
    kind = question.get("kind", CHOICE)
    said = [kind] * (kind != CHOICE) + [OPTIONAL] * bool(question.get("optional"))
    yield question["question"] + (f" [{', '.join(said)}]" if said else "")
    for at, choice in enumerate(question.get("choices", ())):
        yield f"{'+' if at == question.get('right') else '-'} {choice}"


Line = tuple[int, str]


def _blocks(text: str) -> list[list[Line]]:
    """A question's line with those of its choices."""
    found: list[list[Line]] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = " ".join(raw.split())
        if line:
            _check_length(number, line)
            _place(found, number, line)
    if len(found) > MOST_QUESTIONS:
        raise AskingError(f"Line {found[MOST_QUESTIONS][0][0]}: at most {MOST_QUESTIONS} questions.")
    return found


def _check_length(number: int, line: str) -> None:
    if len(line) > LONGEST:
        raise AskingError(f"Line {number}: at most {LONGEST} characters a line, not {len(line)}.")


def _place(found: list[list[Line]], number: int, line: str) -> None:
    if line[0] not in "-+":
        found.append([(number, line)])
    elif not found:
        raise AskingError(f"Line {number}: a choice needs a question above it.")
    else:
        found[-1].append((number, line))


def _test(block: Sequence[Line]) -> Question:
    number, question = block[0]
    choices = _choices(block)
    right = [at for at, (_, line) in enumerate(block[1:]) if line.startswith("+")]
    if len(choices) < 2:
        raise AskingError(f"Line {number}: give at least two choices below the question, each behind a hyphen.")
    if not right:
        raise AskingError(f"Line {number}: none of the choices is right: put a plus sign in place of its hyphen.")
    if len(right) > 1:
        raise AskingError(f"Line {number}: only one choice can be right, but {len(right)} have a plus sign.")
    return {"question": question, "kind": CHOICE, "choices": choices, "right": right[0]}


def _question(block: Sequence[Line]) -> Question:
    number, line = block[0]
    question, kind, optional = _parsed(number, line)
    wrong = next((at for at, one in block[1:] if one.startswith("+")), None)
    if wrong:
        raise AskingError(f"Line {wrong}: nothing is right or wrong here: begin the choice with a hyphen.")
    choices = _choices(block)
    if kind == CHOICE and len(choices) < 2:
        raise AskingError(
            f"Line {number}: give at least two choices below the question, each behind a hyphen, or end it with "
            "[number] or [text]."
        )
    if kind != CHOICE and choices:
        raise AskingError(f"Line {block[1][0]}: a question that asks for a {kind} has no choices.")
    return {"question": question, "kind": kind, "choices": choices, "optional": optional}


def _parsed(number: int, line: str) -> tuple[str, str, bool]:
    """The question, its kind, and whether it may be left empty."""
    suffix = _SUFFIX.search(line)
    words = {word.strip() for word in suffix[1].split(",")} if suffix else set()
    kinds = words & {NUMBER, TEXT}
    unknown = words - {NUMBER, TEXT, OPTIONAL}
    if unknown or len(kinds) > 1:
        raise AskingError(
            f"Line {number}: expected [number], [text] or [optional] at the end, or two by a comma such as "
            f"[text, optional]; found {suffix[0].strip() if suffix else ''}."
        )
    question = line[: suffix.start()] if suffix else line
    if not question:
        raise AskingError(f"Line {number}: the question itself is missing.")
    return question, next(iter(kinds), CHOICE), OPTIONAL in words


def _choices(block: Sequence[Line]) -> list[str]:
    choices: list[str] = []
    for number, line in block[1:]:
        choice = line[1:].strip()
        if not choice:
            raise AskingError(f"Line {number}: the choice is empty.")
        if choice in choices:
            raise AskingError(f"Line {number}: this choice is there already.")
        choices.append(choice)
    if len(choices) > MOST_CHOICES:
        raise AskingError(f"Line {block[0][0]}: at most {MOST_CHOICES} choices.")
    return choices
