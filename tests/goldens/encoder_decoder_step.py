# SPDX-License-Identifier: GPL-3.0-or-later
"""The rot13 encoder-decoder of 4,665 parameters: one step in full, then thirty short ones."""

import math

import torch
import torch.nn.functional as F

import golden
from plain_transformer import PlainTransformer, random_parameters

START, PAD = 26, 27
LENGTH = 15

CONFIG = {
    "vocabulary": 28,
    "hidden": 8,
    "heads": 7,
    "key_size": 5,
    "value_size": 5,
    "feed_forward": 5,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "norm": "layer",
    "norm_placement": "post",
    "norm_epsilon": 1e-6,
    "activation": "relu",
    "positions": "sinusoidal",
    "embedding_scale": math.sqrt(8),
    "final_norm": False,
    "tied_output": False,
    "output_bias": True,
}


def batch(size, generator):
    """Random words of 1 to 14 letters, their rot13, and the decoder's input."""
    letters = torch.randint(0, 26, (size, LENGTH), generator=generator)
    lengths = torch.randint(1, LENGTH, (size, 1), generator=generator)
    pad = torch.arange(LENGTH)[None] >= lengths
    labels = ((letters + 13) % 26).masked_fill(pad, PAD)
    target = torch.cat([torch.full((size, 1), START), labels[:, :-1]], dim=1)
    return {
        "source": letters.masked_fill(pad, PAD),
        "source_pad": pad,
        "target": target,
        "labels": labels,
    }


def losses_by_position(model, data):
    logits = model.logits(data["target"], data["source"], data["source_pad"])
    losses = F.cross_entropy(logits.flatten(0, 1), data["labels"].flatten(), reduction="none")
    return logits, losses.reshape(data["labels"].shape)


def global_norm(gradients):
    return math.sqrt(sum((g * g).sum().item() for g in gradients))


def one_step(parameters, data):
    model = PlainTransformer(CONFIG, parameters)
    logits, losses = losses_by_position(model, data)
    # The first pad ends the word and counts; later pads do not.
    weights = ((data["labels"] == PAD).cumsum(1) <= 1).double()
    first_pad_loss = (losses * weights).sum() / weights.sum()
    first_pad_norm = global_norm(
        torch.autograd.grad(first_pad_loss, list(parameters.values()), retain_graph=True)
    )
    gradients = model.gradients(losses.mean())
    return {
        "batch": golden.tensors(data),
        "logits": golden.tensor(logits),
        "loss": losses.mean().item(),
        "gradients": golden.tensors(gradients),
        "gradient_norm": global_norm(gradients.values()),
        "first_pad": {
            "label_weights": golden.tensor(weights),
            "loss": first_pad_loss.item(),
            "gradient_norm": first_pad_norm,
        },
        "probabilities_of_first_two": golden.tensors(
            {path: values[:2] for path, values in model.probabilities.items()}
        ),
    }


def training(parameters, batches, make_optimizer, clip=None):
    """Losses and gradient norms, each before its update; the norms before clipping."""
    parameters = {n: p.detach().clone().requires_grad_() for n, p in parameters.items()}
    optimizer = make_optimizer(list(parameters.values()))
    model = PlainTransformer(CONFIG, parameters)
    losses, norms = [], []
    for data in batches:
        loss = losses_by_position(model, data)[1].mean()
        gradients = model.gradients(loss)
        norm = global_norm(gradients.values())
        # optax's rule. torch's clip_grad_norm_ divides by norm + 1e-6 and differs in digit 7.
        scale = clip / norm if clip is not None and norm > clip else 1.0
        for name, parameter in parameters.items():
            parameter.grad = gradients[name] * scale
        optimizer.step()
        losses.append(loss.item())
        norms.append(norm)
    return {"losses": losses, "gradient_norms": norms}


def main():
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(13)
    parameters = random_parameters(CONFIG, generator)
    count = sum(p.numel() for p in parameters.values())
    if count != 4665:
        raise AssertionError(f"the rot13 model has 4,665 parameters, not {count}")
    data = batch(8, generator)
    batches = [batch(50, generator) for _ in range(10)]

    def run(name, make, clip=None, **settings):
        return {
            "optimizer": name,
            "clip": clip,
            **settings,
            **training(parameters, batches, lambda p: make(p, **settings), clip),
        }

    golden.write(
        __file__,
        {
            "config": CONFIG,
            "parameters": golden.tensors(parameters),
            "step": one_step(parameters, data),
            "training": {
                "batches": [golden.tensors(b) for b in batches],
                "runs": [
                    run("sgd", torch.optim.SGD, clip=1.0, lr=0.5),
                    run("adam", torch.optim.Adam, lr=1e-2),
                    run("adamw", torch.optim.AdamW, lr=1e-2, weight_decay=0.1),
                ],
            },
        },
    )


if __name__ == "__main__":
    main()
