#!/usr/bin/env python3
"""Measures how training jobs slow each other down on the GPU of this machine.

Runs documented training configurations alone and in pairs, and writes one CSV row per direction of
a pair: what each job was, its steady speed alone, its utilisation, memory bandwidth utilisation and
memory alone, and the part of its speed that it kept beside the other. The columns are those that
`liquid train similarity|interference` reads.

Needs PyTorch and nothing else; without a GPU it measures on the CPU, which shows that it works and
nothing more. GPU figures come from NVML through ctypes. Two processes share the GPU by time slicing,
or by MPS when its control daemon runs; the file beside the CSV says which, and on what machine.

It can be stopped and started again: what is in the CSV is not measured twice.

    tools/profile_pairs.py --out pairs.csv --minutes 60
"""

import argparse
import csv
import ctypes
import itertools
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

COLUMNS = [
    "gpu",
    "family",
    "batch",
    "precision",
    "isolated_rate",
    "utilization",
    "memory_bandwidth_utilization",
    "memory_bytes",
    "co_family",
    "co_batch",
    "co_precision",
    "co_isolated_rate",
    "co_utilization",
    "co_memory_bandwidth_utilization",
    "co_memory_bytes",
    "retained_speed",
]

# family, batch size, precision
CONFIGURATIONS = [
    ("convnet", 32, "fp32"),
    ("convnet", 256, "fp32"),
    ("convnet", 256, "fp16"),
    ("transformer", 8, "fp32"),
    ("transformer", 64, "fp32"),
    ("transformer", 64, "fp16"),
    ("lstm", 16, "fp32"),
    ("lstm", 128, "fp32"),
    ("recommendation", 512, "fp32"),
    ("recommendation", 8192, "fp32"),
    ("mlp", 128, "fp32"),
    ("mlp", 2048, "fp16"),
]


class Stop(Exception):
    """The budget is used up."""


# --- what needs no PyTorch ---------------------------------------------------------------------


def steady_rate(times, warm_up):
    """Iterations per second after the warm-up, from the median time of an iteration."""
    steady = sorted(times[warm_up:])
    if not steady:
        raise ValueError("no iteration was left after a warm-up of %d" % warm_up)
    middle = len(steady) // 2
    median = steady[middle] if len(steady) % 2 else (steady[middle - 1] + steady[middle]) / 2
    return 1.0 / median


def overlap(one, other):
    """The iterations of one that ran while the other ran; each is a list of (start, end)."""
    if not one or not other:
        return []
    begin, end = max(one[0][0], other[0][0]), min(one[-1][1], other[-1][1])
    return [(s, e) for s, e in one if s >= begin and e <= end]


def pairs(configurations):
    """All unordered pairs, those with itself included, the most telling first: distant ones."""
    found = list(itertools.combinations_with_replacement(range(len(configurations)), 2))
    found.sort(key=lambda pair: (-(pair[1] - pair[0]), pair))
    return [(configurations[a], configurations[b]) for a, b in found]


def key(row):
    """What makes a row the measurement of one direction of one pair."""
    return tuple(
        row[c]
        for c in ("gpu", "family", "batch", "precision", "co_family", "co_batch", "co_precision")
    )


def measured(path):
    """The keys that a CSV already holds; a last line that was cut off does not count."""
    if not path.exists():
        return set()
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {key(row) for row in rows if all(row.get(c) is not None for c in COLUMNS)}


def mended(path):
    """Removes a last line that was cut off, so that the next row starts on its own line."""
    if path.exists():
        text = path.read_text()
        whole = text if text.endswith("\n") else text[: text.rfind("\n") + 1]
        if whole != text:
            path.write_text(whole)


def append(path, rows):
    """Appends whole rows, and the heading if the file is new."""
    is_new = not path.exists() or path.stat().st_size == 0
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(rows)
        file.flush()
        os.fsync(file.fileno())


def row(gpu, victim, alone, other, other_alone, retained):
    """One direction of a pair; figures that nobody measured are empty."""
    result = {"gpu": gpu, "retained_speed": "%.5f" % min(1.05, retained)}
    for prefix, job, figures in (("", victim, alone), ("co_", other, other_alone)):
        result[prefix + "family"], batch, result[prefix + "precision"] = job
        result[prefix + "batch"] = str(batch)
        for column in COLUMNS[4:8]:
            value = figures.get(column)
            result[prefix + column] = "" if value is None else "%.6g" % value
    return result


def nvml_device(uuid, visible):
    """How NVML, which does not look at CUDA_VISIBLE_DEVICES, calls the first GPU that CUDA shows.

    uuid is what PyTorch says of that GPU, or None where it is too old to say; visible is the variable,
    or None. A UUID is a str, an index an int; None is no GPU. NVML wants whole UUIDs, CUDA takes their
    beginnings too: such a GPU is left unmeasured rather than taken for another.
    """
    if uuid:
        return uuid if uuid.startswith(("GPU-", "MIG-")) else "GPU-" + uuid
    if visible is None:
        return 0
    first = visible.split(",")[0].strip()
    if first.startswith(("GPU-", "MIG-")):
        return first
    return int(first) if first.isdigit() else None


class Nvml:
    """The questions asked of NVIDIA's management library; answers nothing where it is absent."""

    class _Utilization(ctypes.Structure):
        _fields_ = [("gpu", ctypes.c_uint), ("memory", ctypes.c_uint)]

    class _Memory(ctypes.Structure):
        _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong)]

    def __init__(self, device):
        """The device is what nvml_device returns."""
        self.device = None
        if device is None:
            return
        try:
            self.library = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            return
        if self.library.nvmlInit_v2():
            return
        handle = ctypes.c_void_p()
        if isinstance(device, int):
            failed = self.library.nvmlDeviceGetHandleByIndex_v2(device, ctypes.byref(handle))
        else:
            failed = self.library.nvmlDeviceGetHandleByUUID(device.encode(), ctypes.byref(handle))
        if not failed:
            self.device = handle

    def sample(self):
        """(utilisation, memory bandwidth utilisation, bytes used), or None."""
        if self.device is None:
            return None
        use, memory = self._Utilization(), self._Memory()
        if self.library.nvmlDeviceGetUtilizationRates(self.device, ctypes.byref(use)):
            return None
        if self.library.nvmlDeviceGetMemoryInfo(self.device, ctypes.byref(memory)):
            return None
        return use.gpu / 100.0, use.memory / 100.0, memory.used


def mean_figures(samples, idle_bytes):
    """Means of utilisation and bandwidth, and the largest memory above what an idle GPU uses."""
    if not samples:
        return {}
    return {
        "utilization": sum(s[0] for s in samples) / len(samples),
        "memory_bandwidth_utilization": sum(s[1] for s in samples) / len(samples),
        "memory_bytes": max(0, max(s[2] for s in samples) - idle_bytes),
    }


# --- jobs, each in a process of its own --------------------------------------------------------


def start(job, seconds):
    """Starts a job that trains for some seconds once it is told to go."""
    command = [sys.executable, os.path.abspath(__file__), "--job", json.dumps(job), str(seconds)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run(jobs, seconds, nvml):
    """Runs jobs side by side; returns the iterations of each, and what NVML saw meanwhile."""
    processes = [start(job, seconds) for job in jobs]
    try:
        ready = all(process.stdout.readline().strip() == "ready" for process in processes)
        if not ready:
            return None, []
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        samples, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.2)
            sample = nvml.sample()
            if sample:
                samples.append(sample)
        outputs = [process.communicate(timeout=seconds + 120)[0] for process in processes]
        if any(process.returncode for process in processes):
            return None, []
        return [[tuple(span) for span in json.loads(text)] for text in outputs], samples[5:]
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()


def durations(spans):
    return [end - begin for begin, end in spans]


def job_main(job, seconds):
    """Trains one configuration and prints when each iteration began and ended."""
    import torch

    family, batch, precision = job
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(1)
    model, batches, loss_of = build(torch, family, batch, device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    half = precision == "fp16" and device == "cuda"
    scaler = torch.amp.GradScaler("cuda", enabled=half)

    def iterate():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device_type=device, dtype=torch.float16, enabled=half):
            loss = loss_of(model, batches)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if device == "cuda":
            torch.cuda.synchronize()

    for _ in range(3):
        iterate()
    print("ready", flush=True)
    sys.stdin.readline()
    spans, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        begin = time.monotonic()
        iterate()
        spans.append((begin, time.monotonic()))
    print(json.dumps(spans), flush=True)


def build(torch, family, batch, device):
    """A model, its input, and the loss of one on the other. Inputs are drawn once and stay put."""
    nn = torch.nn
    cross_entropy = nn.functional.cross_entropy
    if family == "convnet":
        layers, width = [], 3
        for wider in (64, 128, 256, 512):
            layers += [nn.Conv2d(width, wider, 3, stride=2, padding=1), nn.BatchNorm2d(wider), nn.ReLU()]
            width = wider
        model = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 100))
        inputs = torch.randn(batch, 3, 64, 64, device=device)
        labels = torch.randint(100, (batch,), device=device)
    elif family == "transformer":
        layer = nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True)
        model = nn.Sequential(nn.TransformerEncoder(layer, 4), nn.Flatten(), nn.Linear(512 * 64, 100))
        inputs = torch.randn(batch, 64, 512, device=device)
        labels = torch.randint(100, (batch,), device=device)
    elif family == "lstm":
        class Last(nn.Module):
            def __init__(self):
                super().__init__()
                self.lstm = nn.LSTM(256, 512, 2, batch_first=True)
                self.head = nn.Linear(512, 1000)

            def forward(self, x):
                return self.head(self.lstm(x)[0][:, -1])

        model = Last()
        inputs = torch.randn(batch, 35, 256, device=device)
        labels = torch.randint(1000, (batch,), device=device)
    elif family == "recommendation":
        model = nn.Sequential(nn.EmbeddingBag(200_000, 64), nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 1000))
        inputs = torch.randint(200_000, (batch, 32), device=device)
        labels = torch.randint(1000, (batch,), device=device)
    elif family == "mlp":
        model = nn.Sequential(nn.Linear(1024, 2048), nn.ReLU(), nn.Linear(2048, 2048), nn.ReLU(), nn.Linear(2048, 10))
        inputs = torch.randn(batch, 1024, device=device)
        labels = torch.randint(10, (batch,), device=device)
    else:
        raise ValueError("unknown family " + family)
    return model.to(device), (inputs, labels), lambda m, b: cross_entropy(m(b[0]), b[1])


# --- the whole measurement ---------------------------------------------------------------------


class Profiler:
    """Measures jobs alone once, then pairs, until the budget is used up."""

    def __init__(self, gpu, out, seconds, deadline, runner, log=print):
        self.gpu, self.out, self.seconds = gpu, out, seconds
        self.deadline, self.runner, self.log = deadline, runner, log
        self.alone = {}

    def check_budget(self):
        if time.monotonic() > self.deadline:
            raise Stop()

    def measure_alone(self, job):
        if job not in self.alone:
            self.check_budget()
            spans, figures = self.runner([job], self.seconds)
            if spans is None:
                self.log("does not run alone, left out: %s" % (job,))
                self.alone[job] = None
            else:
                rate = steady_rate(durations(spans[0]), len(spans[0]) // 5)
                self.alone[job] = dict(figures, isolated_rate=rate)
        return self.alone[job]

    def measure_pair(self, one, other):
        alone = self.measure_alone(one), self.measure_alone(other)
        if None in alone:
            return []
        self.check_budget()
        spans, _ = self.runner([one, other], self.seconds)
        if spans is None:
            self.log("do not fit together, left out: %s and %s" % (one, other))
            return []
        rates = []
        for mine, theirs in ((spans[0], spans[1]), (spans[1], spans[0])):
            shared = overlap(mine, theirs)
            if len(shared) < 5:
                self.log("too few iterations side by side, left out: %s and %s" % (one, other))
                return []
            rates.append(steady_rate(durations(shared), len(shared) // 5))
        kept = [rate / figures["isolated_rate"] for rate, figures in zip(rates, alone)]
        rows = [row(self.gpu, one, alone[0], other, alone[1], kept[0])]
        if one != other:
            rows.append(row(self.gpu, other, alone[1], one, alone[0], kept[1]))
        return rows

    def run(self, configurations):
        mended(self.out)
        done = measured(self.out)
        todo = [
            (a, b)
            for a, b in pairs(configurations)
            if key(row(self.gpu, a, {}, b, {}, 1)) not in done
        ]
        try:
            for number, (one, other) in enumerate(todo, 1):
                rows = self.measure_pair(one, other)
                append(self.out, rows)
                self.log("%d/%d %s | %s: %s" % (
                    number, len(todo), one, other, ", ".join(r["retained_speed"] for r in rows) or "-"))
        except Stop:
            self.log("the budget is used up; start again to go on")


def mps_runs():
    return pathlib.Path(os.environ.get("CUDA_MPS_PIPE_DIRECTORY", "/tmp/nvidia-mps"), "control").exists()


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("pairs.csv"))
    parser.add_argument("--minutes", type=float, default=60, help="stop after so long (default 60)")
    parser.add_argument("--seconds", type=float, default=20, help="of one measurement (default 20)")
    parser.add_argument("--job", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.job:
        job_main(json.loads(options.job[0]), float(options.job[1]))
        return
    # NVML counts GPUs by bus; by default CUDA counts the fastest first.
    os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    import torch

    deadline = time.monotonic() + 60 * options.minutes
    has_gpu = torch.cuda.is_available()
    gpu = torch.cuda.get_device_name(0).replace("NVIDIA ", "") if has_gpu else "CPU"
    uuid = str(getattr(torch.cuda.get_device_properties(0), "uuid", "")) if has_gpu else ""
    nvml = Nvml(nvml_device(uuid, os.environ.get("CUDA_VISIBLE_DEVICES")) if has_gpu else None)
    idle = nvml.sample()
    machine = {
        "gpu": gpu,
        "sharing": "MPS" if has_gpu and mps_runs() else "time slicing",
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "seconds": options.seconds,
    }
    options.out.with_suffix(".machine.json").write_text(json.dumps(machine, indent=2) + "\n")

    def runner(jobs, seconds):
        spans, samples = run(jobs, seconds, nvml)
        return spans, mean_figures(samples, idle[2] if idle else 0)

    Profiler(gpu, options.out, options.seconds, deadline, runner).run(
        [tuple(c) for c in CONFIGURATIONS]
    )


if __name__ == "__main__":
    main(sys.argv[1:])
