"""From a CSV file to a report, in code.

    pip install ./client
    export PEEKAWORD_URL=https://peekaword.example PEEKAWORD_TOKEN=pkw_...
    python docs/examples/from_csv_to_report.py reviews.csv org/my-classifier report.zip

The file has the columns `text` and `label`, and its labels are those of the classifier. In a notebook, each of the
functions below is a cell.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from peekaword_client import Peekaword, Step
from peekaword_client.types import Campaign, Classifier, Dataset


def say(step: Step) -> None:
    print(f"{step.job}: {step.done} of {step.total or '?'} {step.text}", file=sys.stderr)


def bring(peekaword: Peekaword, file: Path, source: str) -> tuple[Dataset, Classifier]:
    """The texts and the classifier, and what it predicts of them."""
    dataset = peekaword.datasets.import_file(file, name=file.stem, progress=say, language="en")
    added = peekaword.classifiers.add(name=source.rpartition("/")[2], source=source)
    classifier = peekaword.classifiers.wait(added["slug"], progress=say)
    run = peekaword.runs.start(dataset=dataset["slug"], classifier=classifier["slug"], kind="predict")
    peekaword.runs.wait(run["id"], progress=say)
    return dataset, classifier


def design(peekaword: Peekaword, dataset: Dataset, classifier: Classifier) -> Campaign:
    """Which of two methods shows better, in two words, what a text is about? What is not said is as proposed."""
    campaign = peekaword.campaigns.create(
        name="Two words are enough",
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
    return peekaword.campaigns.prepare(campaign["slug"], progress=say)


def launch(peekaword: Peekaword, campaign: Campaign) -> str:
    """Unless something would lose workers. Answers the link to hand out."""
    for finding in peekaword.campaigns.findings(campaign["slug"]):
        print(f"{finding['severity']}: {finding['text']} {finding['remedy']}", file=sys.stderr)
    peekaword.campaigns.launch(campaign["slug"], progress=say)
    return peekaword.campaigns.recruitment(campaign["slug"])["link"]


def conclude(peekaword: Peekaword, campaign: Campaign, archive: Path) -> dict[str, float]:
    """Once all judgments are in: the report with all its files, and how many texts were recognised by method."""
    slug = campaign["slug"]
    peekaword.campaigns.wait(slug, "judge", progress=say)
    peekaword.campaigns.move(slug, "close")
    peekaword.reports.build(slug, progress=say)
    peekaword.reports.archive(slug, archive)
    return {method["method"]: method["mean_accuracy"] for method in peekaword.reports.json(slug)["methods"]}


def main(file: Path, source: str, archive: Path, recruit: Callable[[str], object] = print) -> dict[str, float]:
    """`recruit` is told the link that workers come by."""
    with Peekaword() as peekaword:
        dataset, classifier = bring(peekaword, file, source)
        campaign = design(peekaword, dataset, classifier)
        recruit(launch(peekaword, campaign))
        return conclude(peekaword, campaign, archive)


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
