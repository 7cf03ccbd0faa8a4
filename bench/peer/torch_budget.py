#!/usr/bin/env python3
"""Trains a network in PyTorch for a number of seconds as a recipe says and writes a line of losses per epoch.

Usage: torch_budget.py --recipe R.json --weights W.safetensors --data D.safetensors --validation V.safetensors
                       --seconds N --output METRICS.csv --best-weights F.safetensors [--threads N]

Weights and tensors are those of bench_export_batches. The time is that of training and validation together; an epoch
cut short by its end is not counted. Of the recipe, batch_size, seed, schedule (constant or step), loss and optimizer count.
"""
import argparse
import csv
import json
import time
from pathlib import Path

import torch
import torch_models
from safetensors.torch import load_file
from torch_train import network_for, read_data, write_safetensors


def rate_of(schedule, epoch):
    """Learning rate of an epoch counted from 0."""
    kind = schedule.get("kind", "step")
    if kind not in ("constant", "step"):
        raise SystemExit(f"error: schedule.kind {kind} (only constant and step are known here); choose one of them")
    changes = epoch // schedule.get("every", 2) if kind == "step" else 0
    rate = schedule.get("learning_rate", 1e-3) * schedule.get("factor", 0.9) ** changes
    return max(rate, schedule.get("minimum", 1e-6))


def loss_of(network, data, cases, weight):
    inputs, target, active, width = data
    return torch_models.training_loss(network(inputs[cases]), target[cases], active[cases], width, weight)


def validation_loss(network, data, batch, weight):
    """Mean over the cases, batch norm with its running statistics."""
    network.eval()
    total, count = 0.0, data[0].shape[0]
    with torch.inference_mode():
        for first in range(0, count, batch):
            cases = list(range(first, min(first + batch, count)))
            total += loss_of(network, data, cases, weight).item() * len(cases)
    network.train()
    return total / count


class OutOfTime(Exception):
    pass


def train_epoch(network, optimizer, data, recipe, epoch, deadline):
    """Mean loss over the cases of an epoch."""
    count = data[0].shape[0]
    generator = torch.Generator().manual_seed(recipe.get("seed", 0) + epoch)
    order = torch.randperm(count, generator=generator).tolist()
    batch, weight = recipe.get("batch_size", 4), recipe.get("loss", {}).get("derivative_weight", 0.5)
    total = 0.0
    for first in range(0, count, batch):
        cases = order[first : first + batch]
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(network, data, cases, weight)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(cases)
        if time.perf_counter() > deadline:
            raise OutOfTime
    return total / count


def train(network, data, validation, recipe, arguments):
    decay = recipe.get("optimizer", {}).get("weight_decay", 1e-4)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, weight_decay=decay)
    weight = recipe.get("loss", {}).get("derivative_weight", 0.5)
    start, best = time.perf_counter(), float("inf")
    with open(arguments.output, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("epoch", "learning_rate", "train_loss", "validation_loss", "seconds"))
        for epoch in range(recipe.get("epochs", 100)):
            rate, begun = rate_of(recipe.get("schedule", {}), epoch), time.perf_counter()
            for group in optimizer.param_groups:
                group["lr"] = rate
            try:
                train_loss = train_epoch(network, optimizer, data, recipe, epoch, start + arguments.seconds)
            except OutOfTime:
                return
            judged = validation_loss(network, validation, recipe.get("batch_size", 4), weight)
            table.writerow((epoch + 1, rate, train_loss, judged, time.perf_counter() - begun))
            file.flush()
            if judged < best:
                best = judged
                write_safetensors(network, arguments.best_weights)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("recipe", "weights", "data", "validation", "output", "best-weights"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    recipe = json.loads(arguments.recipe.read_text())
    network = network_for(load_file(arguments.weights)).train()
    train(network, read_data(arguments.data), read_data(arguments.validation), recipe, arguments)


if __name__ == "__main__":
    main()
