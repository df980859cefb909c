"""ROAR: remove and retrain. Hooker et al. 2019, https://arxiv.org/abs/1806.10758
Recursive ROAR. Madsen et al. 2022, https://arxiv.org/abs/2110.08412

    for each share q of words: the words that a method scores highest are made unknown in every text, in those that are
    learnt from as in those that judge, and a model is trained anew: p_q, its accuracy on texts that took no part
    recursive: the model trained at one share is explained anew, and says which of the words left go next

Erasing words from the input of a finished model shows it texts of a kind that it never saw, so that a fall may come of
their strangeness. A model trained on such texts is at home in them: where it is still right, the words that went were
not needed, or others say the same. Recursion takes away the second way out: what says the same again comes to the top
of the next maps, and goes.

What the right answer is: nobody knows how low a curve can go, so nothing passes or fails. A method that finds what the
labels depend on lies below Random's curve at every share, and everything meets at 100 %, where lengths alone are left.
Chance is Random itself: an area of 0 between the curves. A method may also lie above it: scores that point at what does
not matter keep what matters longer than chance does.

Two things to know when reading curves. Maps explain the predicted label, so that which words are gone can tell a model
something about the label: that raises a curve, more so without recursion. And a model knows the texts that it learnt
from better than those that judge it, so that its maps of them point better: what is trained anew learns from texts with
less left in them than those that it is judged on.

A seed decides which texts are held out, how the network begins and what methods of chance draw; all methods have the
same seeds. Everything that is done is kept, so that a job that was killed goes on where it was.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from analysis.study import RANDOM
from catalogue.methods import METHODS
from workers.classifiers.errors import ClassifierError
from workers.classifiers.lstm_files import LSTMConfig
from workers.classifiers.lstm_network import LSTMNetwork
from workers.classifiers.training import Example, check_examples
from workers.classifiers.training_lstm import Recipe, fit_network, predicted_labels
from workers.explaining import explain
from workers.records import Failed, SourceText
from workers.roar.keeping import Cell, Keeper
from workers.roar.reading import Corpus, Removed, as_reader, read_corpus
from workers.roar.removing import remove

# In the place of a method, where all of them have the same texts: with every word, and with none.
WHOLE, EMPTY = Cell("none", 0.0, 0), Cell("all", 1.0, 0)
Progress = Callable[[str, int, int], None]
Params = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Job:
    """What is to be done: `shares` ascend between 0 and 1, without the ends, which are always there."""

    examples: Sequence[Example]
    label_names: Sequence[str]
    methods: Params
    shares: Sequence[float]
    seeds: Sequence[int]
    recursive: bool
    recipe: Recipe = field(default_factory=Recipe)

    @property
    def trainings(self) -> int:
        return len(self.seeds) * (2 + len(self.methods) * len(self.shares))

    @property
    def cells(self) -> Iterator[Cell]:
        """In the order in which they are done."""
        for seed in self.seeds:
            yield WHOLE._replace(seed=seed)
            yield EMPTY._replace(seed=seed)
            yield from (Cell(method, share, seed) for method in self.methods for share in self.shares)


def perform(job: Job, keeper: Keeper, progress: Progress = lambda what, done, total: None) -> dict[Cell, float]:
    """The accuracy of every cell; those that the folder holds are not trained again."""
    check_examples(job.examples, job.label_names)
    if RANDOM not in job.methods:
        raise ValueError("Random is what curves are held against: it is always among the methods.")
    done = sum(keeper.result(cell) is not None for cell in job.cells)
    for seed in job.seeds:
        working = _Working(job, keeper, seed)
        for cell in working.missing:
            progress(said(cell), done, job.trainings)
            working.do(cell)
            done += 1
    progress("done", done, job.trainings)
    return {cell: _accuracy(keeper, cell) for cell in job.cells}


def said(cell: Cell) -> str:
    """A cell as a bar of progress names it."""
    of = {WHOLE.method: "no word", EMPTY.method: "every word"}.get(cell.method) or f"{cell.share:.0%} by {cell.method}"
    return f"seed {cell.seed}, {of} removed"


class _Working:
    """The cells of one seed. The texts are read when there is something to do."""

    def __init__(self, job: Job, keeper: Keeper, seed: int) -> None:
        self.job, self.keeper, self.seed = job, keeper, seed
        own = [cell for cell in job.cells if cell.seed == seed]
        self.missing = [cell for cell in own if keeper.result(cell) is None]
        self._corpus: Corpus | None = None

    @property
    def corpus(self) -> Corpus:
        if self._corpus is None:
            recipe = self.job.recipe
            sizes = recipe.embedding_size, recipe.hidden_size
            config = LSTMConfig(tuple(self.job.label_names), *sizes, lower_case=recipe.lower_case)
            self._corpus = read_corpus(self.job.examples, config, self.seed)
        return self._corpus

    def do(self, cell: Cell) -> None:
        """Train without the words of a cell; what its model says of the next ones is kept before its result."""
        started = time.perf_counter()
        removed = self._removed(cell)
        network = self._train(removed)
        for method, shares in self._to_plan(cell).items():
            self._plan(method, shares, network, removed, cell)
        seconds = round(time.perf_counter() - started, 1)
        self.keeper.keep_result(cell, {"accuracy": self._judge(network, removed), "seconds": seconds})

    def _removed(self, cell: Cell) -> Removed:
        if cell.method == WHOLE.method:
            return [frozenset() for _ in self.corpus.texts]
        if cell.method == EMPTY.method:
            return [frozenset(text.seen) for text in self.corpus.texts]
        found = self.keeper.removed(cell, self.corpus)
        return found if found is not None else self._planned_late(cell)

    def _planned_late(self, cell: Cell) -> Removed:
        """Of a method that came to the job after the model that it has to explain was trained."""
        at = self.job.shares.index(cell.share)
        before = self._before(cell.method, at)
        removed = self._removed(before)
        network = self._train(removed)
        for method in self._unplanned() if before.method == WHOLE.method else [cell.method]:
            self._plan(method, [cell.share] if self.job.recursive else self.job.shares, network, removed, before)
        found = self.keeper.removed(cell, self.corpus)
        assert found is not None
        return found

    def _unplanned(self) -> list[str]:
        first = (Cell(method, self.job.shares[0], self.seed) for method in self.job.methods)
        return [cell.method for cell in first if self.keeper.removed(cell, self.corpus) is None]

    def _before(self, method: str, at: int) -> Cell:
        """The cell whose model says what goes at the share of this number."""
        if self.job.recursive and at:
            return Cell(method, self.job.shares[at - 1], self.seed)
        return WHOLE._replace(seed=self.seed)

    def _to_plan(self, cell: Cell) -> dict[str, Sequence[float]]:
        """The methods that explain this cell's model, with the shares that they plan by it."""
        shares = self.job.shares
        if cell.method == WHOLE.method:
            return dict.fromkeys(self.job.methods, shares[:1] if self.job.recursive else shares)
        after = shares[shares.index(cell.share) + 1 :][:1] if cell.method in self.job.methods else []
        return {cell.method: after} if self.job.recursive and after else {}

    def _train(self, removed: Removed) -> LSTMNetwork:
        corpus, rows = self.corpus, self.corpus.rows(removed)
        parts = rows.at(corpus.training), rows.at(corpus.validation)
        return fit_network(corpus.config, corpus.vocabulary, *parts, self.seed, self.job.recipe.most_epochs)

    def _judge(self, network: LSTMNetwork, removed: Removed) -> float:
        """Accuracy on the held-out texts, which have lost their words too."""
        rows = self.corpus.rows(removed).at(self.corpus.held_out)
        return fmean(map(float, map(int.__eq__, predicted_labels(network, rows.ids), rows.labels)))

    def _plan(self, method: str, shares: Sequence[float], network: LSTMNetwork, removed: Removed, cell: Cell) -> None:
        scores = self._explain(method, network, removed, cell)
        for share in shares:
            gone = [
                frozenset(remove(text, scores.get(text.text_id, ()), known, share)) if text.text_id in scores else known
                for text, known in zip(self.corpus.texts, removed, strict=True)
            ]
            self.keeper.keep_removed(Cell(method, share, self.seed), self.corpus, gone)

    def _explain(
        self, method: str, network: LSTMNetwork, removed: Removed, cell: Cell
    ) -> dict[str, Sequence[float | None]]:
        """Scores of every text that has words."""
        reader = as_reader(self.corpus, network, removed, cell.stem)
        sources = [SourceText(text.text_id, text.content) for text in self.corpus.texts if text.seen]
        made = explain(reader, sources, {method: self._params(method)})
        return {one.text_id: _scores(method, one) for one in made}

    def _params(self, method: str) -> dict[str, Any]:
        """Those given; a method of chance draws by the seed of the job."""
        by_chance = any(one.name == "seed" for one in METHODS[method].parameters)
        return {**({"seed": self.seed} if by_chance else {}), **self.job.methods[method]}


def _scores(method: str, made: Any) -> Sequence[float | None]:
    if isinstance(made, Failed):
        raise ClassifierError(f"{method} cannot explain text {int(made.text_id) + 1}: {made.reason} Leave it out.")
    scores: Sequence[float | None] = made.scores
    return scores


def _accuracy(keeper: Keeper, cell: Cell) -> float:
    found = keeper.result(cell)
    assert found is not None
    return float(found["accuracy"])
