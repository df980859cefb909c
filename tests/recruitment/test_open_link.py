from recruitment import Way
from recruitment.open_link import OPEN_LINK

QUERY = {"id": "5f0ab2", "group": "a"}


def test_it_works() -> None:
    arrival = OPEN_LINK.arrive(QUERY, "id", {})
    assert (arrival.worker, arrival.parameters) == ("5f0ab2", {"group": "a"})
    assert OPEN_LINK.leave("completed", Way("C1", "https://x.org/{group}?c={code}"), arrival.parameters).url == (
        "https://x.org/a?c=C1"
    )


def test_it_takes_in_whom_nobody_names() -> None:
    assert not OPEN_LINK.named and OPEN_LINK.entry == "anyone"
    assert OPEN_LINK.arrive({}, "id", {}).worker == ""
