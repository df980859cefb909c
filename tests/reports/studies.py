"""Small studies made up for the tests."""

import numpy as np
import pandas as pd

from analysis.study import JUDGMENT_COLUMNS, METRIC_COLUMNS, RATING, TOPK_GUESS, Study, study_of_judgments

METHODS = ["integrated_gradients", "gradient", "lime", "random"]
KS = [5, 10, 20]


def guessing_study(n_texts: int = 20, votes: int = 3, seed: int = 0) -> Study:
    """The first method is the best and Random the worst; metrics agree with people."""
    rng = np.random.default_rng(seed)
    rows, metrics = [], []
    for text in range(n_texts):
        for place, method in enumerate(METHODS):
            metrics.append((f"t{text}", method, "comprehensiveness", 0.4 - 0.1 * place + rng.normal(0, 0.05)))
            metrics.append((f"t{text}", method, "sufficiency", 0.1 + 0.1 * place + rng.normal(0, 0.05)))
            for k in KS:
                for vote in range(votes):
                    right = rng.random() < 0.9 - 0.15 * place + 0.003 * k
                    label = "positive" if right else ("cannot_tell" if vote == 0 else "negative")
                    worker = f"w{(text + place + k + vote * 7) % 30}"
                    rows.append((f"t{text}", method, k, worker, label, "positive", float(right), 0, 4000 + vote))
    return study_of_judgments(
        TOPK_GUESS,
        pd.DataFrame(rows, columns=JUDGMENT_COLUMNS),
        metrics=pd.DataFrame(metrics, columns=METRIC_COLUMNS),
        meta={"source": "made-up"},
    )


def rating_study(n_texts: int = 20, votes: int = 3, seed: int = 0) -> Study:
    rng = np.random.default_rng(seed)
    rows, metrics = [], []
    for text in range(n_texts):
        for place, method in enumerate(METHODS):
            metrics.append((f"t{text}", method, "comprehensiveness", 0.4 - 0.1 * place + rng.normal(0, 0.05)))
            for vote in range(votes):
                rating = int(np.clip(round(rng.normal(4.2 - 0.6 * place, 0.8)), 1, 5))
                rows.append((f"t{text}", method, pd.NA, f"w{(text + vote) % 12}", str(rating), "", rating, 0, 5000))
    return study_of_judgments(
        RATING,
        pd.DataFrame(rows, columns=JUDGMENT_COLUMNS),
        metrics=pd.DataFrame(metrics, columns=METRIC_COLUMNS),
        meta={"source": "made-up"},
    )
