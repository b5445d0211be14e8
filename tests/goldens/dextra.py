# SPDX-License-Identifier: GPL-3.0-or-later
"""One DExTra unit of DeLighT (Mehta et al. 2021) in plain torch: an input map, four grouped maps with
shuffle and input mixer, an output map, each with its norm and GELU. Output and gradients of
sum (y - target)^2.
"""

import torch
import torch.nn.functional as F

import golden

ROWS, WIDTH, PROJECTED, EPS = 5, 16, 8, 1e-5
# groups, inputs and outputs of each grouped map: width multiplier 2, depth 4
MAPS = [(2, 8, 8), (4, 16, 32), (4, 40, 32), (2, 40, 8)]


def drawn(generator, *shape):
    return 0.7 * torch.randn(*shape, generator=generator, dtype=torch.float64)


def with_norm(generator, name, parameters, size):
    parameters[name + ".norm.weight"] = 1.0 + drawn(generator, size)
    parameters[name + ".norm.bias"] = drawn(generator, size)


def linear(p, name, x):
    y = F.linear(x, p[name + ".weight"], p[name + ".bias"])
    return F.gelu(F.layer_norm(y, y.shape[-1:], p[name + ".norm.weight"], p[name + ".norm.bias"], EPS))


def grouped(p, name, groups, x):
    """One product a group (bmm), then the shuffle, then a norm of each group by itself."""
    rows = x.shape[0]
    blocks = x.reshape(rows, groups, -1).transpose(0, 1)
    y = torch.bmm(blocks, p[name + ".weight"]) + p[name + ".bias"]
    y = y.permute(1, 2, 0).reshape(rows, groups, -1)
    y = F.layer_norm(y, y.shape[-1:], p[name + ".norm.weight"], p[name + ".norm.bias"], EPS)
    return F.gelu(y).reshape(rows, -1)


def unit(p, x):
    x = linear(p, "input", x)
    y = x
    for i, (groups, _, _) in enumerate(MAPS):
        y = grouped(p, f"map{i}", groups, y)
        following = MAPS[i + 1][0] if i + 1 < len(MAPS) else 1
        parts = [t.reshape(ROWS, following, -1) for t in (x, y)]
        y = torch.cat(parts, dim=-1).reshape(ROWS, -1)
    return linear(p, "output", y)


def named(p, value):
    """Under this project's layout: a grouped weight is (outputs, inputs of a group)."""
    result = {}
    for name, parameter in p.items():
        t = value(parameter)
        if t.dim() == 3:
            t = t.transpose(1, 2).reshape(-1, t.shape[1]) if name.endswith("weight") else t.reshape(1, -1)
        result[name] = t.reshape(1, -1) if t.dim() == 1 else t
    return result


def main():
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(5)
    p = {"x": drawn(generator, ROWS, WIDTH)}
    for name, inputs in (("input", WIDTH), ("output", PROJECTED + MAPS[-1][2])):
        p[name + ".weight"] = drawn(generator, PROJECTED, inputs)
        p[name + ".bias"] = drawn(generator, PROJECTED)
        with_norm(generator, name, p, PROJECTED)
    for i, (groups, inputs, outputs) in enumerate(MAPS):
        p[f"map{i}.weight"] = drawn(generator, groups, inputs // groups, outputs // groups)
        p[f"map{i}.bias"] = drawn(generator, groups, 1, outputs // groups)
        with_norm(generator, f"map{i}", p, outputs // groups)
    for parameter in p.values():
        parameter.requires_grad_()
    y = unit(p, p["x"])
    target = drawn(generator, *y.shape)
    ((y - target) ** 2).sum().backward()
    golden.write(
        __file__,
        {
            "eps": EPS,
            "groups": [groups for groups, _, _ in MAPS],
            "target": golden.tensor(target),
            "output": golden.tensor(y),
            "parameters": golden.tensors(named(p, lambda t: t)),
            "gradients": golden.tensors(named(p, lambda t: t.grad)),
        },
    )


if __name__ == "__main__":
    main()
