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
OF_TESTS = {
    "mcnemar_exact_pooled": ("McNemar 1947",),
    "sign_flip_by_text": ("Fisher 1935",),
    "sign_flip": ("Fisher 1935",),
    "wilcoxon": ("Wilcoxon 1945",),
    "mcnemar": ("McNemar 1947",),
    "mcnemar_by_text": ("Durkalski et al. 2003",),
    "texts_and_workers": ("Cameron et al. 2011",),
}
OF_COEFFICIENTS = {
    "krippendorff_alpha": "Krippendorff 2011",
    "fleiss_kappa": "Fleiss 1971",
    "cohen_kappa": "Cohen 1960",
    "gwet_ac1": "Gwet 2008",
    "gwet_ac2": "Gwet 2008",
    "icc_1_1": "Shrout & Fleiss 1979",
    "icc_1_k": "Shrout & Fleiss 1979",
    "icc_2_k": "Shrout & Fleiss 1979",
    "icc_3_k": "Shrout & Fleiss 1979",
    "kendall_tau_b": "Kendall 1945",
    "spearman": "Spearman 1904",
}
# By the section of report.json that they made.
OF_SECTIONS = {
    "friedman": ("Friedman 1937",),
    "critical_difference": ("Demsar 2006",),
    "aggregation": ("Dawid & Skene 1979", "Whitehill et al. 2009", "Hovy et al. 2013"),
    "models": ("Bates et al. 2015",),
    "confounds": ("Bates et al. 2015", "Schuff et al. 2022"),
    "bradley_terry": ("Bradley & Terry 1952", "Davidson 1970"),
    "reliability": ("Spearman 1904",),
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
        yield from ("Efron & Tibshirani 1993", "Owen 2007", "Cameron et al. 2011")
    if any(row.get("by_k") for row in report["methods"]):
        yield "Wilson 1927"
    yield from _tests(report)
    yield from (name for key, names in OF_SECTIONS.items() if key in report for name in names)
    rows = [*report.get("agreement", []), *report.get("correlations", [])]
    yield from (OF_COEFFICIENTS[row["coefficient"]] for row in rows if row["coefficient"] in OF_COEFFICIENTS)
    yield "Belz & Thomson 2024"


def _tests(report: Report) -> Iterator[str]:
    compared = [row[key] for row in report["methods"] for key in ("vs_random", "vs_no_explanation") if key in row]
    tests = {row.get("test") for row in compared}
    differences = report.get("differences", [])
    tests |= {test for row in differences for test in row.get("tests", {})}
    if tests:
        yield "Holm 1979"
    if differences:
        yield "Benjamini & Hochberg 1995"
    yield from (name for test in sorted(map(str, tests)) for name in OF_TESTS.get(test, ()))


CITED = FileKind(
    "references",
    "References",
    ("references.bib",),
    "Whom to cite: BibTeX of the methods, metrics, protocol and statistics of this report, and of Peekaword.",
    make,
)
