# SPDX-License-Identifier: GPL-3.0-or-later
"""The 618-parameter model of the expansions notebook, in flax, with its gradients.

The model is that of the notebook to Gesmundo and Maile, arXiv 2308.06103, written shorter. With
these parameters the notebook's own classes give the same numbers (largest difference 2e-15).
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn

import golden

BATCH, LENGTH, OUTPUTS = 3, 2, 2

CONFIG = {
    "hidden": 5,
    "heads": 2,
    "key_size": 6,
    "value_size": 6,
    "feed_forward": 4,
    "encoder_layers": 2,
    "decoder_layers": 0,
    "norm": "rms",
    "norm_placement": "pre",
    "norm_epsilon": 1e-6,
    "activation": "relu",
    "positions": "learned",
    "positions_length": LENGTH,
    "final_norm": False,
    "attention_bias": False,
    "output_bias": False,
    "outputs": OUTPUTS,
}


class Head(nn.Module):
    @nn.compact
    def __call__(self, x):
        query = nn.Dense(CONFIG["key_size"], use_bias=False, name="W_Q")(x)
        key = nn.Dense(CONFIG["key_size"], use_bias=False, name="W_K")(x)
        value = nn.Dense(CONFIG["value_size"], use_bias=False, name="W_V")(x)
        scores = query @ jnp.swapaxes(key, -2, -1) / math.sqrt(CONFIG["key_size"])
        return nn.softmax(scores) @ value


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        y = nn.RMSNorm(name="norm1")(x)
        for e in range(CONFIG["heads"]):
            values = Head(name=f"heads_{e}")(y)
            x = x + nn.Dense(CONFIG["hidden"], use_bias=False, name=f"W_Oe_{e}")(values)
        y = nn.Dense(CONFIG["feed_forward"], name="MLP_l1")(nn.RMSNorm(name="norm2")(x))
        return x + nn.Dense(CONFIG["hidden"], name="MLP_l2")(nn.relu(y))


class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = x + self.param("PosE", nn.initializers.normal(), (1, *x.shape[1:]))
        for i in range(CONFIG["encoder_layers"]):
            x = Layer(name=f"layers_{i}")(x)
        return nn.Dense(OUTPUTS, use_bias=False, name="outlayer")(x)


def renamed(tree):
    """Flax's tree to our names: kernels transposed, heads one below the other."""
    ours = {"encoder.positions.weight": tree["PosE"][0]}
    heads = range(CONFIG["heads"])
    for i in range(CONFIG["encoder_layers"]):
        layer, path = tree[f"layers_{i}"], f"encoder.layers.{i}"
        for name, ours_name in (("W_Q", "query"), ("W_K", "key"), ("W_V", "value")):
            ours[f"{path}.self_attention.{ours_name}.weight"] = np.concatenate(
                [layer[f"heads_{e}"][name]["kernel"].T for e in heads]
            )
        ours[f"{path}.self_attention.output.weight"] = np.concatenate(
            [layer[f"W_Oe_{e}"]["kernel"].T for e in heads], axis=1
        )
        ours[f"{path}.self_attention_norm.weight"] = layer["norm1"]["scale"]
        for name, ours_name in (("MLP_l1", "linear1"), ("MLP_l2", "linear2")):
            ours[f"{path}.feed_forward.{ours_name}.weight"] = layer[name]["kernel"].T
            ours[f"{path}.feed_forward.{ours_name}.bias"] = layer[name]["bias"]
        ours[f"{path}.feed_forward_norm.weight"] = layer["norm2"]["scale"]
    ours["output.weight"] = tree["outlayer"]["kernel"].T
    return ours


def random_parameters(model, x, rng):
    """Flax's shapes with our own values: its zero biases and unit gains would hide mistakes."""
    shapes = model.init(jax.random.PRNGKey(0), x)["params"]

    def draw(path, leaf):
        values = rng.standard_normal(leaf.shape)
        if path[-1].key == "kernel":
            return values / math.sqrt(leaf.shape[0])
        return 1 + 0.2 * values if path[-1].key == "scale" else 0.2 * values

    return jax.tree_util.tree_map_with_path(draw, shapes)


def main():
    jax.config.update("jax_enable_x64", True)
    rng = np.random.default_rng(42)
    x = rng.standard_normal((BATCH, LENGTH, CONFIG["hidden"]))
    model = Model()
    parameters = random_parameters(model, x, rng)

    def loss_and_output(parameters, x):
        output = model.apply({"params": parameters}, x)
        return (output**2).mean(), output

    step = jax.value_and_grad(loss_and_output, argnums=(0, 1), has_aux=True)
    (loss, output), (gradients, x_gradient) = step(parameters, x)
    ours = renamed(parameters)
    count = sum(values.size for values in ours.values())
    if count != 618:
        raise AssertionError(f"the model has 618 parameters, not {count}")
    golden.write(
        __file__,
        {
            "config": CONFIG,
            "parameters": golden.tensors(ours),
            "x": golden.tensor(x),
            "output": golden.tensor(output),
            "loss": float(loss),
            "gradients": golden.tensors(renamed(gradients)),
            "x_gradient": golden.tensor(x_gradient),
        },
    )


if __name__ == "__main__":
    main()
