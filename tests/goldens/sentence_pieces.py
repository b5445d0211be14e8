# SPDX-License-Identifier: GPL-3.0-or-later
"""Small models that Google's SentencePiece (0.2) learned, and the ids that it gives for some texts.

    python3 tests/goldens/sentence_pieces.py

sentence_pieces/NAME.model, and for each of them in sentence_pieces.json: texts, ids, and the texts that the ids give (null:
with an unknown token, which is shown otherwise).
"""

import io
import pathlib
import random
import tempfile

import sentencepiece as sp

import golden

WORDS = ("the a picture shows model learns tokens attention heads layers weights Über straße naïve café 12 345 2026 "
         "hello world growing grown grows small smaller smallest ﬁnd ① 東京 日本 русский").split()
KINDS = {
    "unigram": dict(model_type="unigram", vocab_size=120, normalization_rule_name="identity"),
    "bpe": dict(model_type="bpe", vocab_size=420, byte_fallback=True, normalization_rule_name="identity",
                remove_extra_whitespaces=False),
    "rewriting": dict(model_type="unigram", vocab_size=110, rules="2460\t31\nfb01\t66 69\n3000\t20\n"),
    "bare": dict(model_type="bpe", vocab_size=130, normalization_rule_name="identity", add_dummy_prefix=False),
}
TEXTS = ["the picture shows", "  the   smallest  straße ", "Über 東京 ① ﬁnd", "hello\nworld\thello", "x z q ж 🙂",
         "a", " ", "日本語", "12345 2026", "the　model", "naïvecafé attentionheads"]


def main():
    folder = pathlib.Path(__file__).parent / "sentence_pieces"
    folder.mkdir(exist_ok=True)
    draw = random.Random(1)
    lines = [" ".join(draw.choices(WORDS, k=6)) for _ in range(400)]
    texts = TEXTS + ["".join(draw.choices(WORDS + [" ", "  ", "-", "é"], k=8)) for _ in range(60)]
    result = {}
    for name, settings in KINDS.items():
        settings = dict(settings)
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as rules:
            if "rules" in settings:
                rules.write(settings.pop("rules"))
                rules.flush()
                settings["normalization_rule_tsv"] = rules.name
            model = io.BytesIO()
            sp.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=model, minloglevel=2,
                                          hard_vocab_limit=False, character_coverage=1.0, **settings)
        (folder / f"{name}.model").write_bytes(model.getvalue())
        processor = sp.SentencePieceProcessor(model_proto=model.getvalue())
        ids = [processor.encode(text) for text in texts]
        result[name] = {"texts": texts, "ids": ids, "decoded": [None if processor.unk_id() in i else processor.decode(i) for i in ids]}
    golden.write(pathlib.Path(__file__).parent / "sentence_pieces", result)


if __name__ == "__main__":
    main()
