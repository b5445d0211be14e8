# SPDX-License-Identifier: GPL-3.0-or-later
"""Relative attention of the transformers library's Funnel-Transformer, before and after pooling.

Each case is one FunnelRelMultiheadAttention with its residual and norm: the output, the
probabilities and the gradients of sum (y - target)^2. Both of the library's ways to compute the
scores of positions give the same.
"""

import torch
from transformers import FunnelConfig
from transformers.models.funnel import modeling_funnel as funnel

import golden

BATCH, LENGTH, HIDDEN, HEADS, HEAD_SIZE = 2, 9, 6, 2, 4
# block: of the layer; pooled: it is the first one of its block
CASES = [
    dict(block=0, pooled=False),
    dict(block=1, pooled=True),
    dict(block=1, pooled=True, truncate_seq=False, pooling_type="max"),
    dict(block=2, pooled=True, pooling_type="max"),
    dict(block=1, pooled=False),
    dict(block=1, pooled=True, pool_q_only=False),
    dict(block=0, pooled=False, separate_cls=False),
    dict(block=1, pooled=True, separate_cls=False),
    dict(block=2, pooled=True, separate_cls=False, truncate_seq=False),
]


def drawn(generator, *shape):
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def attention_of(config, block, generator):
    layer = funnel.FunnelRelMultiheadAttention(config, block).double().eval()
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            values = 0.6 * drawn(generator, *parameter.shape)
            parameter.copy_(1.0 + values if name == "layer_norm.weight" else values)
    return layer


def inputs_of(config, case, mask, segments, x):
    """Queries, keys and what the attention knows of their positions. x: as long as the keys before
    pooling, or None to be told its length."""
    structure = funnel.FunnelAttentionStructure(config).eval()
    hidden = torch.zeros(BATCH, LENGTH, HIDDEN, dtype=torch.float64)
    known = structure.init_attention_inputs(hidden, mask, segments)
    for _ in range(case["block"] - (1 if case["pooled"] else 0)):
        hidden, known = structure.pre_attention_pooling(hidden, known)
        known = structure.post_attention_pooling(known)
    if x is None:
        return hidden.shape[1]
    if not case["pooled"]:
        return x, x, known
    query, known = structure.pre_attention_pooling(x, known)
    return query, x if config.pool_q_only else query, known


def named(layer, value):
    """Parameters, or their gradients, under this project's names."""
    flat = {name: value(p) for name, p in layer.named_parameters()}
    row = lambda name: flat[name].reshape(1, -1)
    return {
        "query.weight": flat["q_head.weight"],
        "key.weight": flat["k_head.weight"],
        "key.bias": row("k_head.bias"),
        "value.weight": flat["v_head.weight"],
        "value.bias": row("v_head.bias"),
        "content.bias": row("r_w_bias"),
        "position.bias": row("r_r_bias"),
        "position.weight": flat["r_kernel"].reshape(HIDDEN, -1).T,
        "segment.bias": row("r_s_bias"),
        "segment.embedding": flat["seg_embed"].reshape(2, -1),
        "output.weight": flat["post_proj.weight"],
        "output.bias": row("post_proj.bias"),
        "norm.weight": row("layer_norm.weight"),
        "norm.bias": row("layer_norm.bias"),
    }


def run(case, kind, seed):
    generator = torch.Generator().manual_seed(seed)
    options = {k: v for k, v in case.items() if k not in ("block", "pooled")}
    config = FunnelConfig(
        vocab_size=5,
        block_sizes=[1, 1, 1],
        d_model=HIDDEN,
        n_head=HEADS,
        d_head=HEAD_SIZE,
        attention_type=kind,
        **options,
    )
    layer = attention_of(config, case["block"], generator)
    pad = torch.zeros(BATCH, LENGTH, dtype=torch.float64)
    pad[1, 6:] = 1
    segments = torch.tensor([[2, 0, 0, 0, 1, 1, 1, 1, 1], [2, 0, 1, 1, 0, 0, 0, 0, 0]])
    length = inputs_of(config, case, 1 - pad, segments, None)
    x = drawn(generator, BATCH, length, HIDDEN).requires_grad_()
    query, key, known = inputs_of(config, case, 1 - pad, segments, x)
    y, probabilities = layer(query, key, key, known, output_attentions=True)
    target = drawn(generator, *y.shape)
    ((y - target) ** 2).sum().backward()
    flat = lambda t: t.reshape(-1, t.shape[-1])
    return {
        "block": case["block"],
        "pooled": case["pooled"],
        "separate_cls": config.separate_cls,
        "truncate": config.truncate_seq,
        "maximum": config.pooling_type == "max",
        "queries_only": config.pool_q_only,
        "pad": golden.tensor(pad.long()),
        "segments": golden.tensor(segments),
        "target": golden.tensor(flat(target)),
        "output": golden.tensor(flat(y)),
        "probabilities": golden.tensor(flat(probabilities)),
        "parameters": golden.tensors({"x": flat(x), **named(layer, lambda p: p)}),
        "gradients": golden.tensors({"x": flat(x.grad), **named(layer, lambda p: p.grad)}),
    }


def numbers(found):
    for value in found.values():
        if isinstance(value, dict):
            yield from value["values"] if "values" in value else numbers(value)


def main():
    torch.set_num_threads(1)
    # The library rounds scores to float32 on their way; not here.
    torch.Tensor.float = lambda self: self
    cases = []
    for seed, case in enumerate(CASES):
        shifted = run(case, "relative_shift", seed)
        factorized = run(case, "factorized", seed)
        worst = max(abs(a - b) for a, b in zip(numbers(shifted), numbers(factorized), strict=True))
        assert worst < 1e-11, f"case {seed}: the two ways differ by {worst}"
        cases.append(shifted)
    golden.write(
        __file__,
        {
            "batch": BATCH,
            "length": LENGTH,
            "heads": HEADS,
            "head_size": HEAD_SIZE,
            "norm_eps": FunnelConfig().layer_norm_eps,
            "cases": cases,
        },
    )


if __name__ == "__main__":
    main()
