"""Trains the example's model alone, on the mini-batches that its workers printed to have applied.

    python3 replay_example.py FOLDER

FOLDER has what each worker printed, in files that end in .log. Prints the loss, to compare with what the workers reached.
"""

import collections
import pathlib
import sys

import torch

from train_example import compute_gradients, data_set, new_model


def applied_batches(folder: pathlib.Path):
    """Returns the sample ranges of each mini-batch, in the order of training."""
    reads, applied = collections.defaultdict(dict), set()
    for log in sorted(folder.glob("*.log")):
        for line in log.read_text(encoding="utf-8").splitlines():
            word, *numbers = line.split()
            if word == "read":
                topology, step, _, start, stop = map(int, numbers)
                reads[topology, step][log.name] = (start, stop)
            elif word == "applied":
                applied.add(tuple(map(int, numbers)))
    for attempt in sorted(applied, key=lambda both: both[1]):
        topology, step = attempt
        yield step, [samples for _, samples in sorted(reads[attempt].items())]


def main(shared: str) -> None:
    torch.set_num_threads(1)
    inputs, labels = data_set()
    model = new_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    steps = []
    for step, ranges in applied_batches(pathlib.Path(shared)):
        rows = torch.cat([torch.arange(start, stop) for start, stop in ranges])
        compute_gradients(model, inputs[rows], labels[rows])
        for parameter in model.parameters():
            parameter.grad /= max(1, len(rows))
        optimizer.step()
        steps.append(step)
    assert steps == list(range(1, len(steps) + 1)), f"each step is applied once, but were {steps}"
    with torch.no_grad():
        loss = torch.nn.functional.cross_entropy(model(inputs), labels)
    print(f"{loss.item():.12f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
