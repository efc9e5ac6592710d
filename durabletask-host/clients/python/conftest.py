"""Where the scenarios run: at SLUICE_DURABLETASK_ADDRESS (host:port), else against the SDK's in-memory backend, started here."""
import os
import socket

import pytest

import in_memory
from hub import Hub


@pytest.fixture(scope="session")
def address():
    given = os.environ.get("SLUICE_DURABLETASK_ADDRESS")
    if given:
        yield given
        return
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    backend = in_memory.started(port)
    yield f"localhost:{port}"
    backend.stop()


def against_in_memory():
    return os.environ.get("SLUICE_DURABLETASK_IN_MEMORY", "") == "1" or not os.environ.get("SLUICE_DURABLETASK_ADDRESS")


@pytest.fixture(autouse=True)
def judged_by(request):
    """Leaves out, with the reason, what the in-memory backend is known not to do; a host is asked for all of it."""
    marker = request.node.get_closest_marker("beyond_in_memory")
    if marker is not None and against_in_memory():
        pytest.skip("the in-memory backend " + marker.args[0])


@pytest.fixture
def hub(address, judged_by):
    hub = Hub(address)
    yield hub
    hub.close()
