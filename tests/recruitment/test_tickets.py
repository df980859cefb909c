import pytest

from recruitment.class_code import CLASS_CODE
from recruitment.invitation import INVITATION


def test_it_works() -> None:
    arrival = INVITATION.arrive({"invitation": "s3cret", "group": "a"}, "pid", {})
    assert (arrival.ticket, arrival.worker, arrival.parameters) == ("s3cret", "", {"group": "a"})
    assert INVITATION.entry == "invitation"


@pytest.mark.parametrize("typed", ["k7qm-2xpa", " K7QM 2XPA ", "K7QM2XPA"])
def test_a_code_is_read_however_it_is_typed(typed: str) -> None:
    arrival = CLASS_CODE.arrive({"code": typed, "id": "ana"}, "id", {})
    assert (arrival.ticket, arrival.worker, arrival.parameters) == ("K7QM2XPA", "ana", {})
    assert CLASS_CODE.entry == "code"
