#!/usr/bin/env python3
"""Measures how training jobs slow each other down on the GPU of this machine.

Runs documented training configurations alone and in pairs, and writes one CSV row per direction of
a pair: what each job was, its steady speed alone, its utilisation, memory bandwidth utilisation and
memory alone, and the part of its speed that it kept beside the other. The columns are those that
`liquid train similarity|interference` and `liquid simulate --slowdowns` read.

Needs PyTorch (1.13 or newer) and nothing else. GPU figures come from NVML through ctypes. Two
processes share the GPU by time slicing, or by MPS when its control daemon runs; then the GPU's name
in the CSV ends with " MPS". The file beside the CSV says with what versions, and on what machine.
Without a GPU one core of the CPU stands for it, and only the smallest configuration of each family
runs: that shows that the script works, and nothing about GPUs.

It can be stopped and started again: what is in the CSV is not measured twice.

    tools/profile_pairs.py --out pairs.csv --minutes 60
"""

import argparse
import contextlib
import csv
import ctypes
import itertools
import json
import math
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import threading
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

# Family, batch size, precision; the smallest of each family first. Inputs are made up and stay on the
# device, so no family bears the name of a published model, whose jobs also prepare their inputs.
CONFIGURATIONS = [
    ("convnet", 32, "fp32"),
    ("convnet", 256, "fp32"),
    ("convnet", 256, "fp16"),
    ("encoder", 8, "fp32"),
    ("encoder", 64, "fp32"),
    ("encoder", 64, "fp16"),
    ("recurrent", 16, "fp32"),
    ("recurrent", 128, "fp32"),
    ("embedding", 512, "fp32"),
    ("embedding", 8192, "fp32"),
    ("mlp", 128, "fp32"),
    ("mlp", 2048, "fp16"),
]

FEWEST_ITERATIONS = 5

# How many times as long is measured where the usual time gives too few iterations.
LONGER = (1, 3, 9)

# Seconds that a job takes to begin, on the mean, and after which it is taken to hang.
USUAL_START, LONGEST_START = 5, 300


class Refused(Exception):
    """What was asked for cannot be done."""


class Failed(Exception):
    """A measurement came to nothing."""


class TooFew(Failed):
    """A measurement was too short."""


class Stop(Exception):
    """The budget is used up."""


# --- what needs no PyTorch ---------------------------------------------------------------------


def named(configuration):
    """What a configuration is called on the command line and in messages."""
    return "%s-%d-%s" % configuration


def chosen(names):
    """The configurations of these names; the beginning of a name stands for all that begin so."""
    found = []
    for name in names:
        those = [c for c in CONFIGURATIONS if (named(c) + "-").startswith(name + "-")]
        if not those:
            raise Refused("--only must name configurations, but '%s' is none of %s"
                          % (name, " ".join(map(named, CONFIGURATIONS))))
        found += those
    return [c for c in CONFIGURATIONS if c in found]


def smallest_of_each_family():
    found = {}
    for configuration in CONFIGURATIONS:
        found.setdefault(configuration[0], configuration)
    return list(found.values())


def after_warm_up(measured):
    """All but the first fifth."""
    return measured[len(measured) // 5 :]


def steady_rate(job, spans):
    """Iterations per second after the warm-up.

    The mean and not the median: of a job that iterates faster than the GPU switches between jobs,
    most iterations run as if alone, and few wait for long.
    """
    if len(spans) < FEWEST_ITERATIONS:
        raise TooFew("%s made too few iterations (%d); more --seconds help" % (named(job), len(spans)))
    steady = after_warm_up(spans)
    return len(steady) / (steady[-1][1] - steady[0][0])


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
    """The keys that a CSV already holds; a line that was cut off does not count."""
    if not path.exists():
        return set()
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {key(row) for row in rows if all(row.get(c) is not None for c in COLUMNS)}


def mended(path):
    """Removes a last line that was cut off, so that the next row starts on its own line."""
    if not path.exists():
        return
    text = path.read_bytes()
    heading = (",".join(COLUMNS) + "\n").encode()
    if text[: len(heading)] != heading[: len(text)]:
        raise Refused("%s must be a CSV of this script, but begins otherwise; give another --out" % path)
    whole = text[: text.rfind(b"\n") + 1]
    if whole != text:
        path.write_bytes(whole)


def note_machine(path, machine):
    """Appends a machine to the list of those that measured, unless it is the last one already."""
    machines = []
    if path.exists():
        try:
            machines = json.loads(path.read_text())
        except ValueError as e:
            raise Refused("%s must be a list of machines, but: %s" % (path, e)) from None
    if machines[-1:] != [machine]:
        whole = path.with_suffix(".new")
        whole.write_text(json.dumps(machines + [machine], indent=2) + "\n")
        whole.replace(path)


def append(path, rows):
    """Appends whole rows, and the heading if the file is new."""
    is_new = not path.exists() or path.stat().st_size == 0
    with path.open("a", newline="", encoding="utf-8") as file:
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


class Job:
    """A process that trains one configuration for some seconds once it is told to go."""

    def __init__(self, configuration, seconds):
        self.name = named(configuration)
        self.errors = tempfile.TemporaryFile("w+")
        # In a session of its own: Ctrl-C is for this script, which then ends the job.
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--job", json.dumps(configuration), str(seconds)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True,
            start_new_session=True)

    def await_ready(self):
        if self.process.stdout.readline() != "ready\n":
            raise self.failure()

    def go(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write("go\n")
            self.process.stdin.flush()

    def is_running(self):
        return self.process.poll() is None

    def spans(self):
        """When each iteration began and ended."""
        text = self.process.stdout.read()
        if self.process.wait():
            raise self.failure()
        return [tuple(span) for span in json.loads(text)]

    def failure(self):
        self.errors.seek(0)
        lines = self.errors.read().strip().splitlines()
        status = self.process.wait()
        if status < 0:
            return Failed("%s was ended by signal %d" % (self.name, -status))
        return Failed("%s: %s" % (self.name, lines[-1] if lines else "ended with status %d" % status))

    def end(self):
        if self.is_running():
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()


def run(configurations, seconds, nvml):
    """Runs jobs side by side; returns the iterations of each, and what NVML saw meanwhile."""
    jobs, samples = [], []
    watchdog = threading.Timer(seconds + LONGEST_START, lambda: [job.process.kill() for job in jobs])
    watchdog.daemon = True
    watchdog.start()
    try:
        for configuration in configurations:
            jobs.append(Job(configuration, seconds))
        for job in jobs:
            job.await_ready()
        for job in jobs:
            job.go()
        end = time.monotonic() + seconds
        while time.monotonic() < end and all(job.is_running() for job in jobs):
            time.sleep(0.2)
            samples.append(nvml.sample())
        return [job.spans() for job in jobs], [s for s in after_warm_up(samples) if s]
    finally:
        watchdog.cancel()
        for job in jobs:
            job.end()


def job_main(configuration, seconds):
    """Trains one configuration and prints when each iteration began and ended."""
    try:
        spans = train(configuration, seconds)
    except Exception as e:
        sys.exit("%s: %s" % (type(e).__name__, (str(e).strip() or "no message").splitlines()[0]))
    print(json.dumps(spans), flush=True)


def train(configuration, seconds):
    import torch

    family, batch, precision = configuration
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu":
        share_a_core(torch)
    torch.manual_seed(1)
    iterate = iteration(torch, device, precision, *build(torch, family, batch, device))
    for _ in range(3):
        iterate()
    profiler = os.getppid()
    print("ready", flush=True)
    if sys.stdin.readline() != "go\n":
        sys.exit("nobody waits for this job any more")
    spans, end = [], time.monotonic() + seconds
    while time.monotonic() < end and os.getppid() == profiler:
        begin = time.monotonic()
        iterate()
        spans.append((begin, time.monotonic()))
    return spans


def share_a_core(torch):
    """Puts all jobs on one core, where they wait for each other as they do on a GPU."""
    torch.set_num_threads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def iteration(torch, device, precision, model, batch, loss_of):
    """A function that trains for one iteration and waits until the device has done it."""
    half = precision == "fp16"
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    # Since PyTorch 2.3 the former is there, and the latter warns that it will go.
    scaler = torch.amp.GradScaler if hasattr(torch.amp, "GradScaler") else torch.cuda.amp.GradScaler
    scaler = scaler(enabled=half)
    autocast = torch.autocast(device, dtype=torch.float16) if half else contextlib.nullcontext()

    def iterate():
        optimizer.zero_grad(set_to_none=True)
        with autocast:
            loss = loss_of(model, batch)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if device == "cuda":
            torch.cuda.synchronize()

    return iterate


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
    elif family == "encoder":
        layer = nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True)
        model = nn.Sequential(nn.TransformerEncoder(layer, 4), nn.Flatten(), nn.Linear(512 * 64, 100))
        inputs = torch.randn(batch, 64, 512, device=device)
        labels = torch.randint(100, (batch,), device=device)
    elif family == "recurrent":
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
    elif family == "embedding":
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

    def __init__(self, gpu, out, seconds, deadline, runner, log):
        self.gpu, self.out, self.seconds = gpu, out, seconds
        self.deadline, self.runner, self.log = deadline, runner, log
        self.alone = {}

    def measure(self, jobs, seconds):
        """The iterations of each job, and the figures of the GPU, where the budget allows it."""
        if time.monotonic() + seconds > self.deadline:
            raise Stop()
        return self.runner(jobs, seconds)

    def rates(self, jobs, counted):
        """The rate of each job over the iterations that count, and the figures of the GPU.

        Slow jobs, and jobs on a machine that is busy otherwise, are measured for longer.
        """
        for longer in LONGER:
            spans, figures = self.measure(jobs, longer * self.seconds)
            try:
                return [steady_rate(*each) for each in zip(jobs, counted(spans))], figures
            except TooFew as failure:
                last = failure
        raise last

    def measure_alone(self, job):
        """The figures of a job alone, or None if it does not run."""
        if job not in self.alone:
            try:
                (rate,), figures = self.rates([job], lambda spans: spans)
                self.alone[job] = dict(figures, isolated_rate=rate)
                self.log("%s alone: %.4g iterations/s" % (named(job), rate))
            except Failed as failure:
                self.alone[job] = None
                self.log("left out: " + str(failure))
        return self.alone[job]

    def measure_pair(self, one, other):
        """The rows of both directions; none if a job does not run, or both do not run together."""
        alone = self.measure_alone(one), self.measure_alone(other)
        if None in alone:
            return []
        try:
            rates, _ = self.rates(
                [one, other], lambda spans: (overlap(spans[0], spans[1]), overlap(spans[1], spans[0])))
        except Failed as failure:
            self.log("left out beside each other: %s and %s: %s" % (named(one), named(other), failure))
            return []
        kept = [rate / figures["isolated_rate"] for rate, figures in zip(rates, alone)]
        if one == other:
            return [row(self.gpu, one, alone[0], other, alone[1], sum(kept) / 2)]
        return [
            row(self.gpu, one, alone[0], other, alone[1], kept[0]),
            row(self.gpu, other, alone[1], one, alone[0], kept[1]),
        ]

    def directions(self, one, other):
        return {key(row(self.gpu, a, {}, b, {}, 1)) for a, b in ((one, other), (other, one))}

    def run(self, configurations):
        """Measures the pairs of these that are not in the CSV; returns how many of them are then."""
        mended(self.out)
        done = measured(self.out)
        wanted = pairs(configurations)
        todo = [pair for pair in wanted if not self.directions(*pair) <= done]
        present = len(wanted) - len(todo)
        self.log(self.plan(len(configurations), len(wanted), todo))
        try:
            for one, other in todo:
                rows = self.measure_pair(one, other)
                append(self.out, [each for each in rows if key(each) not in done])
                if rows:
                    present += 1
                    kept = " and ".join(each["retained_speed"] for each in rows)
                    self.log("%d/%d %s and %s keep %s" % (present, len(wanted), named(one), named(other), kept))
        except Stop:
            self.log("the budget is used up; start again to go on")
        self.log("%d of %d pairs are in %s" % (present, len(wanted), self.out))
        return present

    def plan(self, jobs, wanted, todo):
        runs = len(todo) + len({job for pair in todo for job in pair})
        return "%s: %d configurations, %d pairs, of which %d are left to measure, in about %.0f min" % (
            self.gpu, jobs, wanted, len(todo), math.ceil(runs * (self.seconds + USUAL_START) / 60))


def mps_runs():
    """Whether MPS's control daemon has its pipe where CUDA programs look for it."""
    return pathlib.Path(os.environ.get("CUDA_MPS_PIPE_DIRECTORY", "/tmp/nvidia-mps"), "control").exists()


def name_in_csv(gpu, with_mps):
    """Jobs harm each other otherwise under MPS, so it counts as another GPU model, named like this."""
    return gpu + " MPS" if with_mps else gpu


def positive(text):
    """A number from the command line."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError("must be a positive number, but was '%s'" % text)
    return value


class Parser(argparse.ArgumentParser):
    """Refuses in one line."""

    def error(self, message):
        raise Refused(message)


def parsed(arguments):
    parser = Parser(
        description=__doc__,
        epilog="configurations: " + " ".join(map(named, CONFIGURATIONS)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("pairs.csv"), metavar="CSV",
                        help="the file to write or to go on with (default %(default)s)")
    parser.add_argument("--minutes", type=positive, default=60, help="stop after so long (default 60)")
    parser.add_argument("--seconds", type=positive, default=20, help="of one measurement (default 20)")
    parser.add_argument("--only", type=lambda text: text.split(","), metavar="NAME,...",
                        help="the configurations to measure, or how their names begin: convnet,mlp-128")
    parser.add_argument("--gpu", metavar="NAME",
                        help="what your cluster calls this GPU (default: what its driver calls it)")
    parser.add_argument("--job", nargs=2, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def imported_torch():
    # NVML counts GPUs by bus; by default CUDA counts the fastest first.
    os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    try:
        import torch
    except (ImportError, OSError) as e:
        raise Refused("needs PyTorch, which %s does not have: %s" % (sys.executable, e)) from None
    return torch


def configurations_for(names, has_gpu, log):
    """What to measure: what was named, or all there is, as far as the device can."""
    if has_gpu:
        return chosen(names) if names else CONFIGURATIONS
    log("no GPU found: a core of the CPU stands for it, which shows no more than that this works")
    if not names:
        return smallest_of_each_family()
    those = [c for c in chosen(names) if c[2] == "fp32"]
    if not those:
        raise Refused("--only must name a configuration in fp32 where there is no GPU")
    return those


def device_of(torch):
    """What the GPU is called, NVML's view of it, and whether its jobs share it by MPS."""
    if not torch.cuda.is_available():
        return "CPU", Nvml(None), False
    uuid = str(getattr(torch.cuda.get_device_properties(0), "uuid", ""))
    nvml = Nvml(nvml_device(uuid, os.environ.get("CUDA_VISIBLE_DEVICES")))
    return torch.cuda.get_device_name(0).replace("NVIDIA ", ""), nvml, mps_runs()


def machine_of(torch, gpu, with_mps, seconds):
    """What figures depend on beside the jobs."""
    return {
        "gpu": gpu,
        "sharing": "MPS" if with_mps else "time slicing",
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "seconds": seconds,
    }


def profile(options, log):
    """Measures what the options ask for; returns how many of those pairs are in the CSV then."""
    deadline = time.monotonic() + 60 * options.minutes
    if not options.out.absolute().parent.is_dir():
        raise Refused("--out must be in a folder that there is, but was " + str(options.out))
    mended(options.out)
    torch = imported_torch()
    configurations = configurations_for(options.only, torch.cuda.is_available(), log)
    called, nvml, with_mps = device_of(torch)
    machine = machine_of(torch, called, with_mps, options.seconds)
    idle = nvml.sample() or (0, 0, 0)
    if idle[0] > 0.05:
        log("others use this GPU (%.0f %% of the time): the figures will be off" % (100 * idle[0]))

    def runner(jobs, seconds):
        note_machine(options.out.with_suffix(".machine.json"), machine)
        spans, samples = run(jobs, seconds, nvml)
        return spans, mean_figures(samples, idle[2])

    gpu = name_in_csv(options.gpu or called, with_mps)
    return Profiler(gpu, options.out, options.seconds, deadline, runner, log).run(configurations)


def main(arguments):
    """Returns 0 if anything is measured, 1 if nothing is, 2 if that cannot be, 130 if stopped."""
    # In the background of a shell script Ctrl-C is ignored; to be ended is to be ended all the same.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        options = parsed(arguments)
        if options.job:
            job_main(json.loads(options.job[0]), float(options.job[1]))
            return 0
        return 0 if profile(options, lambda message: print(message, flush=True)) else 1
    except (Refused, OSError) as e:
        print("profile_pairs.py: " + str(e), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; start again to go on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
