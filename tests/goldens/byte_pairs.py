# SPDX-License-Identifier: GPL-3.0-or-later
"""Byte pair encodings learned and applied by Hugging Face's tokenizers.

    python3 tests/goldens/byte_pairs.py
"""

import unicodedata

from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

import golden

SENTENCES = """The cat sat on the mat. Le chat est assis sur le tapis.
Where is the station? Où est la gare ?
I don't know where she lives. Je ne sais pas où elle habite.
It's raining; take an umbrella! Il pleut ; prends un parapluie !
We had already eaten when they came. Nous avions déjà mangé quand ils sont arrivés.
She said: "Come here, quickly." Elle a dit : « Viens ici, vite. »
They're leaving for Paris at 10:30. Ils partent pour Paris à 10 h 30.
My brother's house is bigger than yours. La maison de mon frère est plus grande que la tienne.
You must not eat so much sugar. Il ne faut pas que tu manges autant de sucre.
Nobody knows what happened yesterday. Personne ne sait ce qui s'est passé hier.
The children were playing in the garden. Les enfants jouaient dans le jardin.
I've never seen anything like that. Je n'ai jamais rien vu de pareil.
Could you open the window, please? Pourrais-tu ouvrir la fenêtre, s'il te plaît ?
That's all we saw. C'est tout ce que nous avons vu.
He was born in the winter of 1999. Il est né durant l'hiver 1999.
This exercise is too difficult for me. Cet exercice est trop difficile pour moi.
The dogs bark, the cats sleep. Les chiens aboient, les chats dorment.
Let's wait until everyone is here. Attendons que tout le monde soit là.
aaaa aaa aa aaaaaaa baaab abab ababab bbb bbaa"""

TEXTS = [
    "The cat knows where the station is.",
    "Elle ne sait pas où sont les enfants, s'il te plaît !",
    "  White\u202fspace\tof\u00a0every kind\r\n ",
    "UNSEEN Ωmega words: zzz kkk? <pad> <start>",
    "aaaaaaaaaaa abababa bbbbb",
    "«!?.,;:»",
    "",
    "x",
]

# Punctuation (P*) and the other symbols of ASCII stand alone; a space belongs to what follows it.
ALONE = r"[\p{P}$+<=>^`|~]"
WORDS = r" ?[^\s\p{P}$+<=>^`|~]+| ?" + ALONE


def plain(text):
    """Single spaces, none at the ends; no control characters."""
    spaces = ("Zs", "Zl", "Zp")
    kept = ""
    for c in text:
        if c in "\t\n\r" or unicodedata.category(c) in spaces:
            kept += " "
        elif unicodedata.category(c) not in ("Cc", "Cf", "Co"):
            kept += c
    return " ".join(kept.split())


def learn(texts, size, least):
    tokenizer = Tokenizer(models.BPE(unk_token="<unknown>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(WORDS), "isolated")
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=least,
        special_tokens=["<pad>", "<unknown>", "<start>"],
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def main():
    # Three times, so that no character is too rare: the trainer keeps rare ones.
    lines = [plain(line) for line in SENTENCES.split("\n")] * 3
    vocabularies = []
    for size, least in (100, 2), (150, 2), (300, 2), (5000, 3), (5000, 1):
        tokenizer = learn(lines, size, least)
        # The text "<pad>" is not the special token here.
        plain_model = Tokenizer(tokenizer.model)
        plain_model.pre_tokenizer = tokenizer.pre_tokenizer
        tokens = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
        vocabularies.append(
            {
                "size": size,
                "least": least,
                "tokens": [token for token, _ in tokens],
                "ids": [plain_model.encode(plain(text)).ids for text in TEXTS],
            }
        )
    golden.write(
        __file__,
        {
            "sentences": SENTENCES.split("\n") * 3,
            "texts": [{"text": text, "plain": plain(text)} for text in TEXTS],
            "vocabularies": vocabularies,
        },
    )


if __name__ == "__main__":
    main()
