"""references.bib: whom to cite for what this report used."""

from collections.abc import Iterator
from typing import Any

from analysis.study import SIMULATION, TOPK_GUESS
from catalogue.bibliography import REFERENCES, Reference, as_bibtex, cited
from catalogue.methods import METHODS
from catalogue.metrics import METRICS
from reports.files.kind import File, FileKind, Parcel, text_file

Report = dict[str, Any]
OF_PROTOCOLS = {
    TOPK_GUESS: "Lu et al. 2024",
    **dict.fromkeys(SIMULATION, "Hase & Bansal 2020"),
    "word_importance": "Schuff et al. 2022",
    "rationale_marking": "DeYoung et al. 2020",
}
OF_TESTS = {"mcnemar_exact_pooled": "McNemar 1947", "sign_flip_by_text": "Fisher 1935"}
OF_COEFFICIENTS = {
    "krippendorff_alpha": "Krippendorff 2011",
    "kendall_tau_b": "Kendall 1945",
    "spearman": "Spearman 1904",
}
OWN = """@software{{peekaword,
  title = {{{{Peekaword: human evaluation of saliency explanations}}}},
  author = {{{{The Peekaword authors}}}},
  version = {{{version}}},
  license = {{Apache-2.0}},
}}
"""


def make(parcel: Parcel) -> Iterator[File]:
    if parcel.of_people:
        own = OWN.format(version=parcel.report["meta"]["versions"]["peekaword"])
        yield text_file("references.bib", own + "\n" + as_bibtex(used(parcel.report)))


def used(report: Report) -> list[Reference]:
    """What the report's methods, metrics, protocol and statistics come from; imported methods are not known here."""
    arms = {row["method"] for row in report["methods"]} | set(report.get("design", {}).get("arms", ()))
    metrics = {row["metric"] for row in report.get("correlations", [])}
    citations = [METHODS[arm].citation for arm in sorted(arms) if arm in METHODS]
    citations += [METRICS[metric].citation for metric in sorted(metrics) if metric in METRICS]
    return [one for citation in citations for one in cited(citation)] + [REFERENCES[name] for name in _named(report)]


def _named(report: Report) -> Iterator[str]:
    if (protocol := report["meta"]["protocol"]) in OF_PROTOCOLS:
        yield OF_PROTOCOLS[protocol]
    if report["methods"]:
        yield "Efron & Tibshirani 1993"
    if any(row.get("by_k") for row in report["methods"]):
        yield "Wilson 1927"
    compared = [row[key] for row in report["methods"] for key in ("vs_random", "vs_no_explanation") if key in row]
    if compared:
        yield "Holm 1979"
    yield from (OF_TESTS[row["test"]] for row in compared if row.get("test") in OF_TESTS)
    if "friedman" in report:
        yield "Friedman 1937"
    rows = [*report.get("agreement", []), *report.get("correlations", [])]
    yield from (OF_COEFFICIENTS[row["coefficient"]] for row in rows if row["coefficient"] in OF_COEFFICIENTS)
    yield "Belz & Thomson 2024"


CITED = FileKind(
    "references",
    "References",
    ("references.bib",),
    "Whom to cite: BibTeX of the methods, metrics, protocol and statistics of this report, and of Peekaword.",
    make,
)
