"""Figures as LaTeX. There is no TeX to compile them with here, so the tests read them as TeX would."""

import re

from hypothesis import given
from hypothesis import strategies as st

from language.words import segment
from materials.typesetting import latex_escape, typeset
from tests.materials.heat import even, heat_map, picture

NASTY = '100% of $5 & #1_a {b} ~c^d \\end{document} -- <x> |y| "q" `z`'


def balanced(latex: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", re.sub(r"(?<!\\)%.*", "", latex)):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def test_it_works() -> None:
    latex = typeset(picture(heat_map()), [heat_map(settings={"kernel_width": 0.5})])
    assert r"\pwfor{1}{A} \pwfor{5}{great} \pwfor{3}{film}, \pwfor{1}{with a} " not in latex
    assert (
        r"\pwfor{5}{great} \pwfor{3}{film}, \pwfor{1}{with} \pwfor{1}{a} \pwagainst{3}{dull} \pwunseen{ending}."
        in latex
    )
    assert r"\textbf{LIME (kernel\_width = 0.5)}" in latex
    assert r"\definecolor{pwfor5}{HTML}{609ADE}" in latex and balanced(latex)


def test_only_xcolor_is_needed() -> None:
    latex = typeset(picture(heat_map()), [heat_map()])
    assert latex.startswith("% Heat maps") and r"\usepackage{xcolor}" in latex.split("\\definecolor")[0]
    used = set(re.findall(r"\\([a-zA-Z]+)", re.sub(r"(?m)^%.*", "", latex)))
    assert used <= {
        "definecolor", "providecommand", "pwword", "pwfor", "pwagainst", "pwunseen", "setlength", "fboxsep",
        "colorbox", "strut", "underline", "textcolor", "textit", "parindent", "raggedright", "textbf", "par",
        "medskip", "footnotesize", "textperiodcentered",
    }  # fmt: skip


def test_every_special_character_is_escaped() -> None:
    escaped = latex_escape(NASTY)
    assert escaped == (
        r"100\% of \$5 \& \#1\_a \{b\} \textasciitilde{}c\textasciicircum{}d \textbackslash{}end\{document\} "
        r"-{}-{} \textless{}x\textgreater{} \textbar{}y\textbar{} \char34{}q\char34{} "
        r"\textasciigrave{}z\textasciigrave{}"
    )


@given(st.text(alphabet=st.sampled_from(list("ab {}\\%$&#_^~-\n\t,\x00é")), min_size=1).filter(segment))
def test_braces_balance_and_nothing_starts_a_comment(content: str) -> None:
    latex = typeset(picture(even(content)), [even(content)])
    body = "\n".join(line for line in latex.splitlines() if not line.startswith("% "))
    assert balanced(latex)
    assert not re.search(r"(?<!\\)(?:\\\\)*[%$&#_^~]", re.sub(r"(?m)^\\providecommand.*$", "", body).replace("$-$", ""))


def test_a_right_to_left_text_says_what_it_needs() -> None:
    assert "right to left" in typeset(picture(even("هذا الفيلم")), [even("هذا الفيلم")])
    assert "right to left" not in typeset(picture(heat_map()), [heat_map()])


def test_chinese_may_break_between_words() -> None:
    assert r"\allowbreak{}" in typeset(picture(even("这部电影好看")), [even("这部电影好看")])


def test_line_breaks_end_paragraphs() -> None:
    assert "{one}\\par\n\\pwfor" in typeset(picture(even("one\ntwo\nthree")), [even("one\ntwo\nthree")])
