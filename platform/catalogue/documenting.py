"""docs/methods.md and docs/metrics.md, from the catalogue: `make docs` writes them, and a test fails when they have
fallen behind.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence

from catalogue.methods import METHODS, Method
from catalogue.metrics import METRICS, Metric
from catalogue.parameters import Parameter

HEAD = """# Saliency methods

Written by `make docs` from `platform/catalogue/methods.py`; change it there.

Scores are one number a word, for the predicted class unless another is asked for. **Signed**: scores speak for and
against the class; without a sign they only say how much a word mattered. **Complete**: all scores, with those of
special tokens, are meant to add up to the change of the class's score (its logit, or what the classifier has instead)
from an empty input to the text (those of AttnLRP to the score less what biases and positions keep). Not all of them do:
each such map says how far its scores are from adding up, as a relative error, and is marked where that is over a tenth.
**For** says which kinds of classifier a method serves.

`manage.py explain --list` prints the same, and what `SALIENCY_METHODS` adds. Parameters are set with
`--params '{"lime": {"samples": 500}}'`, and in the campaign wizard.
"""

METRICS_HEAD = """# Automatic metrics

Written by `make docs` from `platform/catalogue/metrics.py`; change it there.

One number an explanation, from its scores on words. Words are ranked by score, ties by their place in the text, and
punctuation is ranked as any word. Words are left out on the ids of the text, as `absent` says; special tokens stay,
and so does a piece that belongs to another word too. The class is the one that the explanation explains. Its
probability is a softmax over the labels, a sigmoid where a text may have several, and the output itself for
regression; language models have the probability of the word. Metrics of robustness run the method again, so that
maps made elsewhere have none.

Some values are undefined: a text of one word has no ranks, a decision may never flip. Such a value is missing and its
reason stands beside it; means leave it out and say over how many texts they go.

`manage.py score --list` prints the same. Parameters are set with
`--params '{"comprehensiveness": {"profile": "ferret"}}'`. Metrics of plausibility run no classifier, so that `score`
asks for none where there are no others.

What a method is worth on a whole dataset, by training anew without the words it finds, is another job: [ROAR](roar.md).
"""


def document(methods: Iterable[Method]) -> str:
    families: dict[str, list[Method]] = {}
    for method in methods:
        families.setdefault(method.family, []).append(method)
    return "\n".join([HEAD, *(line for family, members in families.items() for line in _family(family, members))])


def _family(family: str, members: Sequence[Method]) -> Iterator[str]:
    yield f"## {family.capitalize()}\n"
    yield "| method | what it says of a word | signed | complete | for | source |"
    yield "|---|---|---|---|---|---|"
    for method in members:
        facts = (signed_in_words(method), "yes" if method.complete else "no", ", ".join(method.classifier_kinds))
        yield _row(f"`{method.name}`<br>{method.label}", method.description, *facts, method.citation)
    yield ""
    yield from _parameters(members)


def document_metrics(metrics: Iterable[Metric]) -> str:
    families: dict[str, list[Metric]] = {}
    for metric in metrics:
        families.setdefault(metric.family, []).append(metric)
    lines = (line for family, members in families.items() for line in _metric_family(family, members))
    return "\n".join([METRICS_HEAD, *lines])


def _metric_family(family: str, members: Sequence[Metric]) -> Iterator[str]:
    yield f"## {family.capitalize()}\n"
    yield "| metric | what it says of a map | better | source |"
    yield "|---|---|---|---|"
    for metric in members:
        better = "higher" if metric.higher_is_better else "lower"
        yield _row(f"`{metric.name}`<br>{metric.label}", metric.description, better, metric.citation)
    yield ""
    yield from _parameters(members)


def _parameters(members: Sequence[Method] | Sequence[Metric]) -> Iterator[str]:
    """Each once, with the methods that have it."""
    owners: dict[Parameter, list[str]] = {}
    for method in members:
        for one in method.parameters:
            owners.setdefault(one, []).append(method.name)
    if not owners:
        return
    yield "| parameter | of | default | values | meaning |"
    yield "|---|---|---|---|---|"
    for one, names in owners.items():
        of = "all of these" if len(names) == len(members) > 1 else ", ".join(f"`{name}`" for name in names)
        yield _row(f"`{one.name}`", of, f"`{shown_default(one)}`", allowed(one) or "any", one.description)
    yield ""


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def signed_in_words(method: Method) -> str:
    parameter, values = method.signed_by
    if method.signed or not parameter:
        return "yes" if method.signed else "no"
    return f"with {parameter} = {' or '.join(values)}"


def shown_default(parameter: Parameter) -> str:
    default = parameter.default
    return ", ".join(map(str, default)) if isinstance(default, tuple) else str(default)


def allowed(parameter: Parameter) -> str:
    """The values that a parameter takes, in words; empty where any of its kind does."""
    if parameter.choices:
        return ", ".join(parameter.choices)
    if isinstance(parameter.default, bool):
        return "True, False"
    least = f"{parameter.minimum:g} or more" if parameter.minimum is not None else ""
    most = f"{parameter.maximum:g} or less" if parameter.maximum is not None else ""
    return f"{parameter.minimum:g} to {parameter.maximum:g}" if least and most else least or most


if __name__ == "__main__":
    sys.stdout.write(document_metrics(METRICS.values()) if sys.argv[1:] == ["metrics"] else document(METHODS.values()))
