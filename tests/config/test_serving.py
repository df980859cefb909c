import socket

import pytest
from django.core.management import CommandError

from config.serving import web


def test_a_port_that_cannot_be_is_told() -> None:
    with (
        pytest.raises(CommandError, match="port 99999 cannot be used .ports are from 1 to 65535.: say another"),
        web(99999),
    ):
        pass


def test_a_port_in_use_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(CommandError, match="in use.: say another --port"), web(taken.getsockname()[1]):
            pass
