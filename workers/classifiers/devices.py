"""Where models run."""

import torch

from workers.classifiers.errors import ClassifierError


def check_device(device: str) -> None:
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ClassifierError(f"There is no device {device!r} here: give cpu, or cuda where a GPU is.") from error
