"""`solve` computes on a GPU; `link` and `network_version` need none."""
from ._math import link, solve

__all__ = ["link", "network_version", "solve"]


def network_version():
    from . import _network
    return _network.version()
