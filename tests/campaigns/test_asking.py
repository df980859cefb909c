import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.asking import AskingError, read_questions, read_tests, write_questions

TESTS = """What do the marks show?
- What I should like
+ What led the program to its prediction

May you guess?
+ Yes
- No"""

QUESTIONS = """How old are you? [number]

What do you work as? [text, optional]

How often do you read reviews?
- Never
- Every week"""


def test_it_works() -> None:
    assert read_tests(TESTS) == [
        {
            "question": "What do the marks show?",
            "kind": "choice",
            "choices": ["What I should like", "What led the program to its prediction"],
            "right": 1,
        },
        {"question": "May you guess?", "kind": "choice", "choices": ["Yes", "No"], "right": 0},
    ]


def test_questions_ask_for_a_number_a_text_or_a_choice() -> None:
    number, text, choice = read_questions(QUESTIONS)
    assert number == {"question": "How old are you?", "kind": "number", "choices": [], "optional": False}
    assert (text["kind"], text["optional"]) == ("text", True)
    assert (choice["kind"], choice["choices"]) == ("choice", ["Never", "Every week"])


def test_nothing_asks_nothing() -> None:
    assert read_tests(" \n\n") == [] and read_questions("") == [] and write_questions([]) == ""


def test_blank_lines_do_not_matter() -> None:
    assert read_tests(TESTS.replace("\n", "\n\n")) == read_tests(TESTS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- Yes", "Line 1: a choice needs a question above it."),
        ("Ready?", "Line 1: give at least two choices below the question, each behind a hyphen."),
        ("Ready?\n- Yes\n- No", "Line 1: none of the choices is right: put a plus sign in place of its hyphen."),
        ("\nReady?\n+ Yes\n+ No", "Line 2: only one choice can be right, but 2 have a plus sign."),
        ("Ready?\n+ Yes\n-", "Line 3: the choice is empty."),
        ("Ready?\n+ Yes\n- Yes", "Line 3: this choice is there already."),
        ("x" * 301, "Line 1: at most 300 characters a line, not 301."),
        ("Ready?\n+ 0\n" + "\n".join(f"- {n}" for n in range(1, 22)), "Line 1: at most 20 choices."),
        ("\n".join(f"{n}?\n+ Yes\n- No" for n in range(31)), "Line 91: at most 30 questions."),
    ],
)
def test_a_faulty_test_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(AskingError) as error:
        read_tests(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Age? [years]", "Line 1: expected [number], [text] or [optional] at the end"),
        ("Age? [number, text]", "Line 1: expected [number], [text] or [optional] at the end"),
        ("[number]", "Line 1: the question itself is missing."),
        ("Age? [number]\n- 7", "Line 2: a question that asks for a number has no choices."),
        ("Sex?\n- f\n+ m", "Line 3: nothing is right or wrong here: begin the choice with a hyphen."),
        ("Sex?", "Line 1: give at least two choices below the question, each behind a hyphen, or end it with"),
    ],
)
def test_a_faulty_question_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(AskingError) as error:
        read_questions(text)
    assert str(error.value).startswith(message)


WORDS = st.text("abcdefghij ?,é漢", min_size=1, max_size=20).map(lambda text: " ".join(text.split())).filter(bool)


@given(st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=2, max_size=5, unique=True), st.integers(0, 1)), max_size=4))
def test_what_is_written_is_read_again(asked: list[tuple[str, list[str], int]]) -> None:
    tests = [
        {"question": question, "kind": "choice", "choices": choices, "right": right}
        for question, choices, right in asked
    ]
    assert read_tests(write_questions(tests)) == tests


def test_written_questions_are_read_again() -> None:
    questions = read_questions(QUESTIONS)
    assert read_questions(write_questions(questions)) == questions
    assert write_questions(questions) == QUESTIONS
