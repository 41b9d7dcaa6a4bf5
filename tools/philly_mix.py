#!/usr/bin/env python3
"""Writes a trace of small jobs and gangs of up to 64 GPUs, with durations of the Philly trace.

Each duration is that of a Philly job of the same size (of 64 GPUs: of 32). Arrivals are Poisson;
each job is in one of four queues by chance. The same options and seed give the same trace. For
`bin/liquid simulate --format csv`.
"""
import argparse
import collections
import csv
import gzip
import random

SIZES = {1: 0.60, 4: 0.15, 8: 0.15, 16: 0.05, 32: 0.04, 64: 0.01}


def read(path, longest):
    durations = collections.defaultdict(list)
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path, newline="")
    with opened as lines:
        for row in csv.DictReader(lines):
            if row["duration"]:
                duration = min(max(float(row["duration"]), 60), longest)
                durations[int(row["num_gpus"])].append(duration)
    return durations


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--philly", required=True, help="the trace: CSV, may be gzipped")
    options.add_argument("--out", required=True, help="where to write the trace")
    options.add_argument("--jobs", type=int, default=4000)
    options.add_argument("--gpus", type=int, default=512, help="GPUs of the cluster")
    options.add_argument("--load", type=float, default=0.9, help="GPU time asked for of all")
    options.add_argument("--longest", type=float, default=2 * 86400, help="seconds; longer are cut")
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()

    draw = random.Random(asked.seed)
    known = read(asked.philly, asked.longest)
    jobs = []
    for _ in range(asked.jobs):
        gpus = draw.choices(list(SIZES), list(SIZES.values()))[0]
        duration = draw.choice(known[min(gpus, 32)])
        jobs.append((gpus, duration, f"q{draw.randrange(4)}"))
    span = sum(gpus * duration for gpus, duration, _ in jobs) / (asked.load * asked.gpus)
    at = 0.0
    with open(asked.out, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["id", "submit_time", "num_gpu", "duration", "queue"])
        for number, (gpus, duration, queue) in enumerate(jobs):
            at += draw.expovariate(asked.jobs / span)
            rows.writerow([f"j{number}", round(at), gpus, round(duration), queue])


if __name__ == "__main__":
    main()
