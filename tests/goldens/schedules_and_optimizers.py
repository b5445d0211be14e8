# SPDX-License-Identifier: GPL-3.0-or-later
"""Learning rates from optax, optimizer steps from torch, clipping from optax."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import torch

import golden

STEPS = 5


def schedules():
    cases = [
        ("constant", optax.constant_schedule, {"value": 0.5}),
        (
            "warmup_cosine",
            optax.warmup_cosine_decay_schedule,
            {
                "init_value": 0.0,
                "peak_value": 1e-2,
                "warmup_steps": 100,
                "decay_steps": 2000,
                "end_value": 1e-4,
            },
        ),
        (
            "warmup_exponential",
            optax.warmup_exponential_decay_schedule,
            {
                "init_value": 0.5,
                "peak_value": 0.8,
                "warmup_steps": 100,
                "transition_steps": 200,
                "decay_rate": 0.5,
                "transition_begin": 100,
                "end_value": 1e-3,
            },
        ),
    ]
    steps = sorted(set(range(0, 2501, 25)) | {1, 99, 101, 199, 201, 1999, 2001, 2127, 2128, 2129})
    return {
        "steps": steps,
        "cases": [
            {
                "name": name,
                "settings": settings,
                "rates": [float(make(**settings)(jnp.float64(step))) for step in steps],
            }
            for name, make, settings in cases
        ],
    }


def torch_steps(make, settings, start, gradients):
    """The parameter and the optimizer's memory after each step."""
    parameter = torch.tensor(start, requires_grad=True)
    optimizer = make([parameter], **settings)
    values, memory = [], {}
    for gradient in gradients:
        parameter.grad = torch.tensor(gradient)
        optimizer.step()
        values.append(parameter.detach().numpy().copy())
        for name, state in optimizer.state[parameter].items():
            if name != "step":
                memory.setdefault(name, []).append(state.numpy().copy())
    return np.stack(values), {name: np.stack(states) for name, states in memory.items()}


def optax_steps(transform, start, gradients):
    values, parameter, state = [], jnp.asarray(start), transform.init(jnp.asarray(start))
    for gradient in gradients:
        updates, state = transform.update(jnp.asarray(gradient), state, parameter)
        parameter = optax.apply_updates(parameter, updates)
        values.append(np.asarray(parameter))
    return np.stack(values)


def optimizers(rng):
    start = rng.standard_normal(6)
    # Sizes from large to tiny: Adam's epsilon shows only beside tiny gradients.
    gradients = rng.standard_normal((STEPS, 6)) * np.array([10.0, 1.0, 0.1, 1e-3, 1e-7, 0.0])
    adam = {"lr": 1e-2, "betas": (0.9, 0.999), "eps": 1e-8}
    cases = [
        ("sgd", torch.optim.SGD, {"lr": 0.1, "momentum": 0.9}, optax.sgd(0.1, momentum=0.9)),
        ("adam", torch.optim.Adam, adam, optax.adam(1e-2)),
        (
            "adamw",
            torch.optim.AdamW,
            adam | {"weight_decay": 0.1},
            optax.adamw(1e-2, weight_decay=0.1),
        ),
    ]
    results = []
    for name, make, settings, peer in cases:
        values, memory = torch_steps(make, settings, start, gradients)
        np.testing.assert_allclose(values, optax_steps(peer, start, gradients), rtol=0, atol=1e-14)
        results.append(
            {
                "name": name,
                "settings": settings,
                "values": golden.tensor(values),
                "memory": golden.tensors(memory),
            }
        )
    return {
        "start": golden.tensor(start),
        "gradients": golden.tensor(gradients),
        "cases": results,
    }


def clipping(rng):
    gradients = {"a": rng.standard_normal((2, 3)), "b": rng.standard_normal(4)}
    cases = []
    for max_norm in (1.0, 100.0):
        transform = optax.clip_by_global_norm(max_norm)
        clipped, _ = transform.update(gradients, transform.init(gradients))
        cases.append({"max_norm": max_norm, "clipped": golden.tensors(clipped)})
    return {
        "gradients": golden.tensors(gradients),
        "global_norm": float(optax.global_norm(gradients)),
        "cases": cases,
    }


def main():
    jax.config.update("jax_enable_x64", True)
    rng = np.random.default_rng(5)
    golden.write(
        __file__,
        {
            "schedules": schedules(),
            "optimizers": optimizers(rng),
            "clip_by_global_norm": clipping(rng),
        },
    )


if __name__ == "__main__":
    main()
