"""From a CSV file to a report, in code.

    pip install ./client
    export PEEKAWORD_URL=https://peekaword.example PEEKAWORD_TOKEN=pkw_...
    python docs/examples/from_csv_to_report.py reviews.csv org/my-classifier report.zip

The file has the columns `text` and `label`, and its labels are those of the classifier. In a notebook, each of the
functions below is a cell. Whatever stops it half way, run it again: it goes on with what is there. To begin anew, name
the file and the campaign otherwise.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from peekaword_client import Peekaword, Step
from peekaword_client.types import Campaign, Classifier, Dataset

NAME = "Two words are enough"


def say(step: Step) -> None:
    print(f"{step.job}: {step.done} of {step.total or '?'} {step.text}", file=sys.stderr)


def bring_texts(peekaword: Peekaword, file: Path) -> Dataset:
    """An import brings all texts or none, so that a dataset with texts is whole."""
    for dataset in peekaword.datasets.list():
        if dataset["name"] == file.stem and dataset["texts"]:
            return dataset
    return peekaword.datasets.import_file(file, name=file.stem, progress=say, language="en")


def bring_classifier(peekaword: Peekaword, source: str, dataset: Dataset) -> Classifier:
    """With what it predicts of the texts; what is predicted already is not computed again."""
    known = [one for one in peekaword.classifiers.list() if one["source"] == source]
    added = known[0] if known else peekaword.classifiers.add(name=source.rpartition("/")[2], source=source)
    if added["state"] == "failed":
        added = peekaword.classifiers.reload(added["slug"])
    classifier = peekaword.classifiers.wait(added["slug"], progress=say)
    run = peekaword.runs.start(dataset=dataset["slug"], classifier=classifier["slug"], kind="predict")
    peekaword.runs.wait(run["id"], progress=say)
    return classifier


def design(peekaword: Peekaword, dataset: Dataset, classifier: Classifier) -> Campaign:
    """Which of two methods shows better, in two words, what a text is about? What is not said is as proposed."""
    known = [one for one in peekaword.campaigns.list() if (one["name"], one["dataset"]) == (NAME, dataset["slug"])]
    campaign = (
        known[0]
        if known
        else peekaword.campaigns.create(
            name=NAME,
            protocol="topk_guess",
            dataset=dataset["slug"],
            classifier=classifier["slug"],
            methods=["integrated_gradients", "random"],
            metrics=["comprehensiveness"],
            ks=[2],
            texts_per_label=2,
            judgments_per_stimulus=2,
            contact="lab@example.org",
            hypotheses="The two most important words say more than two at random.",
        )
    )
    if campaign["state"] == "draft":
        return peekaword.campaigns.prepare(campaign["slug"], progress=say)
    return peekaword.campaigns.wait(campaign["slug"], "prepare", progress=say)


def launch(peekaword: Peekaword, campaign: Campaign) -> str:
    """Unless something would lose workers. Answers the link to hand out."""
    slug = campaign["slug"]
    if campaign["state"] == "ready":
        for finding in peekaword.campaigns.findings(slug):
            print(f"{finding['severity']}: {finding['text']} {finding['remedy']}", file=sys.stderr)
        peekaword.campaigns.launch(slug, progress=say)
    return peekaword.campaigns.recruitment(slug)["link"]


def conclude(peekaword: Peekaword, campaign: Campaign, archive: Path) -> dict[str, float]:
    """Once all judgments are in: the report with all its files, and how many texts were recognised by method."""
    slug = campaign["slug"]
    if peekaword.campaigns.get(slug)["state"] != "closed":
        peekaword.campaigns.wait(slug, "judge", progress=say)
        peekaword.campaigns.move(slug, "close")
    peekaword.reports.build(slug, progress=say)
    peekaword.reports.archive(slug, archive)
    return {method["method"]: method["mean_accuracy"] for method in peekaword.reports.json(slug)["methods"]}


def main(file: Path, source: str, archive: Path, recruit: Callable[[str], object] = print) -> dict[str, float]:
    """`recruit` is told the link that workers come by."""
    with Peekaword() as peekaword:
        dataset = bring_texts(peekaword, file)
        campaign = design(peekaword, dataset, bring_classifier(peekaword, source, dataset))
        recruit(launch(peekaword, campaign))
        return conclude(peekaword, campaign, archive)


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
