"""A worker without a model: it prints which samples it read, and which mini-batches counted.

    python3 log_worker.py PORT WORKER [MILLISECONDS] [kill=BATCH:PID ...]

In the midst of its BATCH-th mini-batch it kills the process PID without warning, or itself if PID
is `self`.
"""

import os
import signal
import sys
import time

from elastic_job import ElasticJob


def main(port: str, worker: str, *options: str) -> None:
    kills = dict(option[len("kill=") :].split(":") for option in options if "=" in option)
    milliseconds = next((float(option) for option in options if "=" not in option), 5.0)
    job = ElasticJob(int(port), worker)
    for number, batch in enumerate(job.elastic_shard_generator(), start=1):
        print("read", batch.topology, batch.step, batch.epoch, batch.start, batch.stop, flush=True)
        time.sleep(milliseconds / 1000)
        victim = kills.get(str(number))
        if victim:
            os.kill(os.getpid() if victim == "self" else int(victim), signal.SIGKILL)
        if job.notify_batch_end():
            print("applied", batch.topology, batch.step, flush=True)
    print("end", job.end_reason, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
