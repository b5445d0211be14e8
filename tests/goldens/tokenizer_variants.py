# SPDX-License-Identifier: GPL-3.0-or-later
"""What the transformers library reads with tokenizers of other settings than uncased BERT's.

Each case is a folder as the library writes it, or as earlier releases wrote it, and the ids that it
gives for some texts. The vocabulary is small and knows both cases, accents and ideographs.
"""

import json
import tempfile
from pathlib import Path

from tokenizers import AddedToken
from transformers import AutoTokenizer, BertTokenizer, FunnelTokenizer

import golden

SPECIALS = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = """the The film Film café cafe Café Cafe ål al Ål ##s ##S ##é ##e i I ##stanbul i̇ istanbul
İstanbul 史 記 史記 ##記 a A ##a ! ' , . [ ] < > mask MASK new ##tok tok ent ENT { } 5 + ο ##σ σ ##ς"""
TOKENS = SPECIALS + list(dict.fromkeys(WORDS.split()))
SIZE = len(TOKENS) + 6

TEXTS = [
    "The café ål",
    "THE CAFÉ ÅL cafe\u0301s Cafés",
    "the [MASK] film",
    "[mask]film[MASK]s[SEP]the [CLS] [PAD] [UNK]",
    "史記 the史film 史",
    "İstanbul i̇stanbul istanbul ISTANBUL",
    "NewTok newtok NEWTOKS tok",
    "<ENT>the <ent> {café史} {Café史}",
    "aaaaaa aaaaaaa 5+5!",
    "a\u200bl\u0000\ufffd\u3000The\u00a0film\u2028Film",
    "<mask> <s>the</s> <cls>",
    "ΟΣ οσ ος",
]


def write(folder, name, content):
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    (folder / name).write_text(text, encoding="utf-8")


def saved(tokenizer, *changes):
    """A folder as save_pretrained() writes it, then changed."""

    def make(folder):
        tokenizer.save_pretrained(folder)
        for name, change in changes:
            content = json.loads((folder / name).read_text(encoding="utf-8"))
            change(content)
            write(folder, name, content)

    return make


def earlier(tokenizer_config, **others):
    """A folder with a vocab.txt and settings beside it, as releases before 5 wrote it."""

    def make(folder):
        write(folder, "vocab.txt", "".join(token + "\n" for token in TOKENS))
        if tokenizer_config is not None:
            write(folder, "tokenizer_config.json", {"tokenizer_class": "BertTokenizer"} | tokenizer_config)
        for name, content in others.items():
            write(folder, name + ".json", content)

    return make


def vocabulary():
    return {token: id for id, token in enumerate(TOKENS)}


def bert(**arguments):
    return BertTokenizer(vocab=vocabulary(), **arguments)


def with_added_tokens():
    tokenizer = bert()
    tokenizer.add_tokens(["NewTok", AddedToken("Café史", normalized=True)])
    tokenizer.add_special_tokens({"additional_special_tokens": ["<ENT>"]})
    return tokenizer


def generic(tokenizer_config):
    tokenizer_config["tokenizer_class"] = "PreTrainedTokenizerFast"
    for name in ("do_lower_case", "strip_accents", "tokenize_chinese_chars"):
        del tokenizer_config[name]


def short_words(tokenizer):
    tokenizer["model"]["max_input_chars_per_word"] = 6


def bert_processing(tokenizer):
    ids = vocabulary()
    tokenizer["post_processor"] = {
        "type": "BertProcessing",
        "sep": ["[SEP]", ids["[SEP]"]],
        "cls": ["[CLS]", ids["[CLS]"]],
    }


def decoder(token, special=True):
    return {
        "content": token,
        "lstrip": False,
        "normalized": not special,
        "rstrip": False,
        "single_word": False,
        "special": special,
    }


def funnel():
    renamed = {"[PAD]": "<pad>", "[UNK]": "<unk>", "[CLS]": "<cls>", "[SEP]": "<sep>", "[MASK]": "<mask>"}
    ids = {renamed.get(token, token): id for token, id in vocabulary().items()}
    return FunnelTokenizer(vocab=ids)


CASES = [
    ("vocab.txt alone", earlier(None)),
    ("accents stay", earlier({"do_lower_case": True, "strip_accents": False})),
    ("case stays, accents go", earlier({"do_lower_case": False, "strip_accents": True})),
    ("cased", earlier({"do_lower_case": False, "strip_accents": None, "model_max_length": 512})),
    ("ideographs stay together", earlier({"tokenize_chinese_chars": False})),
    (
        "as releases of 4 wrote it",
        earlier(
            {
                "added_tokens_decoder": {
                    str(id): decoder(token)
                    for id, token in [*enumerate(TOKENS[:6]), (len(TOKENS) + 1, "<ENT>")]
                    if token != "[unused0]"
                }
                | {str(len(TOKENS)): decoder("NewTok", False)},
                "additional_special_tokens": ["<ENT>"],
                "clean_up_tokenization_spaces": True,
                "cls_token": "[CLS]",
                "do_basic_tokenize": True,
                "do_lower_case": True,
                "mask_token": "[MASK]",
                "model_max_length": 512,
                "never_split": None,
                "pad_token": "[PAD]",
                "sep_token": "[SEP]",
                "strip_accents": None,
                "tokenize_chinese_chars": True,
                "unk_token": "[UNK]",
            },
            added_tokens={"NewTok": len(TOKENS), "<ENT>": len(TOKENS) + 1},
            special_tokens_map={
                "additional_special_tokens": ["<ENT>"],
                "cls_token": "[CLS]",
                "mask_token": decoder("[MASK]"),
                "pad_token": "[PAD]",
                "sep_token": "[SEP]",
                "unk_token": "[UNK]",
            },
        ),
    ),
    ("tokenizer.json alone", saved(bert())),
    ("tokenizer.json, cased", saved(bert(do_lower_case=False))),
    ("tokenizer.json, accents stay", saved(bert(strip_accents=False))),
    ("tokenizer.json, no ideographs", saved(bert(tokenize_chinese_chars=False))),
    ("added tokens", saved(with_added_tokens())),
    (
        "a file that decides alone",
        saved(
            bert(do_lower_case=False),
            ("tokenizer_config.json", generic),
            ("tokenizer.json", short_words),
            ("tokenizer.json", bert_processing),
        ),
    ),
    ("Funnel", saved(funnel())),
]


def main():
    cases = []
    for name, make in CASES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            make(folder)
            if name == "vocab.txt alone":
                tokenizer = BertTokenizer.from_pretrained(folder)
            else:
                tokenizer = AutoTokenizer.from_pretrained(folder)
            ids = [tokenizer(text)["input_ids"] for text in TEXTS]
            files = {
                file.name: file.read_text(encoding="utf-8") for file in sorted(folder.iterdir())
            }
        cases.append({"name": name, "funnel": name == "Funnel", "files": files, "ids": ids})
    golden.write(__file__, {"vocabulary_size": SIZE, "texts": TEXTS, "cases": cases})


if __name__ == "__main__":
    main()
