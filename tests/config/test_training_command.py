from argparse import ArgumentTypeError

import pytest

from config.training_command import MOST_SEED, seed


def test_a_seed_is_what_torch_takes() -> None:
    assert (seed("0"), seed(str(MOST_SEED))) == (0, MOST_SEED)


@pytest.mark.parametrize("text", ["-1", "1.5", "many", "", str(MOST_SEED + 1), "9" * 30])
def test_other_seeds_are_bad_usage(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="is not a whole number from 0 to 4294967295"):
        seed(text)
