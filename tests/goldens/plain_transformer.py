# SPDX-License-Identifier: GPL-3.0-or-later
"""A transformer in plain torch, free in all its sizes, over parameters under the project's names.

Every size is its own number (heads * key_size need not be hidden), which torch.nn cannot express.
`anchors.py` compares it with torch.nn and with flax where they can.
"""

import math

import torch


def sinusoid(length, hidden):
    """Fixed positions: (length x hidden), sine in the even columns and cosine in the odd ones."""
    rates = 10000.0 ** (-torch.arange(0, hidden, 2, dtype=torch.float64) / hidden)
    angles = torch.arange(length, dtype=torch.float64)[:, None] * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(length, hidden)


def causal_mask(length):
    """(length x length), true where a position may not look."""
    return torch.ones(length, length).triu(1).bool()


def parameter_shapes(config):
    """Names and shapes of all parameters, in PyTorch's (out, in) layout."""
    c = config
    hidden = c["hidden"]
    shapes = {}

    def linear(path, outputs, inputs, bias=True):
        shapes[f"{path}.weight"] = (outputs, inputs)
        if bias:
            shapes[f"{path}.bias"] = (outputs,)

    def norm(path):
        shapes[f"{path}.weight"] = (hidden,)
        if c["norm"] == "layer":
            shapes[f"{path}.bias"] = (hidden,)

    def attention(path):
        linear(f"{path}.query", c["heads"] * c["key_size"], hidden)
        linear(f"{path}.key", c["heads"] * c["key_size"], hidden)
        linear(f"{path}.value", c["heads"] * c["value_size"], hidden)
        linear(f"{path}.output", hidden, c["heads"] * c["value_size"])
        norm(f"{path}_norm")

    for stack in ("encoder", "decoder"):
        if c[f"{stack}_layers"] == 0:
            continue
        shapes[f"{stack}.embedding.weight"] = (c["vocabulary"], hidden)
        if c["positions"] == "learned":
            shapes[f"{stack}.positions.weight"] = (c["positions_length"], hidden)
        for i in range(c[f"{stack}_layers"]):
            layer = f"{stack}.layers.{i}"
            attention(f"{layer}.self_attention")
            if stack == "decoder" and c["encoder_layers"] > 0:
                attention(f"{layer}.cross_attention")
            linear(f"{layer}.feed_forward.linear1", c["feed_forward"], hidden)
            linear(f"{layer}.feed_forward.linear2", hidden, c["feed_forward"])
            norm(f"{layer}.feed_forward_norm")
        if c["final_norm"]:
            norm(f"{stack}.final_norm")
    if not c["tied_output"]:
        linear("output", c["vocabulary"], hidden, c["output_bias"])
    return shapes


def random_parameters(config, generator):
    """Random values for all parameters, none of them 0 or 1, so that no term can hide."""
    parameters = {}
    for name, shape in parameter_shapes(config).items():
        values = torch.randn(shape, generator=generator, dtype=torch.float64)
        if len(shape) == 2:
            values = values / math.sqrt(shape[1])
        elif name.endswith("norm.weight"):
            values = 1 + 0.2 * values
        else:
            values = 0.2 * values
        parameters[name] = values.requires_grad_()
    return parameters


class PlainTransformer:
    """Decoder-only or encoder-decoder; keeps the attention probabilities of its last run."""

    def __init__(self, config, parameters):
        self.config = config
        self.parameters = parameters
        self.probabilities = {}

    def logits(self, target, source=None, source_pad=None):
        """(batch x target length x vocabulary) from token ids; source_pad is true at padding."""
        memory, blocked = None, None
        if source is not None:
            blocked = source_pad[:, None, None, :]
            memory = self._stack("encoder", self._embed("encoder", source), blocked)
        x = self._embed("decoder", target)
        x = self._stack("decoder", x, causal_mask(target.shape[1]), memory, blocked)
        if self.config["tied_output"]:
            return x @ self.parameters["decoder.embedding.weight"].T
        return self._linear("output", x)

    def gradients(self, loss):
        """The gradient of a loss by parameter name."""
        values = torch.autograd.grad(loss, list(self.parameters.values()))
        return dict(zip(self.parameters, values))

    def _embed(self, stack, tokens):
        x = self.parameters[f"{stack}.embedding.weight"][tokens] * self.config["embedding_scale"]
        if self.config["positions"] == "learned":
            return x + self.parameters[f"{stack}.positions.weight"][: tokens.shape[1]]
        return x + sinusoid(tokens.shape[1], self.config["hidden"])

    def _stack(self, stack, x, blocked, memory=None, memory_blocked=None):
        for i in range(self.config[f"{stack}_layers"]):
            layer = f"{stack}.layers.{i}"
            x = self._residual(
                f"{layer}.self_attention", x, lambda path, y: self._attention(path, y, y, blocked)
            )
            if memory is not None:
                x = self._residual(
                    f"{layer}.cross_attention",
                    x,
                    lambda path, y: self._attention(path, y, memory, memory_blocked),
                )
            x = self._residual(f"{layer}.feed_forward", x, self._feed_forward)
        return self._norm(f"{stack}.final_norm", x) if self.config["final_norm"] else x

    def _residual(self, path, x, branch):
        if self.config["norm_placement"] == "pre":
            return x + branch(path, self._norm(f"{path}_norm", x))
        return self._norm(f"{path}_norm", x + branch(path, x))

    def _attention(self, path, x, memory, blocked):
        def heads(name, y):
            y = self._linear(f"{path}.{name}", y)
            return y.unflatten(-1, (self.config["heads"], -1)).transpose(1, 2)

        query, key, value = heads("query", x), heads("key", memory), heads("value", memory)
        scores = query @ key.transpose(-1, -2) / math.sqrt(self.config["key_size"])
        probabilities = (scores - 10000.0 * blocked).softmax(-1)
        self.probabilities[path] = probabilities
        return self._linear(f"{path}.output", (probabilities @ value).transpose(1, 2).flatten(2))

    def _feed_forward(self, path, x):
        x = self._linear(f"{path}.linear1", x)
        return self._linear(f"{path}.linear2", self._activation(x))

    def _activation(self, x):
        name = self.config["activation"]
        if name == "relu":
            return x.clamp(min=0)
        if name == "gelu":
            return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))
        if name == "silu":
            return x / (1 + torch.exp(-x))
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))

    def _norm(self, path, x):
        gain = self.parameters[f"{path}.weight"]
        epsilon = self.config["norm_epsilon"]
        if self.config["norm"] == "rms":
            return x / torch.sqrt((x * x).mean(-1, keepdim=True) + epsilon) * gain
        x = x - x.mean(-1, keepdim=True)
        x = x / torch.sqrt((x * x).mean(-1, keepdim=True) + epsilon)
        return x * gain + self.parameters[f"{path}.bias"]

    def _linear(self, path, x):
        y = x @ self.parameters[f"{path}.weight"].T
        bias = self.parameters.get(f"{path}.bias")
        return y if bias is None else y + bias
