# SPDX-License-Identifier: GPL-3.0-or-later
"""BERT's words and pieces from Hugging Face's tokenizers and transformers, cleaned reviews, a
learned vocabulary.

    python3 tests/goldens/tokenizer.py VOCAB

VOCAB is the vocab.txt of uncased BERT (30,522 lines). Of it only the tokens that the texts need are
kept, with their ids: a longer piece that is missing cannot be chosen, so the pieces stay the same.
"""

import re
import sys
import unicodedata
from collections import Counter

from tokenizers import BertWordPieceTokenizer
from transformers import BertTokenizer

import golden

CLEAN = [
    "This movie wasn't GREAT...<br />I don't recommend it!",
    "  <br /><br />Two  lines\tand\na\u00a0gap\u2028end.  ",
    "<BR />upper, <br/>not this, 10/10; ÉTÉ caf\u00e9 \u212a\u0130 na\u00efve\u3000日本x\x1cy\x85z.",
    "a<br <br />/>b < br /> c\x0bd\x00e",
    "!?",
    "",
]

TEXTS = [
    "unaffable embeddings transformarium",
    "The quick brown fox can't jump over $5 worth of lazy-dogs... (really?)",
    "\tWhite \n space\r\nof\u00a0every\u2003kind\u3000and\u2028more ",
    "con\x01trol\x7f cha\u200brac\u00adters\ufeff\ufffd \x0bvanish\x00ed",
    "Ünïcödé ÉTÉ e\u0301t\u00e9 \u212bngstr\u00f6m Vi\u1ec7t \u0130stanbul stra\u00dfe \u00f8re",
    "ah\u535a\u63a8zz 日本語 \uf900\u4dbf\u9fff\U00020000\U0002a6df\U0002f800",
    "\u3072\u3089\u304c\u306a \ud55c\uad6d\uc5b4 \u0915\u0941 \u0915\u093e",
    "\u039f\u0394\u039f\u03a3 \u03c3\u03c2 \u041c\u041e\u0421\u041a\u0412\u0410 \u0419",
    "\u00bfqu\u00e9? \u201cquoted\u201d\u2014dash\u2026 \u20ac5 a_b c^d `e` ~f~ g|h 1+1=2 @me #tag",
    "a" * 100 + " " + "a" * 101 + " " + "\u00e9" * 100 + " " + "\u00e9" * 101,
    "zzyzx xyzzyxyzzy supercalifragilisticexpialidocious \U0001f600",
    "2,000,000 U.S.A. e-mail: someone@example.org http://x.y/z?a=b&c",
    "\ue000first mid\uf8ffdle last\ue123 \U000f0000 \U0010fffd\ue000",
    "\u039f\u0394\u039f\u03a3. \u0391\u03a3'\u0391\u03a3 \u03a3 \u03a3\u0391\u03a3\ue000 \u03a3\u0301",
    "[hello] [CLS [ SEP] ++ --",
    "",
]

LEARNING = """Shall I compare thee to a summer's day? Thou art more lovely and more temperate:
Rough winds do shake the darling buds of May, and summer's lease hath all too short a date;
Sometime too hot the eye of heaven shines, and often is his gold complexion dimm'd;
And every fair from fair sometime declines, by chance or nature's changing course untrimm'd;
But thy eternal summer shall not fade, nor lose possession of that fair thou ow'st;
Nor shall death brag thou wander'st in his shade, when in eternal lines to time thou grow'st:
So long as men can breathe or eyes can see, so long lives this, and this gives life to thee.
Banana aaaa aaa bananas \u00c9t\u00e9 日本 abc abc bc xbc xa xab"""


def is_punctuation(c):
    ascii_symbol = c.isascii() and c.isprintable() and not c.isalnum() and c != " "
    return ascii_symbol or unicodedata.category(c).startswith("P")


def is_ideograph(c):
    ranges = (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF)
    more = (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0x2F800, 0x2FA1F)
    return any(first <= ord(c) <= last for first, last in ranges + more)


def basic_words(text):
    """BERT's basic rules in plain Python; lower case one code point at a time, as in `tokenizers`."""
    kept = ""
    for c in text:
        if c in "\t\n\r" or unicodedata.category(c) in ("Zs", "Zl", "Zp"):
            kept += " "
        elif c != "\ufffd" and unicodedata.category(c) not in ("Cc", "Cf", "Co"):
            kept += f" {c} " if is_ideograph(c) else c
    lower = "".join(c.lower() for c in kept)
    bare = "".join(
        c for c in unicodedata.normalize("NFD", lower) if unicodedata.category(c) != "Mn"
    )
    return "".join(f" {c} " if is_punctuation(c) else c for c in bare).split()


def clean(text):
    """A review as the MatFormer notebook cleans it."""
    text = text.lower().replace("<br />", " ")
    return re.sub(r"\s+", " ", re.sub(r"[^a-z0-9\s]", "", text)).strip()


def learn(text, size, least):
    """Byte pair encoding that counts everything anew before each step."""
    counts = Counter(word for word in basic_words(text) if len(word) <= 100)
    letters = Counter()
    for word, count in counts.items():
        for c in word:
            letters[c] += count
    frequent = sorted((c for c in letters if letters[c] >= least), key=lambda c: (-letters[c], c))
    kept = sorted(frequent[: (size - 4) // 2])
    pieces = kept + ["##" + c for c in kept]
    words = [
        ([word[0]] + ["##" + c for c in word[1:]], count)
        for word, count in counts.items()
        if set(word) <= set(kept)
    ]
    while len(pieces) < size - 4:
        pairs = Counter()
        for parts, count in words:
            for pair in zip(parts, parts[1:]):
                pairs[pair] += count
        if not pairs or max(pairs.values()) < least:
            break
        place = {piece: i for i, piece in enumerate(pieces)}
        left, right = min(pairs, key=lambda p: (-pairs[p], place[p[0]], place[p[1]]))
        joined = left + right[2:]
        if joined not in place:
            pieces.append(joined)
        for parts, _ in words:
            i = 0
            while i + 1 < len(parts):
                if parts[i] == left and parts[i + 1] == right:
                    parts[i : i + 2] = [joined]
                i += 1
    return ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + pieces


def main():
    bert = BertWordPieceTokenizer(sys.argv[1], lowercase=True)
    assert bert.get_vocab_size() == 30522
    transformers = BertTokenizer(sys.argv[1])

    texts = []
    for text in [clean(CLEAN[0])] + TEXTS:
        encoding = bert.encode(text)
        assert transformers(text)["input_ids"] == encoding.ids, text
        normal = bert.normalizer.normalize_str(text)
        found = [word for word, _ in bert.pre_tokenizer.pre_tokenize_str(normal)]
        assert basic_words(text) == found, (basic_words(text), found)
        texts.append({"text": text, "words": found, "ids": encoding.ids, "pieces": encoding.tokens})
    tokens = {bert.token_to_id(t): t for t in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")}
    for case in texts:
        tokens |= dict(zip(case["ids"], case.pop("pieces")))

    golden.write(
        __file__,
        {
            "vocabulary_size": 30522,
            "tokens": [[id, token] for id, token in sorted(tokens.items())],
            "texts": texts,
            "clean": [{"text": text, "cleaned": clean(text)} for text in CLEAN],
            "learning": {
                "text": LEARNING,
                "vocabularies": [
                    {"size": size, "least": least, "tokens": learn(LEARNING, size, least)}
                    for size, least in ((1000, 1), (1000, 2), (120, 2), (30, 1))
                ],
            },
        },
    )


if __name__ == "__main__":
    main()
