"""Trains a small classifier with PyTorch on a job whose workers may come, leave and crash.

    python3 train_example.py PORT WORKER FOLDER [MILLISECONDS]

Lines marked with (elastic) are what makes the loop elastic. FOLDER is where workers meet when the
topology changes. What is trained is printed, so that it can be trained again. Gradients are summed over gloo, on CPUs; on GPUs
only the word "gloo" changes.
"""

import datetime
import pathlib
import sys
import time

import torch
import torch.distributed as dist

from elastic_job import Batch, ElasticJob

SAMPLES, FEATURES, CLASSES = 4096, 16, 4
PATIENCE = datetime.timedelta(seconds=10)


def data_set():
    generator = torch.Generator().manual_seed(7)
    inputs = torch.randn(SAMPLES, FEATURES, generator=generator, dtype=torch.float64)
    weights = torch.randn(FEATURES, CLASSES, generator=generator, dtype=torch.float64)
    return inputs, (inputs @ weights).argmax(dim=1)


def new_model():
    torch.manual_seed(3)
    hidden = torch.nn.Linear(FEATURES, 32, dtype=torch.float64)
    return torch.nn.Sequential(hidden, torch.nn.Tanh(), torch.nn.Linear(32, CLASSES, dtype=torch.float64))


def compute_gradients(model, inputs, labels):
    """Leaves the gradients of the summed loss in the model; returns the loss."""
    model.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(inputs), labels, reduction="sum")
    loss.backward()
    return loss


def sum_gradients(model, count):
    """Makes them the mean over all samples that any worker read for this mini-batch."""
    sums = torch.cat([parameter.grad.flatten() for parameter in model.parameters()] + [count])
    dist.all_reduce(sums)
    sums, total = sums[:-1], sums[-1].clamp(min=1)
    at = 0
    for parameter in model.parameters():
        size = parameter.numel()
        parameter.grad = (sums[at:at + size] / total).view_as(parameter)
        at += size


def regroup(batch: Batch, worker: str, folder: pathlib.Path, model, optimizer):  # (elastic)
    """Connects to the members of a new topology, and hands the model to those who lack it."""
    if dist.is_initialized():
        dist.destroy_process_group()
    dist.init_process_group(
        "gloo", init_method=f"file://{folder}/topology-{batch.topology}", timeout=PATIENCE,
        rank=batch.members.index(worker), world_size=len(batch.members))
    if batch.receivers:
        source = batch.members.index(batch.broadcaster)
        state = [model.state_dict(), optimizer.state_dict()] if worker == batch.broadcaster else [None, None]
        dist.broadcast_object_list(state, src=source)
        model.load_state_dict(state[0])
        optimizer.load_state_dict(state[1])


def main(port: str, worker: str, shared: str, milliseconds: str = "0") -> None:
    folder = pathlib.Path(shared)
    torch.set_num_threads(1)
    inputs, labels = data_set()
    model = new_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    job = ElasticJob(int(port), worker)                                            # (elastic)
    for batch in job.elastic_shard_generator():                                # (elastic)
        print("read", batch.topology, batch.step, batch.epoch, batch.start, batch.stop, flush=True)
        try:
            if batch.switched:                                                 # (elastic)
                regroup(batch, worker, folder, model, optimizer)               # (elastic)
            time.sleep(float(milliseconds) / 1000)
            begun = time.monotonic()
            read = slice(batch.start, batch.stop)
            compute_gradients(model, inputs[read], labels[read])
            compute = time.monotonic() - begun
            sum_gradients(model, torch.tensor([float(batch.stop - batch.start)], dtype=torch.float64))
        except RuntimeError:                                                   # (elastic)
            job.notify_batch_failed()                                          # (elastic)
            continue                                                           # (elastic)
        if job.notify_batch_end(compute):                                      # (elastic)
            optimizer.step()
            print("applied", batch.topology, batch.step, flush=True)
    with torch.no_grad():
        loss = torch.nn.functional.cross_entropy(model(inputs), labels)
    print("end", job.end_reason, flush=True)
    print(f"loss {loss.item():.12f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
