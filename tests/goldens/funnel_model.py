# SPDX-License-Identifier: GPL-3.0-or-later
"""Small random Funnel-Transformers as the transformers library saves and runs them.

The folder funnel/ is a FunnelModel, with decoder and repeated layers, funnel_base/ a FunnelBaseModel
that chooses otherwise wherever the library has a choice. As with bert/, the files are what
save_pretrained wrote (float32); hidden states and probabilities are computed in float64 from the
same weights.
"""

import string
from pathlib import Path

import torch
from transformers import FunnelBaseModel, FunnelConfig, FunnelModel

import golden

VOCABULARY, LENGTH = 23, 11
SIZES = dict(vocab_size=VOCABULARY, d_model=12, n_head=2, d_head=5, d_inner=20)
MODELS = {
    "funnel": (
        FunnelModel,
        dict(block_sizes=[2, 1, 1], block_repeats=[1, 2, 1], num_decoder_layers=2),
    ),
    "funnel_base": (
        FunnelBaseModel,
        dict(
            block_sizes=[1, 2],
            pooling_type="max",
            separate_cls=False,
            truncate_seq=False,
            pool_q_only=False,
            hidden_act="gelu",
            layer_norm_eps=1e-6,
        ),
    ),
}


TOKENS = ["<pad>", "<unk>", "<cls>", "<sep>", "<mask>", *string.ascii_lowercase[: VOCABULARY - 5]]


def randomize(model, generator):
    """Every parameter away from its usual first value: gains of 1 and biases of 0 would hide mistakes."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            drawn = torch.randn(parameter.shape, generator=generator)
            gain = name.endswith("norm.weight")
            parameter.copy_(1.0 + 0.2 * drawn if gain else 0.3 * drawn)
    return model.eval()


def run(folder, kind, choices, generator):
    model = randomize(kind(FunnelConfig(**SIZES, **choices)), generator)
    files = Path(__file__).with_name(folder)
    model.save_pretrained(files)
    vocabulary = "".join(token + "\n" for token in TOKENS)
    (files / "vocab.txt").write_text(vocabulary, encoding="utf-8")
    ids = torch.randint(VOCABULARY, (2, LENGTH), generator=generator)
    mask = torch.ones(2, LENGTH)
    mask[1, 6:] = 0
    with torch.no_grad():
        out = model.double()(
            ids, attention_mask=mask, output_hidden_states=True, output_attentions=True
        )
    return {
        "ids": golden.tensor(ids),
        "pad": golden.tensor((1 - mask).long()),
        "hidden_states": [golden.tensor(s) for s in out.hidden_states],
        "probabilities": [golden.tensor(p) for p in out.attentions],
    }


def main():
    torch.set_num_threads(1)
    # The library rounds scores to float32 on their way; not here.
    torch.Tensor.float = lambda self: self
    generator = torch.Generator().manual_seed(17)
    golden.write(
        __file__,
        {name: run(name, kind, choices, generator) for name, (kind, choices) in MODELS.items()},
    )


if __name__ == "__main__":
    main()
