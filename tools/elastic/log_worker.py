"""A worker without a model: it prints which samples it read, and which mini-batches counted.

    python3 log_worker.py PORT WORKER [MILLISECONDS]
"""

import sys
import time

from elastic_job import ElasticJob


def main(port: str, worker: str, milliseconds: str = "5") -> None:
    job = ElasticJob(int(port), worker)
    for batch in job.elastic_shard_generator():
        print("read", batch.topology, batch.step, batch.epoch, batch.start, batch.stop, flush=True)
        time.sleep(float(milliseconds) / 1000)
        if job.notify_batch_end():
            print("applied", batch.topology, batch.step, flush=True)
    print("end", job.end_reason, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
