# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine and PyTorch side by side: the same models, machine and threads, one after the other.

Runs `transformarium-cli bench` and the PyTorch scripts beside this file, prints what each
measured and the ratios. Rates are of the median step; PyTorch has its best variant.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parent.parent / "build/release/app/transformarium-cli"


def measured(command, threads):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def rows(ours, rot13, decoder, joint, funnel, delight):
    """What is compared, ours, PyTorch's, and whether more is better."""
    model = ours["decoder"]
    return [
        ("rot13, steps/s", ours["rot13"]["steps_per_second"], rot13["steps_per_second"], True),
        ("decoder, tokens/s", model["tokens_per_second"], decoder["tokens_per_second"], True),
        (
            "joint step, examples/s",
            ours["joint"]["examples_per_second"],
            joint["examples_per_second"],
            True,
        ),
        ("Funnel, steps/s", ours["funnel"]["steps_per_second"], funnel["steps_per_second"], True),
        ("DeLighT, steps/s", ours["delight"]["steps_per_second"], delight["steps_per_second"], True),
        ("matrix product, GFLOP/s", ours["product_gflops"], decoder["product_gflops"], True),
        ("peak memory, MiB", ours["peak_rss_mib"], decoder["peak_rss_mib"], False),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=PROGRAM, help="transformarium-cli")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=10, help="decoder steps; rot13: 50, joint and DeLighT: 10, Funnel: 5 times")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    threads, steps = arguments.threads, arguments.steps

    def of_torch(script, count):
        flags = ["--threads", str(threads), "--steps", str(count)]
        return measured([sys.executable, str(HERE / script), *flags], threads)

    flags = ["--threads", str(threads), "--steps", str(steps), "--json"]
    ours = measured([str(arguments.program), "bench", *flags], threads)
    rot13 = of_torch("bench_torch_rot13.py", 50 * steps)
    decoder = of_torch("bench_torch_decoder.py", steps)
    joint = of_torch("bench_torch_joint.py", 10 * steps)
    funnel = of_torch("bench_torch_funnel.py", 5 * steps)
    delight = of_torch("bench_torch_delight.py", 10 * steps)
    table = rows(ours, rot13, decoder, joint, funnel, delight)

    if arguments.json:
        ratios = {name: mine / theirs for name, mine, theirs, _ in table}
        torch = [rot13, decoder, joint, funnel, delight]
        print(json.dumps({"transformarium": ours, "torch": torch, "ratios": ratios}))
        return
    print(f"{threads} threads, PyTorch {decoder['torch']}")
    print(f"{'':26}{'transformarium':>16}{'PyTorch':>12}{'ratio':>8}")
    for name, mine, theirs, more in table:
        wish = "more is better" if more else "less is better"
        print(f"{name:26}{mine:16.1f}{theirs:12.1f}{mine / theirs:8.2f}  {wish}")
    share = ours["decoder"]["share_of_product"]
    print(f"the decoder runs at {share:.0%} of the rate of the matrix product")
    for one in ours["pooled_attention"]:
        lengths, time, formula = f"{one['queries']} x {one['keys']}", one["time"], one["operations"]
        print(
            f"pooled attention, {lengths}: {time:.3f} of the time of the unpooled, {formula:.3f} of "
            f"its operations ({time / formula - 1:+.0%})"
        )


if __name__ == "__main__":
    main()
