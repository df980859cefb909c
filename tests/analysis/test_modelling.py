"""Mixed models against published fits of lme4 and ordinal, closed forms, statsmodels, and known effects."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from statsmodels.miscmodels.ordinal_model import OrderedModel

from analysis.modelling.crossing import cross
from analysis.modelling.design import Design, Term, build_design
from analysis.modelling.fitted import Fit
from analysis.modelling.linear import fit_linear
from analysis.modelling.ordinal import _Likelihood, fit_logistic, fit_ordinal
from analysis.modelling.registry import MODELS

# Bitterness of wine, Randall 1989, as in R's package ordinal: nine judges, two bottles each of cold and warm without
# and with contact.
WINE = """
    2 3 3 4 4 4 5 5 | 1 2 1 3 2 3 5 4 | 2 3 3 2 5 5 4 4 | 3 2 3 2 3 2 5 3 | 2 3 4 3 3 3 3 3 | 3 2 3 2 2 4 5 4
    | 1 1 2 2 2 3 2 3 | 2 2 2 3 3 3 3 4 | 1 2 3 2 3 2 4 4
"""
# Zones of inhibition, Davies and Goldsmith 1972, as in lme4: 24 plates by six samples of penicillin.
PENICILLIN = """
    27 23 26 23 23 21 27 23 26 23 23 21 25 21 25 24 24 20 26 23 25 23 23 20 25 22 26 22 23 20 24 22 25 23 22 19
    24 20 23 21 22 19 26 22 26 24 24 21 24 21 24 22 22 20 24 21 24 23 22 19 26 23 26 24 24 21 25 22 26 24 24 20
    26 24 26 24 25 22 26 23 26 23 23 20 26 23 25 24 24 22 25 22 25 23 23 20 25 21 24 23 23 20 25 22 24 23 23 19
    24 21 23 21 21 19 26 23 26 24 24 21 25 21 24 22 22 18 25 22 25 22 22 20 24 21 24 22 24 19 24 21 24 22 21 18
"""
# Herd, cases, animals, period: Lesnoff et al. 2004, as in lme4.
CBPP = """
    1 2 14 1 1 3 12 2 1 4 9 3 1 0 5 4 2 3 22 1 2 1 18 2 2 1 21 3 3 8 22 1 3 2 16 2 3 0 16 3 3 2 20 4 4 2 10 1 4 0 10 2
    4 2 9 3 4 0 6 4 5 5 18 1 5 0 25 2 5 0 24 3 5 1 4 4 6 3 17 1 6 0 17 2 6 0 18 3 6 1 20 4 7 8 16 1 7 1 10 2 7 3 9 3
    7 0 5 4 8 12 34 1 9 2 9 1 9 0 6 2 9 0 8 3 9 0 6 4 10 1 22 1 10 1 22 2 10 0 18 3 10 2 22 4 11 0 25 1 11 5 27 2
    11 3 22 3 11 1 22 4 12 2 10 1 12 1 8 2 12 0 6 3 12 0 5 4 13 1 21 1 13 2 24 2 13 0 19 3 13 0 23 4 14 11 19 1
    14 0 2 2 14 0 3 3 14 0 2 4 15 1 19 1 15 1 15 2 15 1 15 3 15 0 15 4
"""


def numbers(text: str) -> np.ndarray:
    return np.array([float(value) for value in text.replace("|", " ").split()])


def estimates(fit: Fit) -> np.ndarray:
    return np.array([(effect.estimate, effect.standard_error) for effect in fit.effects])


def study(
    n: int, n_workers: int, n_texts: int, seed: int, *, sd: tuple[float, float] = (0.8, 0.6), effect: float = 0.4
) -> pd.DataFrame:
    """Judgments by chance: `x` moves what is latent by `effect`; worker and text by draws with these deviations."""
    rng = np.random.default_rng(seed)
    worker, text = rng.integers(n_workers, size=n), rng.integers(n_texts, size=n)
    x, method = rng.normal(size=n), rng.choice(["lime", "random"], size=n)
    eta = effect * x + 0.5 * (method == "lime")
    eta = eta + sd[0] * rng.normal(size=n_workers)[worker] + sd[1] * rng.normal(size=n_texts)[text]
    latent = eta + rng.logistic(size=n)
    return pd.DataFrame(
        {
            "worker": worker, "text": text, "x": x, "method": method, "points": eta + rng.normal(size=n),
            "right": (latent > 0).astype(float), "rating": np.digitize(latent, [-1.5, -0.5, 0.5, 1.5]) + 1.0,
        }
    )  # fmt: skip


TERMS = [Term("x", is_number=True), Term("method", reference="random")]
RESPONSES = {"linear": "points", "logistic": "right", "ordinal": "rating"}


def design(frame: pd.DataFrame, model: str) -> Design:
    return build_design(frame, RESPONSES[model], TERMS)


def test_it_works() -> None:
    fit = fit_ordinal(design(study(800, 20, 30, 1), "ordinal"))
    assert (fit.status, fit.n, fit.n_workers, fit.n_texts) == ("ok", 800, 20, 30)
    assert [(effect.column.term, effect.column.level) for effect in fit.effects] == [("x", ""), ("method", "lime")]
    assert fit.formula == "clmm(factor(rating) ~ scale(x) + method + (1 | worker) + (1 | text), data = d)"
    low, high = fit.effects[0].ci
    assert low < 0.4 < high and fit.effects[0].p < 1e-4


def test_wine_is_fitted_as_by_clmm() -> None:
    """summary(clmm(rating ~ temp + contact + (1 | judge), data = wine)), R package ordinal."""
    frame = pd.DataFrame(
        {
            "rating": numbers(WINE), "worker": np.repeat(np.arange(9), 8), "text": "wine",
            "temp": np.tile(["cold"] * 4 + ["warm"] * 4, 9),
            "contact": np.tile(["no", "no", "yes", "yes"], 18),
        }
    )  # fmt: skip
    fit = fit_ordinal(build_design(frame, "rating", [Term("temp", reference="cold"), Term("contact", reference="no")]))
    assert estimates(fit) == pytest.approx(np.array([[3.0630, 0.5954], [1.8349, 0.5125]]), abs=1e-4)
    assert fit.intercepts == pytest.approx((-1.6237, 1.5134, 4.2285, 6.0888), abs=1e-4)
    assert fit.sd["worker"] == pytest.approx(1.131, abs=5e-4) and fit.sd["text"] is None
    assert fit.log_likelihood == pytest.approx(-81.57, abs=5e-3)
    assert fit.effects[1].p == pytest.approx(0.000344, abs=1e-6)
    assert fit.formula == "clmm(factor(rating) ~ temp + contact + (1 | worker), data = d)"


def test_cattle_are_fitted_as_by_glmer() -> None:
    """glmer(cbind(incidence, size - incidence) ~ period + (1 | herd), binomial, cbpp), from the help of lme4.

    Its standard errors come from the last weighted least squares, ours as clmm's from second derivatives: 1 % larger.
    """
    herd, cases, animals, period = numbers(CBPP).reshape(-1, 4).astype(int).T
    frame = pd.DataFrame(
        {
            "ill": [float(one < c) for c, a in zip(cases, animals, strict=True) for one in range(a)],
            "worker": np.repeat(herd, animals), "text": "cattle", "period": np.repeat(period, animals).astype(str),
        }
    )  # fmt: skip
    fit = fit_logistic(build_design(frame, "ill", [Term("period", reference="1")]))
    assert estimates(fit)[:, 0] == pytest.approx([-0.9919, -1.1282, -1.5797], abs=7e-4)
    assert estimates(fit)[:, 1] == pytest.approx([0.3032, 0.3228, 0.4220], rel=0.015)
    assert -fit.intercepts[0] == pytest.approx(-1.3983, abs=3e-4)
    assert fit.sd["worker"] == pytest.approx(0.6421, abs=3e-4)


def test_penicillin_is_fitted_as_by_lmer() -> None:
    """lmer(diameter ~ 1 + (1 | plate) + (1 | sample)): sd .8467, 1.9316, .5499. A balanced table has a closed form too.

    Whether a plate is one of the first twelve is a term of no use, so that there is one; it moves the plates alone.
    """
    table = numbers(PENICILLIN).reshape(24, 6)
    frame = pd.DataFrame(
        {
            "diameter": table.ravel(), "worker": np.repeat(np.arange(24), 6), "text": np.tile(np.arange(6), 24),
            "early": np.repeat(["early", "late"], 72),
        }
    )  # fmt: skip
    fit = fit_linear(build_design(frame, "diameter", [Term("early", reference="late")]))
    plates, samples, mean = table.mean(axis=1), table.mean(axis=0), table.mean()
    left = table - plates[:, None] - samples + mean
    residual = (left**2).sum() / (23 * 5)
    within = np.r_[plates[:12] - plates[:12].mean(), plates[12:] - plates[12:].mean()]
    of_plates = ((within**2).sum() * 6 / 22 - residual) / 6
    of_samples = (((samples - mean) ** 2).sum() * 24 / 5 - residual) / 24
    assert fit.sd["residual"] == pytest.approx(np.sqrt(residual), rel=1e-5) == pytest.approx(0.5499, abs=1e-4)
    assert fit.sd["text"] == pytest.approx(np.sqrt(of_samples), rel=1e-4) == pytest.approx(1.9316, abs=1e-4)
    assert fit.sd["worker"] == pytest.approx(np.sqrt(of_plates), rel=1e-4)
    assert fit.effects[0].estimate == pytest.approx(plates[:12].mean() - plates[12:].mean())
    assert fit.effects[0].standard_error == pytest.approx(np.sqrt((within**2).sum() / 22 / 6), rel=1e-4)


def test_crossed_groups_are_fitted_as_by_statsmodels() -> None:
    frame = study(240, 8, 10, 3).assign(all=1)
    fit = fit_linear(design(frame, "linear"))
    parts = {"worker": "0 + C(worker)", "text": "0 + C(text)"}
    scaled = frame.assign(x=(frame["x"] - frame["x"].mean()) / frame["x"].std(), method=frame["method"] == "lime")
    theirs = sm.MixedLM.from_formula("points ~ x + method", groups="all", re_formula="0", vc_formula=parts,
                                     data=scaled).fit()  # fmt: skip
    assert estimates(fit)[:, 0] == pytest.approx(theirs.fe_params[["x", "method[T.True]"]].to_numpy(), abs=1e-3)
    assert estimates(fit)[:, 1] == pytest.approx(theirs.bse_fe[["x", "method[T.True]"]].to_numpy(), abs=1e-3)
    spread = dict(zip(["text", "worker"], np.sqrt(theirs.vcomp), strict=True))
    assert {name: fit.sd[name] for name in spread} == pytest.approx(spread, abs=2e-3)


def test_without_groups_it_is_the_cumulative_logit_of_statsmodels() -> None:
    frame = study(120, 120, 120, 4).assign(worker=np.arange(120), text=np.arange(120))
    fit = fit_ordinal(design(frame, "ordinal"))
    x = np.column_stack([(frame["x"] - frame["x"].mean()) / frame["x"].std(), frame["method"] == "lime"]).astype(float)
    theirs = OrderedModel(frame["rating"], x, distr="logit").fit(method="bfgs", disp=False)
    assert fit.sd == {"worker": None, "text": None}
    assert estimates(fit)[:, 0] == pytest.approx(theirs.params[:2].to_numpy(), abs=1e-4)
    assert estimates(fit)[:, 1] == pytest.approx(theirs.bse[:2].to_numpy(), abs=1e-3)


def test_two_steps_are_the_logistic_model() -> None:
    frame = study(500, 12, 15, 5)
    ordinal = fit_ordinal(build_design(frame, "right", TERMS))
    logistic = fit_logistic(build_design(frame, "right", TERMS))
    assert estimates(ordinal) == pytest.approx(estimates(logistic))


@pytest.mark.parametrize(("workers", "texts"), [(6, 9), (9, 6), (7, 7)])
def test_the_gradient_is_exact(workers: int, texts: int) -> None:
    likelihood = _Likelihood(design(study(150, workers, texts, 6), "ordinal"))
    at = likelihood.start() + np.random.default_rng(0).normal(0, 0.1, len(likelihood.start()))
    slopes = [(likelihood.value(at + h)[0] - likelihood.value(at - h)[0]) / 2e-5 for h in 1e-5 * np.eye(len(at))]
    assert likelihood.value(at)[1] == pytest.approx(np.array(slopes), rel=1e-4, abs=1e-4)


def test_the_gradient_is_exact_with_maps_too() -> None:
    frame = study(150, 6, 8, 6).assign(map=lambda rows: rows["text"].astype(str) + rows["method"])
    likelihood = _Likelihood(design(frame, "ordinal"))
    at = likelihood.start() + np.random.default_rng(0).normal(0, 0.1, len(likelihood.start()))
    slopes = [(likelihood.value(at + h)[0] - likelihood.value(at - h)[0]) / 2e-5 for h in 1e-5 * np.eye(len(at))]
    assert likelihood.value(at)[1] == pytest.approx(np.array(slopes), rel=1e-4, abs=1e-4)


def test_laplace_is_close_to_the_integral() -> None:
    """One grouping: the likelihood by quadrature of each group's integral, 61 Gauss-Hermite nodes."""
    frame = study(200, 20, 20, 7).assign(text=0)
    made = build_design(frame, "right", [TERMS[0]])
    likelihood = _Likelihood(made)
    at = np.array([0.2, 0.5, 0.7])
    nodes, weights = np.polynomial.hermite_e.hermegauss(61)
    eta = -0.2 + 0.5 * made.x[:, 0][:, None] + 0.7 * nodes
    chance = 1 / (1 + np.exp(-np.where(made.answers[:, None] == 1, eta, -eta)))
    by_worker = np.stack([chance[made.groups["worker"] == w].prod(axis=0) for w in range(made.n_workers)])
    exact = np.log(by_worker @ weights / np.sqrt(2 * np.pi)).sum()
    assert likelihood.value(at)[0] == pytest.approx(exact, abs=0.01 * made.n_workers)


def test_the_algebra_is_that_of_the_whole_matrix() -> None:
    rng = np.random.default_rng(8)
    groupings = [rng.integers(7, size=60), rng.integers(5, size=60), rng.integers(9, size=60)]
    weights, scales = rng.uniform(0.5, 2, 60), np.array([0.7, 1.3, 0.4])
    crossing, order = cross(groupings)
    assert (crossing.sizes, order) == ((5, 7, 9), [1, 0, 2])
    z = np.hstack([t * np.eye(size)[own] for t, size, own in zip(scales, crossing.sizes, crossing.groups, strict=True)])
    inverse = np.linalg.inv(np.eye(21) + z.T @ (weights[:, None] * z))
    factored = crossing.factor(scales, weights)
    assert factored.log_determinant == pytest.approx(-np.linalg.slogdet(inverse)[1])
    side = rng.normal(size=(21, 2))
    assert factored.solve(side) == pytest.approx(inverse @ side)
    assert factored.leverage == pytest.approx(np.diag(z @ inverse @ z.T))
    rows = z @ inverse
    reached = [rows[np.arange(60), own + start] for own, start in zip(crossing.groups, (0, 5, 12), strict=True)]
    assert np.stack(factored.reached) == pytest.approx(np.stack(reached))


@pytest.mark.parametrize(("model", "trials"), [("linear", 100), ("ordinal", 40)])
def test_intervals_hold_what_they_promise(model: str, trials: int) -> None:
    """Of 95 % intervals of known effects, the share that hold them: at least three standard errors below 95 %.

    Workers and texts differ much, and `side` goes by the text: without them its intervals would hold in half.
    """
    held = np.zeros(2)
    for seed in range(trials):
        frame = study(240, 24, 24, 5000 + seed, sd=(0.8, 1.0), effect=0.5)
        frame["side"] = np.where(frame["text"] % 2, "odd", "even")
        terms = [Term("x", is_number=True), Term("side", reference="even"), Term("method", reference="random")]
        fit = MODELS[model].fit(build_design(frame, RESPONSES[model], terms))
        truth = 0.5 * (fit.effects[0].column.spread or np.nan), 0.0
        held += [low < true < high for true, (low, high) in zip(truth, (e.ci for e in fit.effects[:2]), strict=True)]
    assert (held / trials >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / trials)).all()


@pytest.mark.parametrize("model", list(MODELS))
def test_the_order_of_rows_and_the_unit_of_numbers_change_nothing(model: str) -> None:
    frame = study(300, 10, 14, 9)
    other = frame.sample(frac=1, random_state=1).assign(x=lambda rows: rows["x"] * 12 + 100)
    first, second = (MODELS[model].fit(design(one, model)) for one in (frame, other))
    assert estimates(first) == pytest.approx(estimates(second), rel=1e-4)


@pytest.mark.parametrize("model", list(MODELS))
def test_workers_and_texts_may_change_places(model: str) -> None:
    frame = study(300, 10, 14, 10)
    turned = frame.rename(columns={"worker": "text", "text": "worker"})
    first, second = (MODELS[model].fit(design(one, model)) for one in (frame, turned))
    assert estimates(first) == pytest.approx(estimates(second), rel=1e-3)
    assert first.sd["worker"] == pytest.approx(second.sd["text"], abs=1e-3)


def test_groups_that_do_not_differ_are_told() -> None:
    frame = study(400, 12, 12, 11, sd=(1.0, 0.0))
    balanced = frame.assign(
        text=np.arange(400) % 12,
        points=frame["points"] - frame.groupby(np.arange(400) % 12)["points"].transform("mean"),
    )
    fit = fit_linear(design(balanced, "linear"))
    assert fit.at_zero == ("text",) and fit.sd["text"] == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("model", list(MODELS))
def test_equal_answers_have_no_model(model: str) -> None:
    frame = study(50, 5, 5, 12).assign(points=3.0, right=1.0, rating=4.0)
    fit = MODELS[model].fit(design(frame, model))
    assert (fit.status, fit.effects, fit.n) == ("constant_answers", (), 50)


@pytest.mark.parametrize("model", list(MODELS))
def test_a_few_judgments_have_no_model(model: str) -> None:
    assert MODELS[model].fit(design(study(5, 2, 2, 13), model)).status == "too_few_judgments"


@pytest.mark.parametrize("model", list(MODELS))
def test_terms_that_never_vary_leave_no_model(model: str) -> None:
    fit = MODELS[model].fit(design(study(50, 5, 5, 14).assign(x=2.0, method="lime"), model))
    assert (fit.status, fit.left_out) == ("no_terms", {"x": "constant", "method": "constant"})


@pytest.mark.parametrize("model", ["logistic", "ordinal"])
def test_a_method_that_is_always_right_is_called_separated(model: str) -> None:
    frame = study(200, 8, 8, 15)
    frame = frame.assign(right=(frame["method"] == "lime").astype(float))
    fit = MODELS[model].fit(build_design(frame, "right", [TERMS[1]]))
    assert fit.status in ("separated", "not_converged") and fit.effects == ()


def test_too_many_workers_and_texts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.modelling.linear.MOST_GROUPS", 4)
    monkeypatch.setattr("analysis.modelling.ordinal.MOST_GROUPS", 4)
    frame = study(100, 5, 6, 16)
    assert [MODELS[name].fit(design(frame, name)).status for name in MODELS] == ["too_many_groups"] * 3


def test_a_sum_of_other_terms_is_left_out() -> None:
    frame = study(100, 5, 5, 17).assign(y=lambda rows: 3 - 2 * rows["x"], nothing=None)
    terms = [*TERMS, Term("y", is_number=True), Term("nothing"), Term("absent")]
    made = build_design(frame, "points", terms)
    assert made.left_out == {"nothing": "not_known", "absent": "not_known", "y": "follows_from_others"}
    assert made.formula("points") == "points ~ scale(x) + method + (1 | worker) + (1 | text)"


def test_incomplete_rows_are_left_out_and_counted() -> None:
    frame = study(100, 5, 5, 18)
    frame.loc[[3, 4], "x"] = np.nan
    frame.loc[5, "points"] = np.nan
    made = design(frame, "linear")
    assert (made.n, made.n_incomplete, len(made.frame)) == (97, 3, 97)


def test_numbers_are_scaled_as_r_scales_them_and_categories_are_set_against_their_reference() -> None:
    frame = pd.DataFrame(
        {"y": [1.0, 2, 3, 4], "worker": list("aabb"), "text": list("xyxy"), "x": [0.0, 2, 4, 6],
         "kind": ["b", "a", "b", "c"]}
    )  # fmt: skip
    made = build_design(frame, "y", [Term("x", is_number=True), Term("kind", reference="z")])
    assert made.x[:, 0] == pytest.approx(np.array([-3, -1, 1, 3]) / np.sqrt(20 / 3))
    assert made.columns[0].spread == pytest.approx(np.sqrt(20 / 3))
    assert [(column.level, column.reference) for column in made.columns[1:]] == [("a", "b"), ("c", "b")]


def test_terms_of_several_levels_are_tested_together() -> None:
    frame = study(400, 10, 10, 19)
    frame["method"] = np.random.default_rng(0).choice(["a", "b", "c"], 400)
    fit = fit_linear(build_design(frame, "points", [TERMS[0], Term("method")]))
    assert [(test.term, test.df) for test in fit.joint] == [("x", 1), ("method", 2)]
    assert fit.joint[0].p == pytest.approx(fit.effects[0].p)
    assert fit.joint[1].p > 0.001
