# SPDX-License-Identifier: GPL-3.0-or-later
"""What the PyTorch benchmarks share: their command line, their optimizer and the line they print."""

import argparse
import json

import torch


def arguments_of(description, steps):
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--optimizer", choices=("default", "foreach", "fused"), default="fused")
    parser.add_argument("--compile", action="store_true", help="use torch.compile")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    return arguments


def optimizer_flags(arguments):
    return {} if arguments.optimizer == "default" else {arguments.optimizer: True}


def print_report(benchmark, arguments, results, rate, **more):
    """The results by name and the rate of the best, as one JSON line."""
    best = max(results, key=lambda name: results[name][rate])
    report = {
        "benchmark": benchmark,
        "torch": torch.__version__,
        **vars(arguments),
        rate: results[best][rate],
        **more,
        "best": best,
        "results": results,
    }
    print(json.dumps(report))
