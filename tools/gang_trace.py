#!/usr/bin/env python3
"""Writes a trace of small jobs and large gangs, from the durations and sizes of the Philly trace.

Arrivals are Poisson, so that the load is even; the order of the original is lost on purpose. The
same options and seed give the same trace. For `bin/liquid simulate --format tiresias`.
"""
import argparse
import csv
import gzip
import random


def read(path):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path, newline="")
    with opened as lines:
        for row in csv.DictReader(lines):
            if row["duration"] and float(row["duration"]) >= 1 and 1 <= int(row["num_gpus"]) <= 16:
                yield float(row["duration"]), int(row["num_gpus"])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--philly", required=True, help="the trace: CSV, may be gzipped")
    options.add_argument("--out", required=True, help="where to write the trace")
    options.add_argument("--jobs", type=int, default=16000)
    options.add_argument("--gangs", type=float, default=0.02, help="the part that are gangs")
    options.add_argument("--gpus", type=int, default=680, help="GPUs of the cluster")
    options.add_argument("--load", type=float, default=0.925, help="GPU time asked for of all")
    options.add_argument("--longest", type=float, default=2 * 86400, help="seconds; longer are cut")
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()

    draw = random.Random(asked.seed)
    known = list(read(asked.philly))
    jobs = []
    for _ in range(asked.jobs):
        duration, gpus = draw.choice(known)
        if draw.random() < asked.gangs:
            gpus = draw.choice([32, 64, 96, 128])
        jobs.append((round(min(duration, asked.longest)), gpus))
    work = sum(duration * gpus for duration, gpus in jobs)
    gap = work / (asked.load * asked.gpus) / asked.jobs
    at = 0.0
    with open(asked.out, "w", newline="") as out:
        out.write("job_id,num_gpu,submit_time,duration\n")
        for number, (duration, gpus) in enumerate(jobs):
            out.write(f"j{number},{gpus},{round(at)},{duration}\n")
            at += draw.expovariate(1 / gap)


if __name__ == "__main__":
    main()
