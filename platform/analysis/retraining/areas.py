"""How far the accuracy of retrained models falls below that of models that lost random words: areas between curves.

    x_0 = 0 < x_1 < ... < x_I = 1   shares of words removed
    p_i, b_i                        accuracy with the method's, and with random words removed
    area      sum_i (x_{i+1} - x_i) (d_i + d_{i+1}) / 2,   d_i = b_i - p_i
    relative  area / sum_i (x_{i+1} - x_i) (e_i + e_{i+1}) / 2,   e_i = b_i - b_I

`area` is the mean fall of accuracy beyond Random's over all shares, in -1..1; 0 is what chance does, and the higher the
better. `relative` is 1 where the first share already takes all that could be learnt from the texts, and 0 as chance.

Sources: Hooker et al. 2019 (arXiv 1806.10758), whose curves these are; Madsen et al. 2022 (arXiv 2110.08412), who
divide the area by that between Random's curve and what is left with every word gone.
"""

from typing import NamedTuple

import numpy as np

from analysis.arrays import FloatArray

# Random's curve has to lie so far above its end, as a mean over shares, or there was nothing to lose.
LEAST_LEARNT = 0.01


class Area(NamedTuple):
    """`relative` is None where `status` is not "ok".

    status: ok, nothing_learnt.
    """

    area: float
    relative: float | None
    status: str


def area_between(shares: FloatArray, method: FloatArray, random: FloatArray) -> Area:
    """The area between the curve of a method and Random's, both (shares,) of accuracies at `shares`, ascending in 0..1.

    ValueError where the shares do not ascend from 0 to 1, or a curve is not as long as they are.
    """
    if len(method) != len(shares) or len(random) != len(shares):
        raise ValueError(f"Curves of {len(method)} and {len(random)} points over {len(shares)} shares.")
    if len(shares) < 2 or shares[0] != 0 or shares[-1] != 1 or (np.diff(shares) <= 0).any():
        raise ValueError("Shares ascend from 0 to 1.")
    area = float(np.trapezoid(random - method, shares))
    most = float(np.trapezoid(random - random[-1], shares))
    return Area(area, area / most, "ok") if most >= LEAST_LEARNT else Area(area, None, "nothing_learnt")
