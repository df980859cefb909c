"""A campaign's maps, computed by real workers: texts a second with 1 and 2 processes, and exactness under kills.

    python benchmarks/explain_run.py --classifier var/demo/classifier [--texts 200] [--processes 1 2] [--kills 3]
                                     [--methods gradient,attention_all,...]

Starts embedded Postgres and Valkey, imports the movie reviews that the demo uses, asks for all the methods and two
metrics, and runs Celery with so many processes. The time is from the first chunk taken to the last one written; the
estimate is what the wizard would have said before. With --kills the worker is killed (SIGKILL, all its processes) at
random moments and started again, as often as said. Afterwards the database is counted: each text must have one map by
each method, and each map one value of each metric, none twice. Rates of one sitting may be compared, not of two.
"""

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("PEEKAWORD_VAR", tempfile.mkdtemp(prefix="pw"))

import django  # noqa: E402
from django.core.management import call_command  # noqa: E402

from config.embedded import services  # noqa: E402

TWELVE = (
    "attention_all,attention_last,attention_rollout,attention_x_gradient,gradient,input_x_gradient,"
    "integrated_gradients,deeplift,attn_lrp,occlusion,lime,random"
)
METRICS: dict[str, dict[str, Any]] = {"comprehensiveness": {}, "sufficiency": {}}
LONGEST_WAIT = 4 * 3600.0


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classifier", required=True, type=Path)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--methods", default=TWELVE)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--kills", type=int, default=0)
    options = parser.parse_args(arguments)
    with services():
        django.setup()
        call_command("migrate", verbosity=0)
        print(f"{'processes':>9} {'kills':>5} {'estimate s':>10} {'took s':>8} {'texts/s':>8} {'maps':>7}  exact")
        for processes in options.processes:
            methods = options.methods.split(",")
            print(measure(options.classifier.resolve(), options.texts, methods, processes, options.kills), flush=True)


def measure(folder: Path, texts: int, methods: list[str], processes: int, kills: int) -> str:
    from materials.estimating import estimate_computing
    from materials.explaining import explain
    from materials.models import Explanation

    dataset, classifier = materials(f"bench {processes}", folder, texts)
    asked: dict[str, dict[str, Any]] = {name: {} for name in methods}
    estimate = estimate_computing(dataset.texts.all(), texts, classifier, asked, METRICS)
    run = explain(dataset.texts.all(), dataset, classifier, asked, METRICS, None)
    killed = work(run, processes, kills)
    run.refresh_from_db()
    # Loading the model is no part of the rate: the first chunk starts the clock.
    finished: list[tuple[Any, list[int]]] = sorted(run.chunks.values_list("finished_at", "text_ids"))
    (first, done), (last, _) = finished[0], finished[-1]
    took = (last - first).total_seconds()
    rate = (texts - len(done)) / took if took else 0.0
    maps = Explanation.objects.filter(classifier=classifier).count()
    said = f"{estimate.seconds:.0f}" if estimate else "-"
    exact = "yes" if is_exact(run, methods) else "NO"
    return f"{processes:>9} {killed:>5} {said:>10} {took:>8.1f} {rate:>8.2f} {maps:>7}  {exact}"


def materials(name: str, folder: Path, texts: int) -> tuple[Any, Any]:
    """The demo's reviews as a dataset, and the classifier as a worker process registers it."""
    from accounts.models import Team
    from materials.models import Classifier, Dataset, Text
    from workers.classifiers.demo_data import read_reviews
    from workers.registering import register

    team = Team.objects.create(name=name)
    dataset = Dataset.objects.create(team=team, name=name, slug=name.replace(" ", "-"), language="en")
    reviews = read_reviews()[0][:texts]
    Text.objects.bulk_create(
        Text(dataset=dataset, key=str(at), content=review.content, content_hash=f"{at:064d}")
        for at, review in enumerate(reviews)
    )
    classifier = Classifier.objects.create(team=team, name=name, slug=dataset.slug, source=str(folder), kind="")
    register(classifier.pk)
    classifier.refresh_from_db()
    if classifier.state != Classifier.State.READY:
        sys.exit(classifier.error)
    return dataset, classifier


def work(run: Any, processes: int, kills: int) -> int:
    """Run Celery until the run is done, killing it up to so many times on the way."""
    from config.serving import celery_worker
    from materials.models import Run

    chance, killed, until = random.Random(processes), 0, time.monotonic() + LONGEST_WAIT
    while Run.objects.get(pk=run.pk).state == Run.State.RUNNING and time.monotonic() < until:
        with celery_worker(processes) as worker:
            dies = time.monotonic() + chance.uniform(15, 60) if killed < kills else until
            while worker.alive() and Run.objects.get(pk=run.pk).state == Run.State.RUNNING:
                if time.monotonic() > dies:
                    os.killpg(worker.pid, signal.SIGKILL)
                    killed += 1
                    break
                time.sleep(0.2)
    return killed


def is_exact(run: Any, methods: list[str]) -> bool:
    """One map a text and method and one value a map and metric, or a failure with its reason."""
    from django.db.models import Count

    from materials.models import Explanation, MetricScore

    maps = Explanation.objects.filter(classifier=run.classifier)
    texts, failed = run.dataset.texts.count(), run.failures.count()
    doubled = maps.values("text", "method").annotate(n=Count("pk")).filter(n__gt=1).exists()
    scores = MetricScore.objects.filter(explanation__in=maps).count()
    return not doubled and maps.count() + failed == texts * len(methods) and scores == maps.count() * len(METRICS)


if __name__ == "__main__":
    main()
