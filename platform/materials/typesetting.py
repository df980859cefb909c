"""Heat maps as LaTeX, for any engine with xcolor; scripts beyond Latin need XeLaTeX or LuaLaTeX and a font."""

import re
from collections.abc import Iterator, Sequence

from materials.arranging import direction
from materials.colours import AGAINST, FOR, QUIET
from materials.picturing import HeatMap, Picture
from materials.wording import figure_heading, legend, map_facts

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\N{EN DASH}": r"\textendash{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "\N{MINUS SIGN}": "$-$", "\N{MIDDLE DOT}": r"\textperiodcentered{}",
    "`": r"\textasciigrave{}", '"': r"\char34{}",
}  # fmt: skip
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
HEAD = r"""% Heat maps made with Peekaword.
% In the preamble: \usepackage{xcolor}, and with pdfLaTeX \usepackage[T1]{fontenc}.
% Texts beyond the Latin script need XeLaTeX or LuaLaTeX and a font that has their letters."""
LEFTWARD = "% This text runs from right to left: put it into that language's environment of babel or polyglossia."
MACROS = r"""\providecommand{\pwword}[2]{{\setlength{\fboxsep}{1.5pt}\colorbox{#1}{\strut #2}}}
\providecommand{\pwfor}[2]{\pwword{pwfor#1}{#2}}
\providecommand{\pwagainst}[2]{\pwword{pwagainst#1}{\underline{#2}}}
\providecommand{\pwunseen}[1]{\textcolor{pwquiet}{\textit{#1}}}"""


def typeset(picture: Picture, maps: Sequence[HeatMap]) -> str:
    """A block of LaTeX to stand in a figure or in the text, its colours and commands with it."""
    return "\n".join(
        [*_preamble(picture), "{\\setlength{\\parindent}{0pt}\\raggedright", *_blocks(picture, maps), "}\n"]
    )


def latex_escape(text: str) -> str:
    return _no_dashes("".join(SPECIAL.get(character, character) for character in CONTROL.sub(" ", text)))


def _no_dashes(text: str) -> str:
    """Two hyphens would be set as a dash."""
    return text.replace("--", "-{}-{}")


def _preamble(picture: Picture) -> Iterator[str]:
    yield HEAD
    if direction(picture.content) == "rtl":
        yield LEFTWARD
    for name, colours in (("for", FOR), ("against", AGAINST)):
        for step, colour in enumerate(colours, start=1):
            yield rf"\definecolor{{pw{name}{step}}}{{HTML}}{{{colour[1:].upper()}}}"
    yield rf"\definecolor{{pwquiet}}{{HTML}}{{{QUIET[1:].upper()}}}"
    yield MACROS


def _blocks(picture: Picture, maps: Sequence[HeatMap]) -> Iterator[str]:
    yield rf"\textbf{{{latex_escape(figure_heading(picture))}}}\par"
    for one in maps:
        yield rf"\medskip\textbf{{{latex_escape(one.title)}}}\\*"
        yield rf"{{\footnotesize {latex_escape(map_facts(one))}}}\par"
        yield _no_dashes("".join(_body(one))).strip() + r"\par"
    yield rf"\medskip{{\footnotesize {latex_escape(' '.join(legend(maps, 'no line', 'underlined')))}\par}}"


def _body(one: HeatMap) -> Iterator[str]:
    """Word by word, so that lines break between the boxes; a line break of the text ends a paragraph."""
    strengths = {at: strength for start, end, strength in one.marks for at in range(start, end)}
    before, done = "", 0
    for start, end, score in zip(one.starts, one.ends, one.scores, strict=True):
        word = one.content[start:end]
        if gap := one.content[done:start]:
            yield _gap(gap)
        elif direction(before) and direction(word):
            # Words of scripts that write no space between them.
            yield r"\allowbreak{}"
        yield _word(latex_escape(word), strengths.get(start, 0), score is not None)
        before, done = word, end
    yield _gap(one.content[done:])


def _gap(gap: str) -> str:
    if gap.isspace():
        return "\\par\n" if "\n" in gap else " "
    return latex_escape(gap)


def _word(word: str, strength: int, seen: bool) -> str:
    if not seen:
        return rf"\pwunseen{{{word}}}"
    if not strength:
        return word
    return rf"\pw{'for' if strength > 0 else 'against'}{{{abs(strength)}}}{{{word}}}"
