#!/usr/bin/env python3
"""Remakes tiny.model, tiny.txt and tiny.ids with SentencePiece's own programs.

Needs spm_train and spm_encode 0.1.97 (Debian 12: apt-get install sentencepiece) on PATH.

tiny.model   a unigram model of 240 pieces, whose character map is small (the usual nmt_nfkc alone
             is 240 kB): it has every kind of rule the tests want
tiny.txt     lines to encode
tiny.ids     what spm_encode makes of each
"""
import pathlib
import random
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

WORDS = """the a cat dog house garden river mountain water bread old young small green sees eats
finds loves carries near under behind with and but not don't can't it's I you we they il elle le la
les l'eau d'un c'est chat chien maison jardin rivière montagne pain vieux jeune petit vert voit mange
trouve aime porte près sous derrière avec et mais pas rendez-vous peut-être été où à naïve cœur
aujourd'hui today 1984 3.5 12 100""".split()
MARKS = [".", ".", ".", "!", "?", " !", " ?", ":", " :", ";", "...", '"', "«", "»", "(", ")", ","]

# From, to: code points in hexadecimal. Spaces, a sign of two letters, one of three, two that vanish,
# a base and an accent that become one.
RULES = """9\t20
A\t20
D\t20
A0\t20
202F\t20
3000\t20
FB01\t66 69
BD\t31 2044 32
AD\t
200B\t
65 301\tE9
45 301\tC9
2019\t27
"""

LINES = [
    "",
    " ",
    "the cat sees the dog.",
    "  I don't   love the old house , but it's near the river .  ",
    "Où est le chat ? Il est sous la maison, peut-être.",
    "L'eau\u00a0: c'est l'été\u202f!",
    "tab\tand\rnew line",
    "\ufb01nd \u00bd of the bread",
    "soft\u00adhyphen and zero\u200bwidth",
    "e\u0301te\u0301 and E\u0301 and e\u0302",
    "l\u2019eau d\u2019un cœur na\u00efve",
    "日本語 and \U0001f600\U0001f601 and \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f600",
    "unknown: \u0416\u0416\u0416 \u05d0",
    "1984 3.5 100% $12",
    "(a) « b » \"c\" ...",
    "\u2581the\u2581cat",
    "thecatsees" * 20,
]


def sentences():
    draw = random.Random(1)
    for _ in range(600):
        words = [draw.choice(WORDS) for _ in range(draw.randint(3, 9))]
        if draw.random() < 0.5:
            words[0] = words[0].capitalize()
        yield " ".join(words) + draw.choice(MARKS)


def main():
    with tempfile.TemporaryDirectory() as folder:
        # Relative names: the model keeps them.
        pathlib.Path(folder, "corpus.txt").write_text("\n".join(sentences()) + "\n", encoding="utf-8")
        pathlib.Path(folder, "rules.tsv").write_text(RULES, encoding="utf-8")
        subprocess.run(
            ["spm_train", "--input=corpus.txt", "--model_prefix=tiny", "--vocab_size=240",
             "--character_coverage=1.0", "--normalization_rule_tsv=rules.tsv", "--unk_id=0",
             "--eos_id=1", "--bos_id=-1", "--pad_id=-1", "--num_threads=1", "--minloglevel=2"],
            cwd=folder, check=True)
        model = pathlib.Path(folder, "tiny.model").read_bytes()
        (HERE / "tiny.model").write_bytes(model)
        text = "".join(line + "\n" for line in LINES)
        ids = subprocess.run(["spm_encode", "--model=tiny.model", "--output_format=id"],
                             cwd=folder, input=text.encode(), capture_output=True, check=True).stdout
        (HERE / "tiny.txt").write_bytes(text.encode())
        (HERE / "tiny.ids").write_bytes(ids)


if __name__ == "__main__":
    main()
