#!/usr/bin/env python3
"""Trains an interference model with PyTorch, as an ONNX file that the scheduler loads.

  bin/liquid features --data pairs.csv --out features.csv --properties properties.json
  tools/train_interference.py features.csv properties.json interference.onnx
  bin/liquid predict interference --model interference.onnx --data pairs.csv --out predicted.csv

It needs PyTorch 1.13 or newer and nothing else. One network answers twice: first for pairs of
classes that were measured, then for all others. Every fifth pair of rows is held out; the 90 %
quantiles of its errors, per GPU model, are the intervals that the scheduler works with.
"""
import argparse
import csv
import json
import sys

import torch


class Speed(torch.nn.Module):
    """Scales its own input and answers between .02 and 1.05."""

    def __init__(self, mean, scale):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("scale", scale)
        self.known = network(len(mean))
        self.other = network(len(mean))

    def forward(self, features):
        scaled = torch.clamp((features - self.mean) / self.scale, -4.0, 4.0)
        both = torch.cat([self.known(scaled), self.other(scaled)], 1)
        return 0.02 + 1.03 * torch.sigmoid(both)


def network(width):
    return torch.nn.Sequential(
        torch.nn.Linear(width, 24), torch.nn.ReLU(), torch.nn.Linear(24, 1))


def read(path):
    """Returns GPU models, whether classes are known, columns and speeds."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    return ([row[0] for row in rows], torch.tensor([row[1] == "1" for row in rows]),
            torch.tensor([[float(cell) for cell in row[2:-1]] for row in rows]),
            torch.tensor([float(row[-1]) for row in rows]))


def train(model, features, known, speeds, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, weight_decay=1e-4)
    for _ in range(epochs):
        answers = model(features)
        # The second answer learns from all rows, the first from those of known classes.
        loss = ((answers[:, 1] - speeds) ** 2).mean()
        if known.any():
            loss = loss + ((answers[known, 0] - speeds[known]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def quantiles(gpus, errors):
    """Returns lines of GPU models and the 90 % quantile of their errors."""
    lines = ""
    for gpu in sorted(set(gpus)):
        own = sorted(float(error) for error, where in zip(errors, gpus) if where == gpu)
        lines += "%s=%.6f\n" % (gpu, max(1e-3, own[min(len(own) - 1, int(0.9 * len(own)))]))
    return lines


def varint(number):
    data = b""
    while number > 127:
        data += bytes([number & 127 | 128])
        number >>= 7
    return data + bytes([number])


def field(number, data):
    """Returns a field of bytes as protocol buffers write it."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def with_properties(onnx, properties):
    """Appends metadata: field 14 of a model, each a key (1) and a value (2)."""
    for key, value in sorted(properties.items()):
        onnx += field(14, field(1, key.encode()) + field(2, value.encode()))
    return onnx


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("features")
    parser.add_argument("properties")
    parser.add_argument("out")
    parser.add_argument("--epochs", type=int, default=600)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)

    gpus, known, features, speeds = read(options.features)
    with open(options.properties) as file:
        properties = json.load(file)
    held_out = torch.arange(len(speeds)) % 10 < 2
    mean = features[~held_out].mean(0)
    scale = features[~held_out].std(0).clamp(min=1e-6)
    model = Speed(mean, scale)
    train(model, features[~held_out], known[~held_out], speeds[~held_out], options.epochs)

    with torch.no_grad():
        errors = (model(features) - speeds[:, None]).abs()
    for answer, name, rows in ((0, "familiar", held_out & known), (1, "strange", held_out & ~known)):
        of = [gpu for gpu, is_in in zip(gpus, rows) if is_in]
        properties["liquid.note.error_quantile_90." + name] = quantiles(of, errors[rows, answer])
    error = float(errors[held_out & known, 0].mean())
    properties["liquid.held_out_error"] = "mae=%.4f folds=rows" % error

    torch.onnx.export(
        model, features[:1], options.out, input_names=["features"], output_names=["speed"],
        dynamic_axes={"features": {0: "rows"}, "speed": {0: "rows"}}, opset_version=13)
    with open(options.out, "rb") as file:
        onnx = file.read()
    with open(options.out, "wb") as file:
        file.write(with_properties(onnx, properties))
    print("wrote %s: mean absolute error %.4f on held-out rows" % (options.out, error))


if __name__ == "__main__":
    sys.exit(main())
