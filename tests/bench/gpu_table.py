# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine's plugin for GPUs beside PyTorch on the same GPU, as a Markdown table.

rot13 (4,665 parameters, batch 50 x 15), the decoder (4 layers, hidden 256, batch 32 x 128) and a
large one (12 layers, hidden 768, batch 16 x 1,024) with products in float32, TF32 and bfloat16.
PyTorch runs eagerly, compiled, and with a step captured as a CUDA graph. A rate is that of the
median step, from the end of the one before to its own; memory is what the whole GPU has in use at
most, less what it had before. Each run is a process of its own, on the first GPU that
CUDA_VISIBLE_DEVICES names. With --device cpu it tries itself out where there is no GPU.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODES = ("eager", "compile", "graph")
DEVICES = {"float32": "cuda", "tf32": "cuda-tf32", "bf16": "cuda-bf16"}
# Of our steps, how many for each of --steps; and how tokens or steps are counted.
BENCHMARKS = {"rot13": (50, "steps"), "decoder": (5, "tokens"), "large": (1, "tokens")}
ROWS = [("rot13", "float32"), ("decoder", "float32"), *(("large", p) for p in DEVICES)]


def of_gpu(what):
    """What nvidia-smi says of the GPU, or "" if it says nothing."""
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0].strip() or "0"
    query = ["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader,nounits", f"--id={first}"]
    done = subprocess.run(query, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def used_mib():
    """None where the GPU does not tell, as where it is shared."""
    used = of_gpu("memory.used")
    return int(used) if used.isdigit() else None


class Peak:
    """The most memory of the GPU in use meanwhile, in MiB; 0 if it does not tell."""

    def __init__(self, on_gpu):
        self.before = used_mib() if on_gpu else None
        self.mib = 0

    def __enter__(self):
        if self.before is not None:
            self.ended = threading.Event()
            self.thread = threading.Thread(target=self.watch)
            self.thread.start()
        return self

    def watch(self):
        while not self.ended.wait(0.1):
            used = used_mib()
            if used is not None:
                self.mib = max(self.mib, used - self.before)

    def __exit__(self, *problem):
        if self.before is not None:
            self.ended.set()
            self.thread.join()


def of_wheels(pattern):
    """The newest file of NVIDIA's wheels for Python that fits, or None; no loader looks there."""
    found = [file for place in sys.path for file in Path(place).glob(f"nvidia/*/{pattern}")]
    return max(found, key=lambda file: [int(n) for n in re.findall("[0-9]+", file.name)],
               default=None)


def environment_of_program(libraries):
    """That of our program: the libraries packed with it, and PyTorch's cuBLASLt."""
    environment = dict(os.environ)
    if libraries:
        others = environment.get("LD_LIBRARY_PATH")
        environment["LD_LIBRARY_PATH"] = str(libraries) + (f":{others}" if others else "")
    library = of_wheels("lib/libcublasLt.so.*")
    if library:
        environment.setdefault("TFM_CUBLASLT", str(library))
    return environment


def run(command, on_gpu, environment=None):
    """The JSON that a command prints, with the peak of memory, or why there is none."""
    print("--", " ".join(command), file=sys.stderr, flush=True)
    with Peak(on_gpu) as peak:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=environment)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        return {"problem": lines[-1] if lines else f"exit status {done.returncode}"}
    return {**json.loads(done.stdout.strip().splitlines()[-1]), "mib": peak.mib}


def model_of(benchmark):
    """A PyTorch model, its batch as a list of tensors, and its logits and labels of a batch."""
    import torch

    torch.manual_seed(0)
    if benchmark == "rot13":
        import bench_torch_rot13 as rot13

        batch = list(rot13.batch(torch.Generator().manual_seed(1)))
        return rot13.Rot13(True), batch, lambda model, s, t, pad, labels: (model(s, t, pad), labels)
    import bench_torch_decoder as decoder

    if benchmark == "large":
        decoder.HIDDEN, decoder.INNER, decoder.HEADS, decoder.LAYERS = 768, 3072, 12, 12
        decoder.BATCH, decoder.LENGTH = 16, 1024
    tokens = torch.randint(0, decoder.VOCABULARY, (decoder.BATCH, decoder.LENGTH + 1))
    return decoder.Decoder(True), [tokens], lambda model, t: (model(t[:, :-1]), t[:, 1:])


def torch_run(benchmark, mode, precision, steps, device):
    import torch
    import torch.nn.functional as F

    torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
    model, batch, logits_and_labels = model_of(benchmark)
    model = model.to(device)
    batch = [x.to(device) for x in batch]
    kind = torch.optim.Adam if benchmark == "rot13" else torch.optim.AdamW
    optimizer = kind(model.parameters(), lr=3e-4, fused=True, capturable=mode == "graph")

    def loss_of(*inputs):
        with torch.autocast(device, torch.bfloat16, enabled=precision == "bf16"):
            logits, labels = logits_and_labels(model, *inputs)
            return F.cross_entropy(logits.flatten(0, 1), labels.flatten())

    if mode == "compile":
        loss_of = torch.compile(loss_of)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(*batch)
        loss.backward()
        optimizer.step()
        return loss

    def wait():
        if device == "cuda":
            torch.cuda.synchronize()

    def now():
        """A moment of the GPU, for which nobody waits, or of the CPU."""
        if device != "cuda":
            return time.perf_counter()
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def seconds_between(begin, end):
        return begin.elapsed_time(end) / 1e3 if device == "cuda" else end - begin

    if mode == "graph":
        side = torch.cuda.Stream()  # warms up as "CUDA graphs" in PyTorch's notes asks for
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                step()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            loss = step()
        once = graph.replay
    else:
        once = step
        for _ in range(3):
            loss = once()
    wait()
    ends = [now()]
    for _ in range(steps):
        again = once()
        ends.append(now())
    wait()
    seconds = statistics.median(map(seconds_between, ends, ends[1:]))
    labels = logits_and_labels(lambda *_: None, *batch)[1].numel()
    print(json.dumps({"steps_per_second": 1 / seconds, "tokens_per_second": labels / seconds,
                      "loss": (loss if again is None else again).item(), "torch": torch.__version__}))


def cell(result, unit):
    if "problem" in result:
        return "-"
    memory = f", {result['mib']:,} MiB" if result["mib"] > 0 else ""
    return f"{result[unit + '_per_second']:,.0f} {unit}/s{memory}"


def ratio(ours, theirs, unit):
    if "problem" in ours or "problem" in theirs:
        return "-"
    return f"{ours[unit + '_per_second'] / theirs[unit + '_per_second']:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, help="transformarium-cli")
    parser.add_argument("--libraries", type=Path, help="a folder that it finds its libraries in")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--steps", type=int, default=10, help="of the large decoder")
    parser.add_argument("--only", choices=tuple(BENCHMARKS), help="one benchmark")
    parser.add_argument("--torch", nargs=3, metavar=("NAME", "MODE", "PRECISION"),
                        help="one run of PyTorch by itself")
    parser.add_argument("--find", metavar="FILE", help="name a file of NVIDIA's wheels, such as "
                        "'lib/libcublasLt.so.*', and nothing if there is none")
    a = parser.parse_args()
    if a.find:
        return print(of_wheels(a.find) or "")
    if a.torch:
        return torch_run(*a.torch, a.steps, a.device)
    if not a.program:
        parser.error("--program is missing")
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"  # that of nvidia-smi

    on_gpu = a.device == "cuda"
    name, torch_version = of_gpu("name") or "a GPU" if on_gpu else "the CPU", None
    program, own_environment = str(a.program.resolve()), environment_of_program(a.libraries)
    table, problems, details, failed = [], [], {}, False
    for benchmark, precision in ROWS:
        if a.only not in (None, benchmark) or (not on_gpu and precision != "float32"):
            continue
        times, unit = BENCHMARKS[benchmark]
        device = DEVICES[precision] if on_gpu else "cpu"
        steps = str(a.steps * times)
        # The program counts steps of the decoder, of which rot13 runs 50 times as many.
        own_steps = str(a.steps if benchmark == "rot13" else a.steps * times)
        ours = run([program, "bench", "--device", device, "--only", benchmark, "--steps",
                    own_steps, "--threads", str(os.cpu_count() if not on_gpu else 2), "--json"],
                   on_gpu, own_environment)
        failed = failed or "problem" in ours
        details[device] = ours.get("details")
        theirs = {}
        for mode in MODES if on_gpu else MODES[:2]:
            command = [sys.executable, str(HERE / "gpu_table.py"), "--device", a.device]
            command += ["--steps", steps, "--torch", benchmark, mode, precision]
            theirs[mode] = run(command, on_gpu)
            torch_version = theirs[mode].get("torch", torch_version)
        for who, result in {"transformarium": ours, **theirs}.items():
            if "problem" in result:
                problems.append(f"{benchmark}, {precision}, {who}: {result['problem']}")
        of = [theirs.get(mode, {"problem": ""}) for mode in MODES]
        table.append([f"{benchmark}, {precision}", cell(ours, unit), *(cell(x, unit) for x in of),
                      " / ".join(ratio(ours, x, unit) for x in of)])

    print(f"Median steps on {name}, PyTorch {torch_version or 'is missing'}:\n")
    head = ["", "transformarium", "PyTorch, eager", "torch.compile", "CUDA graph", "ratios"]
    for row in [head, ["---"] + 5 * ["---:"], *table]:
        print("| " + " | ".join(row) + " |")
    for note in [*(f"{device}: {what}" for device, what in details.items() if what), *problems]:
        print(f"\n- {note}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
