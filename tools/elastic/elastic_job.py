"""An elastic training job, seen from its training loop. Needs Python 3.8 and nothing else.

    job = ElasticJob(port, "worker-3")
    for batch in job.elastic_shard_generator():
        gradients = train(samples[batch.start:batch.stop])   # may be empty
        ... sum the gradients over batch.members ...
        if job.notify_batch_end():
            ... apply them ...

Beside each machine's training processes runs an agent; the port is where it listens on loopback.
All workers train mini-batches in lockstep. Where `batch.switched`, the members have changed: connect
to the new ones, and let `batch.broadcaster` send its model to `batch.receivers`.
"""

import json
import socket
import time
from typing import Iterator, List, NamedTuple, Optional


class Batch(NamedTuple):
    """What to read for one mini-batch, and with whom to train it."""

    epoch: int
    start: int
    stop: int
    step: int
    topology: int
    members: List[str]
    broadcaster: Optional[str]
    receivers: List[str]
    switched: bool


class ElasticJob:
    """The connection of one training process to the agent of its machine."""

    def __init__(
        self, port: int, worker: str, host: str = "127.0.0.1", token: Optional[str] = None
    ):
        self.worker = worker
        self.end_reason: Optional[str] = None
        self._socket = socket.create_connection((host, port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = self._socket.makefile("r", encoding="utf-8")
        self._batch: Optional[Batch] = None
        self._begun = time.monotonic()
        self._send("Join", worker=worker, token=token)

    def elastic_shard_generator(self) -> Iterator[Batch]:
        """Yields the part of a shard that each mini-batch reads, until the job lets this worker go.

        Call it when libraries, data and device memory are prepared: from then on the worker is ready.
        """
        self._send("Ready")
        self._receive()
        while self._batch is not None:
            self._begun = time.monotonic()
            yield self._batch

    def notify_batch_end(self, compute_seconds: Optional[float] = None) -> bool:
        """Reports that the gradients of the mini-batch are summed, and waits for the others.

        Returns whether the mini-batch counts: apply the gradients if so, forget them if not.
        """
        if compute_seconds is None:
            compute_seconds = time.monotonic() - self._begun
        return self._report("BatchEnd", computeSeconds=compute_seconds)

    def notify_batch_failed(self) -> None:
        """Reports that the gradients could not be summed, and waits until they are to be again."""
        self._report("BatchFailed")

    def leave(self) -> None:
        """Asks to exit gracefully; the generator ends at an agreed mini-batch."""
        self._send("Leave")

    def _report(self, kind: str, **fields: object) -> bool:
        assert self._batch is not None, "there is no mini-batch to report"
        self._send(kind, topology=self._batch.topology, step=self._batch.step, **fields)
        return self._receive()

    def _send(self, kind: str, **fields: object) -> None:
        line = json.dumps({"type": kind, **fields}) + "\n"
        self._socket.sendall(line.encode("utf-8"))

    def _receive(self) -> bool:
        line = self._lines.readline()
        if not line:
            raise ConnectionError("the agent of this machine is gone")
        frame = json.loads(line)
        if frame["type"] == "Run":
            read = frame["batch"]
            self._batch = Batch(
                read["epoch"], read["from"], read["to"], frame["step"], frame["topology"],
                frame["members"], frame["broadcaster"], frame["receivers"], frame["switched"])
        else:
            self._batch = None
            self.end_reason = frame["reason"]
        return frame["committed"]
