"""Saliency methods against the loops that people write around captum: how fast, how much memory, how equal?

    python benchmarks/saliency.py [--texts 64] [--methods ...] [--bf16] [--processes 1 2] [--pieces 512] [--out F.json]
    python benchmarks/saliency.py --device cuda

Both sides explain the same texts of 20-250 pieces (LIME: single reviews) with the packaged MiniLM, fine-tuned
where `make demo` has been run, in a process of their own with one thread: seconds of CPU on a CPU, of the clock on
a GPU. The machine may be busy, so compare ratios of one run, never single figures. "Together" is what one
forward and one backward serve: all attention and gradient arms at once. The difference is the largest one between
two scores of a text, as a share of its largest score; both sides of integrated gradients are approximations.

What limits the rest: on a CPU the passes are bound by matrix multiplication; the last lines say which share of the
attainable rate one pass reaches (the rest goes to softmax, GELU, layer norms and memory). Batching alone gains
little there; what pays is fewer passes: shared ones, remembered ones, and fewer points on the path.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]

import torch  # noqa: E402
import transformers as untyped  # noqa: E402

from benchmarks import captum_loops  # noqa: E402
from workers.classifiers import demo_data, load_classifier, set_up_process  # noqa: E402
from workers.classifiers.budgeting import find_budget  # noqa: E402
from workers.classifiers.classifier import TextClassifier  # noqa: E402
from workers.explaining import explain  # noqa: E402
from workers.records import Explained, SourceText  # noqa: E402

transformers: Any = untyped
TOGETHER = ("attention_all", "attention_last", "gradient", "input_x_gradient")
# The arms of Lu et al. 2024.
ARMS = (*TOGETHER, "integrated_gradients", "lu2024_deeplift", "lime", "random")
SHORTEST, LONGEST = 20, 250
Result = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=64)
    parser.add_argument("--methods", nargs="+", default=list(ARMS), choices=ARMS)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--bf16", action="store_true", help="how far scores in bfloat16 are from those in float32")
    parser.add_argument("--processes", type=int, nargs="*", default=[], help="texts a second with so many processes")
    parser.add_argument("--pieces", type=int, default=0, help="peak memory of both sides on texts of so many pieces")
    parser.add_argument("--budget", type=int, default=0, help="tokens in a pass of ours; the usual number if not given")
    parser.add_argument("--out", type=Path, help="all figures as JSON")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    set_up_process()
    if options.child:
        return print(json.dumps(run_side(json.loads(options.child))))
    folder = classifier_folder()
    job = {"folder": str(folder), "device": options.device, "dtype": "float32", "budget": options.budget}
    classifier = load_classifier(str(folder))
    long, short = make_texts(classifier, options.texts), make_texts(classifier, options.texts, longest=SHORTEST)
    result: Result = {"classifier": str(folder), "texts": len(long), "device": options.device}
    result["methods"] = compare(classifier, job, options.methods, long, short)
    if options.bf16:
        result["bf16"] = compare_bf16(job, options.methods, long)
    if options.processes:
        result["texts_per_second"] = {str(count): throughput(job, long, count) for count in options.processes}
    if options.pieces:
        result["peak_mb"] = peaks(classifier, job, options.pieces)
    if options.device == "cpu":
        result["gflops"] = rates(classifier, long, result["methods"])
    print("\n".join(in_words(result)))
    if options.out:
        options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def classifier_folder() -> Path:
    """The demo's classifier, or the packaged encoder with a random head."""
    if (ROOT / "var/demo/classifier/config.json").is_file():
        return ROOT / "var/demo/classifier"
    folder = ROOT / "var/benchmark/classifier"
    torch.manual_seed(0)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(demo_data.encoder_folder(), num_labels=2)
    model.save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(demo_data.encoder_folder()).save_pretrained(folder)
    return folder


def make_texts(classifier: TextClassifier, count: int, shortest: int = SHORTEST, longest: int = LONGEST) -> list[str]:
    """Reviews, joined until each has the pieces that its place between shortest and longest asks for."""
    reviews = [review.content for review in demo_data.read_reviews()[0]]
    random.Random(0).shuffle(reviews)
    left, texts = iter(reviews), []
    for place in range(count):
        wanted, content = shortest + (longest - shortest) * place / max(1, count - 1), next(left)
        while len(classifier.encode("", content).input_ids) < wanted:
            content = f"{content} {next(left)}"
        texts.append(content)
    return texts


def compare(
    classifier: TextClassifier, job: Result, methods: Sequence[str], long: list[str], short: list[str]
) -> Result:
    """Seconds of each side by method, and how far their scores are apart; `together` is one pass of ours."""
    shared = [name for name in TOGETHER if name in methods]
    groups = [[name] for name in methods if name != "lime"] + ([shared] if len(shared) > 1 else [])
    ours = start(job | {"side": "ours", "groups": groups, "texts": long})
    loops = start(job | {"side": "loops", "groups": groups, "texts": long})
    if "lime" in methods:
        for side, found in (("ours", ours), ("loops", loops)):
            found["methods"] |= start(job | {"side": side, "groups": [["lime"]], "texts": short})["methods"]
    rows = {}
    for name, mine in ours["methods"].items():
        theirs = loops["methods"][name]
        rows[name] = {"ours": mine["seconds"], "loops": theirs["seconds"], "ratio": theirs["seconds"] / mine["seconds"]}
        if name in methods and name != "random":
            contents = short if name == "lime" else long
            rows[name]["difference"] = difference(classifier, contents, mine["scores"], theirs["scores"], name)
        if errors := [error for error in mine["errors"] if error is not None]:
            rows[name] |= {"largest_error": max(errors), "loops_error": max(theirs["errors"], default=None)}
    rows["total"] = {side: sum(rows[name][side] for name in methods) for side in ("ours", "loops")}
    rows["total"]["ratio"] = rows["total"]["loops"] / rows["total"]["ours"]
    rows["peak_mb"] = {"ours": ours["peak_mb"], "loops": loops["peak_mb"]}
    return rows


def difference(classifier: TextClassifier, texts: list[str], ours: Any, loops: Any, name: str) -> float:
    """The largest, over texts, of max |ours - loops| / max |loops|, on words."""
    worst = 0.0
    for content, mine, theirs in zip(texts, ours, loops, strict=True):
        words = theirs if name == "lime" else classifier.encode("", content).to_words(theirs)
        pairs = [(a, b) for a, b in zip(mine, words, strict=True) if a is not None]
        worst = max(worst, max(abs(a - b) for a, b in pairs) / max(abs(b) for _, b in pairs))
    return worst


def compare_bf16(job: Result, methods: Sequence[str], texts: list[str]) -> Result:
    """Seconds and the largest difference of scores, of the methods without adaptive parts."""
    groups = [[name] for name in methods if name in TOGETHER]
    full, half = (start(job | {"side": "ours", "groups": groups, "texts": texts, "dtype": dtype})["methods"]
                  for dtype in ("float32", "bfloat16"))  # fmt: skip
    rows: Result = {}
    for (name,) in groups:
        apart = [
            max(abs(a - b) for a, b in zip(one, other, strict=True)) / max(map(abs, one))
            for one, other in zip(full[name]["scores"], half[name]["scores"], strict=True)
        ]
        rows[name] = {"ratio": full[name]["seconds"] / half[name]["seconds"], "difference": max(apart)}
    return rows


def throughput(job: Result, texts: list[str], count: int) -> float:
    """Texts a second, by the clock, of so many processes that share the texts out."""
    shares = [texts[place::count] for place in range(count)]
    jobs = [job | {"side": "ours", "groups": [list(TOGETHER)], "texts": share, "waits": True} for share in shares]
    children = [popen(one) for one in jobs]
    for child in children:
        child.stdout.readline()
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    said = [json.loads(child.communicate()[0]) for child in children]
    slowest: float = max(one["wall_seconds"] for one in said)
    return len(texts) / slowest


def peaks(classifier: TextClassifier, job: Result, pieces: int) -> Result:
    """Peak memory of both sides on four texts, each group of methods in a process of its own.

    Captum takes all 50 steps of integrated gradients at once unless it is told otherwise.
    """
    texts = make_texts(classifier, 4, pieces, pieces)
    found: Result = {"together": {}, "integrated_gradients": {}}
    for name, groups in (("together", [list(TOGETHER)]), ("integrated_gradients", [["integrated_gradients"]])):
        for side in ("ours", "loops"):
            found[name][side] = start(job | {"side": side, "groups": groups, "texts": texts})["peak_mb"]
    return found


def popen(job: Result) -> Any:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--child", json.dumps(job)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def start(job: Result) -> Result:
    """Run one side in a process of its own, to the end."""
    print(f"{job['side']}: {' '.join('+'.join(group) for group in job['groups'])} ...", file=sys.stderr, flush=True)
    child = popen(job)
    said, _ = child.communicate()
    if child.returncode:
        sys.exit(f"The process of {job['side']} failed.")
    found: Result = json.loads(said)
    return found


def run_side(job: Result) -> Result:
    """What a child does: each group of methods over all texts, after a text that warms up."""
    classifier = load_classifier(job["folder"], device=job["device"], dtype=job["dtype"])
    run = explain_group(classifier, job) if job["side"] == "ours" else loop_group(classifier, job)
    run(job["groups"][0], job["texts"][:1])
    if job.get("waits"):
        print("ready", flush=True)
        sys.stdin.readline()
    methods, began = {}, time.perf_counter()
    for group in job["groups"]:
        name = group[0] if len(group) == 1 else "together"
        started = clock(job["device"])
        scores, errors = run(group, job["texts"])
        methods[name] = {"seconds": clock(job["device"]) - started, "scores": scores, "errors": errors}
    return {"methods": methods, "peak_mb": peak_mb(job["device"]), "wall_seconds": time.perf_counter() - began}


Run = Callable[[list[str], list[str]], tuple[list[list[float | None]], list[float | None]]]


def explain_group(classifier: TextClassifier, job: Result) -> Run:
    budget = find_budget(classifier, job["budget"])

    def run(group: list[str], contents: list[str]) -> tuple[list[list[float | None]], list[float | None]]:
        classifier.memory.__init__()  # type: ignore[misc]
        texts = [SourceText(str(at), content) for at, content in enumerate(contents)]
        made = list(explain(classifier, texts, {name: {} for name in group}, budget))
        records = [record for record in made if isinstance(record, Explained) and record.method == group[0]]
        return [record.scores for record in records], [record.completeness_error for record in records]

    return run


def loop_group(classifier: TextClassifier, job: Result) -> Run:
    loops = captum_loops.Loops(classifier)

    def run(group: list[str], contents: list[str]) -> tuple[list[list[float | None]], list[float | None]]:
        scores: list[list[float | None]] = []
        errors: list[float | None] = []
        for content in contents:
            read = loops.read(content)
            made = [captum_loops.LOOPS[name](loops, read).tolist() for name in group]
            scores.append(made[0])
            errors.extend(read.deltas.values())
        return scores, errors

    return run


def clock(device: str) -> float:
    if device == "cpu":
        return time.process_time()
    torch.cuda.synchronize()
    return time.perf_counter()


def peak_mb(device: str) -> float:
    if device == "cpu":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return torch.cuda.max_memory_allocated() / 2**20


def rates(classifier: TextClassifier, texts: list[str], methods: Result) -> Result:
    """Billions of operations a second: of bare matrix products of the model's shapes, and of one pass of ours."""
    config = classifier.model.config
    wide, inner, layers = config.hidden_size, config.intermediate_size, config.num_hidden_layers
    shapes = [(wide, wide)] * 4 + [(wide, inner), (inner, wide)]
    factors = [(torch.ones(1024, rows), torch.ones(rows, columns)) for rows, columns in shapes]
    started, rounds = time.process_time(), 40
    for left, right in factors * rounds:
        torch.mm(left, right)
    weights = sum(rows * columns for rows, columns in shapes)
    found: Result = {"attainable": rounds * 2 * 1024 * weights / (time.process_time() - started) / 1e9}
    lengths = [len(classifier.encode("", content).input_ids) for content in texts]
    # Products with weights forward and back; those of attention, which has two, three times.
    operations = sum(layers * (2 * 2 * weights + 3 * 4 * length * wide) * length for length in lengths)
    for name in ("gradient", "together"):
        if name in methods:
            found[name] = operations / methods[name]["ours"] / 1e9
    return found


def in_words(result: Result) -> Iterator[str]:
    yield f"{result['texts']} texts, {result['device']}, {result['classifier']}"
    yield f"{'':24} {'ours s':>9} {'loops s':>9} {'ratio':>7} {'difference':>11} {'error':>8} {'loops':>8}"
    for name, row in result["methods"].items():
        if name != "peak_mb":
            more = "".join(
                f" {row[key]:>{width}.1e}" if row.get(key) is not None else " " * (width + 1)
                for key, width in (("difference", 11), ("largest_error", 8), ("loops_error", 8))
            )
            yield f"{name:24} {row['ours']:>9.2f} {row['loops']:>9.2f} {row['ratio']:>7.2f}{more}".rstrip()
    peak = result["methods"]["peak_mb"]
    yield f"peak memory MB: ours {peak['ours']:.0f}, loops {peak['loops']:.0f}"
    for name, sides in result.get("peak_mb", {}).items():
        yield f"peak memory MB of long texts, {name}: ours {sides['ours']:.0f}, loops {sides['loops']:.0f}"
    for name, row in result.get("bf16", {}).items():
        yield f"bf16 {name}: {row['ratio']:.2f} times as fast, scores up to {row['difference']:.1e} apart"
    for count, rate in result.get("texts_per_second", {}).items():
        yield f"{count} processes: {rate:.1f} texts a second"
    for name, rate in result.get("gflops", {}).items():
        yield f"GFLOP/s {name}: {rate:.0f}"


if __name__ == "__main__":
    main()
