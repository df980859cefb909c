from pathlib import Path

from catalogue.documenting import allowed, document, document_metrics, signed_in_words
from catalogue.methods import METHODS, Method
from catalogue.metrics import METRICS, Metric
from catalogue.parameters import Parameter

DOCS = Path(__file__).resolve().parents[2] / "docs"


def method(**changes: object) -> Method:
    given = {"signed": True, "complete": False} | changes
    return Method("mine", "Mine", "ours", "We 2026", "What | it says.", **given)  # type: ignore[arg-type]


def test_the_pages_say_what_the_catalogue_says() -> None:
    ours = [one for one in METHODS.values() if not one.function]
    assert (DOCS / "methods.md").read_text(encoding="utf-8") == document(ours), "make docs writes it anew"
    said = (DOCS / "metrics.md").read_text(encoding="utf-8")
    assert said == document_metrics(METRICS.values()), "make docs writes it anew"


def test_it_works() -> None:
    page = document([method(parameters=(Parameter("samples", 200, "how many", minimum=2),))])
    assert "## Ours" in page
    assert "| `mine`<br>Mine | What &#124; it says. | yes | no | transformer | We 2026 |" in page
    assert "| `samples` | `mine` | `200` | 2 or more | how many |" in page


def test_a_metric_says_which_way_is_better() -> None:
    metric = Metric("mine", "Mine", "ours", "We 2026", "What | it says.", False, parameters=(Parameter("k", 5, "K."),))
    page = document_metrics([metric])
    assert "| `mine`<br>Mine | What &#124; it says. | lower | We 2026 |" in page
    assert "| `k` | `mine` | `5` | any | K. |" in page


def test_a_sign_may_depend_on_a_parameter() -> None:
    assert signed_in_words(method(signed=False, signed_by=("of", ("a", "b")))) == "with of = a or b"
    assert signed_in_words(method(signed=False)) == "no"


def test_what_the_wizard_shows_as_it_stands_holds_no_marks_of_markdown() -> None:
    described: list[Method | Metric] = [*METHODS.values(), *METRICS.values()]
    for one in described:
        assert not {"`", "*"} & set("".join([one.description, *(each.description for each in one.parameters)]))


def test_allowed_values_are_said_in_words() -> None:
    assert allowed(Parameter("a", "x", "", choices=("x", "y"))) == "x, y"
    assert allowed(Parameter("a", 0.5, "", minimum=0, maximum=1)) == "0 to 1"
    assert allowed(Parameter("a", 0.5, "", maximum=1)) == "1 or less"
    assert allowed(Parameter("a", True, "")) == "True, False"
    assert allowed(Parameter("a", 3, "")) == ""
