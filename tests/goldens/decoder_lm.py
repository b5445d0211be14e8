# SPDX-License-Identifier: GPL-3.0-or-later
"""Two decoder-only language models: the usual one, and one that is unusual in every choice."""

import math

import torch
import torch.nn.functional as F

import golden
from plain_transformer import PlainTransformer, random_parameters

BATCH, LENGTH, VOCABULARY = 3, 7, 11

SIZES = {
    "vocabulary": VOCABULARY,
    "hidden": 12,
    "heads": 3,
    "feed_forward": 20,
    "encoder_layers": 0,
    "decoder_layers": 2,
}

CONFIGS = {
    "pre-norm, LayerNorm, GELU, learned positions, tied output": SIZES
    | {
        "key_size": 4,
        "value_size": 4,
        "norm": "layer",
        "norm_placement": "pre",
        "norm_epsilon": 1e-5,
        "activation": "gelu",
        "positions": "learned",
        "positions_length": 9,
        "embedding_scale": 1.0,
        "final_norm": True,
        "tied_output": True,
        "output_bias": False,
    },
    "post-norm, RMSNorm, tanh GELU, sinusoidal positions, free head sizes": SIZES
    | {
        "key_size": 3,
        "value_size": 5,
        "norm": "rms",
        "norm_placement": "post",
        "norm_epsilon": 1e-6,
        "activation": "gelu_tanh",
        "positions": "sinusoidal",
        "embedding_scale": math.sqrt(12),
        "final_norm": False,
        "tied_output": False,
        "output_bias": True,
    },
}


def case(name, config, generator):
    parameters = random_parameters(config, generator)
    tokens = torch.randint(0, VOCABULARY, (BATCH, LENGTH + 1), generator=generator)
    target, labels = tokens[:, :-1], tokens[:, 1:]
    model = PlainTransformer(config, parameters)
    logits = model.logits(target)
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
    return {
        "name": name,
        "config": config,
        "parameters": golden.tensors(parameters),
        "batch": golden.tensors({"target": target, "labels": labels}),
        "logits": golden.tensor(logits),
        "loss": loss.item(),
        "gradients": golden.tensors(model.gradients(loss)),
        "probabilities": golden.tensors(model.probabilities),
    }


def main():
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(7)
    cases = [case(name, config, generator) for name, config in CONFIGS.items()]
    golden.write(__file__, {"cases": cases})


if __name__ == "__main__":
    main()
