# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens of Hugging Face's tokenizers library for small tokenizers of every family.

    python3 tests/goldens/tokenizer_files.py

Each kind has a tokenizer.json and the tokens of texts that are hard to read; 10,000
random texts more have checksums only (see `random_texts` and `checksum`).
Some trainers of the library learn another vocabulary each time, so the tokenizers of the file that
is there are kept; new kinds are trained.
"""

import json
import pathlib
import tempfile

import sentencepiece
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import golden

CORPUS = [
    "The engine grows a small transformer without changing what it computes; then it trains on.",
    "I don't think we'll see what they've seen, she'd said, it's 3 of 12 layers and I'm sure you're right.",
    "In 2024 there were 1234567 tokens, 99.5 % of them plain; 0x1F and 10^-12 are numbers too.",
    "def attention(q, k, v):\n    return softmax(q @ k.T / sqrt(d)) @ v\n\n\tx = {'a': [1, 2], \"b\": None}",
    "Die Größe der Schicht wächst, ohne dass sich die Funktion ändert. Où est le modèle ? Быстрая лиса.",
    "今日は良い天気です。模型很小。한국어 문장입니다. Ελληνικά και العربية.",
    "naïve café résumé coöperate Ångström",
    "https://example.org/a_b?c=d&e=f#g  two  spaces   three\r\nwindows line\n\n\nthree newlines",
] * 4
HARD = [
    "", " ", "  ", "   a", "a   ", " a b  c   d", "\n", "\n\n a", "a\r\n\r\nb", "\t\tx\t y",
    "don't DON'T Don'T we'll WE'LL x's 's '", "12", "123", "1234", "1234567 1,234,567.89", "x1y22z333",
    "³²½①٣৩Ⅷ", "hello,world!!! ...?!", "a_b__c -- d---e", "ﬁ ﬂ Å Å Å", "e\u0301 \u00e9", "ẛ̣",
    "İstanbul ıI", "ß ẞ STRASSE", "日本語と English混ぜる", "한국어 각", "العربية ١٢٣ שלום", "🙂", "👩‍👩‍👧‍👦 🇩🇪 👍🏽",
    "\u200b\u200d\ufeff x", "\u00a0nbsp\u3000ideographic\u2028line\u0085nel", "\u0000nul\u0001\u007f",
    "\ud7ff\ue000\ufffd\U0010ffff", "a" * 120, " " * 9 + "x", "<|end|>", "x<|end|>y <|end|>",
    "<s></s> <unk>", "[CLS] [MASK] [SEP]", "Ġ Ċ Ã© ▁ ## ##a", "\\n \\u0041 &amp; %20",
    "e\u0301\u0323 e\u0323\u0301", "\u1e9b\u0323 \u0130", "ǅ ǆ", "f(x)=y^2\n\treturn  x\n\n",
    "a <left> b", "a <right> b<word>c <word> d,<word>", "NORMAL Normal normal", "x  <left>  <right>  y", "<0x41><0xE2>",
]
POOL = [" ", "  ", "\n", "\r", "\t", "'s", "'T", "1", "22", "a", "Zz", "é", "e\u0301", "日", "🙂", "\u00a0", "_", "-", "!",
        "ß", "٣", "½", "\u200d", "the", " The", "\u3000", "Ⅷ", "ǅ", "<|end|>", "<word>", "<left>", "ﬁ", "\ufeff", "각"]
RANDOM_TEXTS = 10_000
WORD = 2**64


def random_texts():
    """The same texts as the test makes: a linear congruential generator (Knuth's MMIX)."""
    state = 1

    def below(n):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % WORD
        return (state >> 33) % n

    return ["".join(POOL[below(len(POOL))] for _ in range(1 + below(13))) for _ in range(RANDOM_TEXTS)]


def checksum(lists):
    """FNV-1a over ids, with 2^32 - 1 after each list."""
    value = 14695981039346656037
    for ids in lists:
        for number in [*ids, 2**32 - 1]:
            value = (value ^ number) * 1099511628211 % WORD
    return f"{value:016x}"


GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")


def byte_level(pre_tokenizer, normalizer=None, **model):
    tokenizer = Tokenizer(models.BPE(**model))
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(CORPUS, trainers.BpeTrainer(
        vocab_size=420, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=["<|end|>"],
        show_progress=False))
    return tokenizer


def letters(words):
    return pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=words)


def split_by(pattern):
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"), letters(False)])


def gpt2():
    tokenizer = byte_level(letters(True))
    tokenizer.add_tokens([AddedToken("<left>", lstrip=True), AddedToken("<right>", rstrip=True),
                          AddedToken("<word>", single_word=True)])
    return tokenizer


def smollm():
    return byte_level(pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), letters(True)]))


def llama3():
    return byte_level(split_by(LLAMA3), ignore_merges=True)


def qwen2():
    return byte_level(split_by(LLAMA3.replace("{1,3}", "")), normalizers.NFC())


def roberta():
    tokenizer = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True))
    tokenizer.add_special_tokens(["<s>", "</s>", AddedToken("<mask>", lstrip=True)])
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", tokenizer.token_to_id("</s>")), ("<s>", tokenizer.token_to_id("<s>")))
    return tokenizer


def unigram():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    marks = dict(replacement="▁", prepend_scheme="always", split=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(**marks)
    tokenizer.decoder = decoders.Metaspace(**marks)
    tokenizer.train_from_iterator(CORPUS, trainers.UnigramTrainer(
        vocab_size=230, special_tokens=["<pad>", "</s>", "<unk>"], unk_token="<unk>", show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return tokenizer


def t5():
    """As unigram(), but with a map of characters compiled by SentencePiece, and a space before the first word only."""
    tokenizer = unigram()
    with tempfile.TemporaryDirectory() as folder:
        rules = pathlib.Path(folder, "rules.tsv")
        rules.write_text("".join(
            " ".join(f"{ord(c):X}" for c in old) + "\t" + " ".join(f"{ord(c):X}" for c in new) + "\n"
            for old, new in [("ﬁ", "fi"), ("ﬂ", "fl"), ("e\u0301", "é"), ("\u00a0", " "), ("\u3000", " "), ("½", "1⁄2"),
                             ("ǅ", "Dž"), ("\ufeff", ""), ("\t", " "), ("\n", " "), ("\r", " "), ("Ⅷ", "VIII")]))
        pathlib.Path(folder, "text").write_text("\n".join(CORPUS).replace("\r", " "))
        sentencepiece.SentencePieceTrainer.train(
            input=f"{folder}/text", model_prefix=f"{folder}/m", vocab_size=200, hard_vocab_limit=False,
            normalization_rule_tsv=str(rules), minloglevel=2)
        data = pathlib.Path(folder, "m.model").read_bytes()
    tokenizer.normalizer = normalizers.Sequence([normalizers.Precompiled(charsmap(data)),
                                                 normalizers.Replace(Regex(" {2,}"), " ")])
    marks = dict(replacement="▁", prepend_scheme="first", split=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(**marks)
    tokenizer.decoder = decoders.Metaspace(**marks)
    return tokenizer


def charsmap(data):
    """Field 2 of the normalizer_spec, which is field 3 of a SentencePiece model (protocol buffers)."""

    def fields(block):
        at = 0

        def varint():
            nonlocal at
            value = shift = 0
            while True:
                byte = block[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value

        while at < len(block):
            key = varint()
            if key & 7 == 2:
                size = varint()
                yield key >> 3, block[at:at + size]
                at += size
            elif key & 7 == 0:
                yield key >> 3, varint()
            else:
                at += {1: 8, 5: 4}[key & 7]

    spec = next(value for number, value in fields(data) if number == 3)
    return next(value for number, value in fields(spec) if number == 2)


def llama2():
    """SentencePiece's byte pairs, as Llama 2's files have them."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    special = ["<unk>", "<s>", "</s>"]
    words = Tokenizer(models.BPE(unk_token="<unk>"))
    words.normalizer = tokenizer.normalizer
    words.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
    words.train_from_iterator(CORPUS, trainers.BpeTrainer(
        vocab_size=170, limit_alphabet=60, special_tokens=special, show_progress=False))
    learned = json.loads(words.to_str())["model"]
    names = [t for t, _ in sorted(learned["vocab"].items(), key=lambda entry: entry[1]) if t not in special]
    names = special + [f"<0x{b:02X}>" for b in range(256)] + names
    tokenizer.model = models.BPE({t: i for i, t in enumerate(names)}, [tuple(m) for m in learned["merges"]],
                                 unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
                                           decoders.Strip(" ", 1, 0)])
    tokenizer.add_special_tokens(special)
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return tokenizer


def wordpiece():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix="##")
    tokenizer.train_from_iterator(CORPUS, trainers.WordPieceTrainer(
        vocab_size=280, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.add_tokens([AddedToken("Normal", normalized=True)])
    return tokenizer


def clip():
    """Ends of words in the tokens, one unknown token each, and the rarer ways to cut."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase(),
                                                 normalizers.Strip()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Punctuation("contiguous"),
                                                       pre_tokenizers.Digits()])
    tokenizer.decoder = decoders.BPEDecoder("</w>")
    tokenizer.train_from_iterator(CORPUS, trainers.BpeTrainer(
        vocab_size=200, limit_alphabet=60, end_of_word_suffix="</w>", special_tokens=["<unk>"], show_progress=False))
    return tokenizer


KINDS = [gpt2, smollm, llama3, qwen2, roberta, unigram, t5, llama2, wordpiece, clip]


def main():
    random = random_texts()
    result = {"texts": HARD, "pool": POOL, "random_texts": RANDOM_TEXTS, "kinds": {}}
    path = pathlib.Path(__file__).with_suffix(".json")
    known = json.loads(path.read_text())["kinds"] if path.exists() else {}
    for make in KINDS:
        kept = known.get(make.__name__)
        tokenizer = Tokenizer.from_str(json.dumps(kept["tokenizer"])) if kept else make()

        def plain(text):
            return tokenizer.encode(text, add_special_tokens=False).ids

        result["kinds"][make.__name__] = {
            "tokenizer": json.loads(tokenizer.to_str()),
            "plain": [plain(text) for text in HARD],
            "encoded": [tokenizer.encode(text).ids for text in HARD],
            "decoded": [tokenizer.decode(plain(text), skip_special_tokens=False) for text in HARD],
            "random": [checksum(map(plain, random[i:i + 100])) for i in range(0, RANDOM_TEXTS, 100)],
            "decoded_random": checksum([tokenizer.decode(plain(t), skip_special_tokens=False).encode() for t in random]),
        }
    golden.write(__file__, result)


if __name__ == "__main__":
    main()
