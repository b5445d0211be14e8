# SPDX-License-Identifier: GPL-3.0-or-later
"""BLEU of small corpora and tokens of single texts, from sacrebleu.

    python3 tests/goldens/bleu.py
"""

from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

import golden

TEXTS = [
    "Va !",
    "« Ça alors ! », dit-il ; l'été\u202f: 3,5 °C.",
    "J'ai 1,000.50 euros, non ? 3-4 p.m., 10-, -3 e-mail.",
    "a.b.c ...,, .5 5. 5.a a.5 ,, 1..2 1,.2",
    'He said: "no" & left [twice] {or} (more) ~ ^_^ `x` \\ a/b a|b $5 +1=2 <ok> #1 @me 50% *',
    "&quot;R&amp;D&quot; &lt;b&gt; &amp;lt; <skipped>here",
    "soft-\nhyphen\nand a line-\n",
    "  spaces\u00a0\u2009\u3000and\x1ctabs\t \u0085 ",
    "\u200bzero\u200bwidth \u2019 \u2018x\u2019 \u201cq\u201d \u2014 \u2026 \u20ac5 日本。語、 \U0001f600.",
    "'",
    "",
    " \n",
    "é.è,ê-1 ٣.٣ ½.½",
]

FRENCH = [
    ("Va !", ["Va !"]),
    ("Je suis fatigué.", ["Je suis fatiguée.", "Je suis fatigué."]),
    ("Il faut que je m'y rende seule.", ["Il faut que je m'y rende seul.", "Je dois y aller seule."]),
    ("« Ça alors ! », dit-elle.", ["« Ça alors\u202f! », dit-il."]),
    ("Nous sommes dans le pétrin", ["Nous sommes dans le pétrin.", "On est mal.", "Nous voilà bien !"]),
]

CORPORA = {
    "french with one to three references": FRENCH,
    "french with one": [(hypothesis, references[:1]) for hypothesis, references in FRENCH],
    "the same": [(references[0], references[:1]) for _, references in FRENCH],
    "an empty hypothesis among others": FRENCH + [("", ["Rien du tout."])],
    "only empty hypotheses": [("", ["Rien."]), (" ", ["Du tout."])],
    "an empty reference": [("Un chat est sur le tapis.", [""]), ("Le chat dort ici.", ["Le chat dort ici."])],
    "no match at all": [("one two three four five", ["six sept huit neuf dix"])],
    "no match of three or four words": [("le chat noir dort bien ici", ["le chat blanc dort mal ici"])],
    "no match of two words": [("un a deux b trois", ["un c deux d trois e"])],
    "fewer than four words": [("Va !", ["Va !"]), ("Bonjour.", ["Bonjour."])],
    "too short": [("Le chat est sur le", ["Le chat est sur le tapis rouge de la grande salle."])],
    "too long": [("Le chat est sur le tapis de la salle de bain", ["Le chat est sur le tapis"])],
    "a word repeated": [("le le le le le le le", ["le chat est sur le tapis", "il y a le chat"])],
    "equally distant references": [("a b c d e", ["a b c d e f g", "a b c"])],
    "letter case counts": [("LE CHAT EST SUR LE TAPIS", ["Le chat est sur le tapis"])],
    "symbols, numbers, entities": [
        ("Il coûte 1,000.5 € (10-20 %) &amp; plus...", ["Il coûte 1,000.5 € (10-20 %) & plus ..."]),
        ("日本語 の 文 です 。", ["日本語 の 文 です。"]),
        ("x\u202fy\u00a0z 😀 w", ["x y z 😀 w"]),
    ],
}


def main():
    tokenize = Tokenizer13a()
    corpora = []
    for name, corpus in CORPORA.items():
        most = max(len(references) for _, references in corpus)
        streams = [
            [refs[i] if i < len(refs) else None for _, refs in corpus] for i in range(most)
        ]
        bleu = BLEU()
        result = bleu.corpus_score([hypothesis for hypothesis, _ in corpus], streams)
        signature = str(bleu.get_signature()).rsplit("|version:", 1)[0]
        corpora.append(
            {
                "name": name,
                "translations": [{"hypothesis": h, "references": r} for h, r in corpus],
                "score": result.score,
                "precisions": result.precisions,
                "matches": result.counts,
                "totals": result.totals,
                "brevity_penalty": result.bp,
                "hypothesis_length": result.sys_len,
                "reference_length": result.ref_len,
                "signature": signature,
            }
        )
    golden.write(
        __file__,
        {
            "texts": [
                {"text": text, "tokens": tokenize(text.rstrip()).split()} for text in TEXTS
            ],
            "corpora": corpora,
        },
    )


if __name__ == "__main__":
    main()
