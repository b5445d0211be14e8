# SPDX-License-Identifier: GPL-3.0-or-later
"""A small random BERT as the transformers library saves and runs it.

Beside the numbers, the folder bert/ gets what save_pretrained writes (config.json, model.safetensors
in float32) and a vocab.txt, so that a test reads the files of another program. The hidden states are
computed in float64 from the same float32 weights.
"""

import string
from pathlib import Path

import torch
from transformers import BertConfig, BertModel, BertTokenizer

import golden

FOLDER = Path(__file__).with_name("bert")
WORDS = ["film", "great", "dull", "the", "ending", "was", "not", "bad"]
PIECES = ["##s", "##ing", "##ly", "##er", "##n", "##e"]
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
TOKENS = SPECIALS + WORDS + PIECES + list(string.ascii_lowercase) + list("0123456789.,!?'") + ["##d"]
TEXTS = ["The ending was not bad!", "Dully filmed, great filming.", "?"]


def random_model(config, generator):
    """Every parameter away from its usual first value: gains of 1 and biases of 0 would hide mistakes."""
    model = BertModel(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            drawn = torch.randn(parameter.shape, generator=generator)
            gain = name.endswith("LayerNorm.weight")
            parameter.copy_(1.0 + 0.2 * drawn if gain else 0.3 * drawn)
    return model.eval()


def main():
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(11)
    config = BertConfig(
        vocab_size=len(TOKENS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    model = random_model(config, generator)
    model.save_pretrained(FOLDER)
    vocabulary = FOLDER / "vocab.txt"
    vocabulary.write_text("".join(token + "\n" for token in TOKENS), encoding="utf-8")

    tokenizer = BertTokenizer(vocab=str(vocabulary))
    batch = tokenizer(TEXTS, padding=True, return_tensors="pt")
    with torch.no_grad():
        states = model.double()(**batch, output_hidden_states=True).hidden_states
    golden.write(
        __file__,
        {
            "texts": TEXTS,
            "ids": golden.tensor(batch["input_ids"]),
            "pad": golden.tensor(1 - batch["attention_mask"]),
            "hidden_states": [golden.tensor(s) for s in states],
        },
    )


if __name__ == "__main__":
    main()
