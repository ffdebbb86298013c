"""A ray cluster that is joined for some work, or begun for it here."""

from __future__ import annotations

import socket
from typing import Any

from bidlab.bridge.errors import BidlabError
from bidlab.library.workers import loaded_ray

_PATIENCE = 10.0  # seconds for a cluster to answer


class Cluster:
    """A cluster by its address; "local" begins one here, and one that runs already is taken as it is."""

    def __init__(self, address: str) -> None:
        self.ray: Any = loaded_ray()
        self._is_own = not self.ray.is_initialized()
        if self._is_own:
            _check_reachable(address)
            # A cluster that is begun here needs no pages to look at; of others that is not ours to say.
            options = {"include_dashboard": False} if address == "local" else {}
            try:
                self.ray.init(address=address, configure_logging=False, log_to_driver=False, **options)
            except Exception as error:  # whatever ray finds wrong with an address
                said = " ".join(str(error).split())[:120]
                raise BidlabError(f"no ray cluster at {address!r}: {said}") from None

    def close(self) -> None:
        """Leave the cluster, where it was joined here."""
        if self._is_own:
            self.ray.shutdown()


def ray_failure(error: Exception) -> BidlabError:
    """What went wrong with a worker, in a line."""
    cause = getattr(error, "cause", None) or error
    text = " ".join(str(cause).split())[:200]
    return BidlabError(f"a worker on ray failed: {type(cause).__name__}: {text}")


def _check_reachable(address: str) -> None:
    """Raise where nobody listens at an address with a port: ray itself would try for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        return  # a word such as auto or local
    try:
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
    except (OSError, OverflowError) as error:
        said = getattr(error, "strerror", None) or error
        raise BidlabError(f"no ray cluster at {address!r}: {said}; ray start --head begins one") from None
