#!/usr/bin/python3
"""Training speed beside PyTorch: the same model, batches and machine, in one run, taking turns.

    /usr/bin/python3 tests/bench/train_speed.py [--attention additive|dot|none] [--threads 2] [--rounds 3]

Needs build/native/tests/softalign_bench_train_speed and PyTorch (Debian: python3-torch
libopenblas0-pthread). V=6000, E=256, encoder 2x192, decoder 384, alignment 256, dropout 0.3, label
smoothing 0.1, Adam, about 1,200 target words a batch. PyTorch's side is tests/golden/reference.py,
whose gradients ours reproduce: packed nn.GRU encoder, nn.GRUCell decoder, everything that can be
computed for all steps at once is. Counted are target words, the end of the sentence with them.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VOCABULARY, EOS = 6000, 1


def make_batches(random):
    """Lengths as in everyday sentences; within a batch they are alike, as sorting makes them."""
    batches = []
    for length in (4, 6, 7, 8, 9, 10, 12, 16):
        pairs = 1200 // (length + 1)
        source_lengths = [max(1, length + random.choice((-3, -2, -1, -1, 0, 0, 1, 2))) for _ in range(pairs)]
        words = lambda n: [random.randrange(2, VOCABULARY) for _ in range(n)]
        batches.append([(words(n), words(length)) for n in source_lengths])
    return batches


def ours(batches, arguments, seconds):
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
        for i, batch in enumerate(batches):
            for source, target in batch:
                print(i, *(" ".join(map(str, side)) for side in (source, target)), sep="\t", file=file)
        file.flush()
        command = [arguments.program, file.name, arguments.attention, str(arguments.threads), str(seconds)]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


class PyTorch:
    def __init__(self, batches, arguments):
        import torch

        sys.dont_write_bytecode = True
        sys.path.insert(0, str(ROOT / "tests/golden"))
        from reference import Seq2Seq

        torch.set_num_threads(arguments.threads)
        self.torch = torch
        self.model = Seq2Seq(arguments.attention, VOCABULARY, 256, 192, 384, 256, dropout=0.3)
        self.optimiser = torch.optim.Adam(self.model.parameters(), lr=0.0005, betas=(0.9, 0.998))
        self.batches = [self.tensors(batch) for batch in batches]
        self.next = 0

    def tensors(self, batch):
        pad = lambda rows, fill: self.torch.tensor(
            [row + [fill] * (max(map(len, rows)) - len(row)) for row in rows]
        ).t()
        source = [source + [EOS] for source, _ in batch]
        previous = [[EOS] + target for _, target in batch]
        target = [target + [EOS] for _, target in batch]
        lengths = self.torch.tensor([len(row) for row in source])
        return pad(source, EOS), lengths, pad(previous, EOS), pad(target, -1)

    def step(self):
        source, lengths, previous, target = self.batches[self.next % len(self.batches)]
        self.next += 1
        words = int((target >= 0).sum())
        logits, _ = self.model(source, lengths, previous)
        loss = self.torch.nn.functional.cross_entropy(
            logits.flatten(0, 1), target.flatten(), ignore_index=-1, reduction="sum", label_smoothing=0.1
        )
        self.optimiser.zero_grad(set_to_none=True)
        (loss / words).backward()
        self.torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        return words

    def speed(self, seconds):
        words, start = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - start) < seconds:
            words += self.step()
        return words / elapsed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--attention", default="additive", choices=("additive", "dot", "none"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10, help="of each program in each round")
    parser.add_argument("--program", default=ROOT / "build/native/tests/softalign_bench_train_speed")
    arguments = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = str(arguments.threads)
    import random

    batches = make_batches(random.Random(1))
    pytorch = PyTorch(batches, arguments)
    pytorch.step()  # warms up
    rounds = []
    for i in range(arguments.rounds):
        a, b = ours(batches, arguments, arguments.seconds), pytorch.speed(arguments.seconds)
        rounds.append((a, b))
        print(f"round {i + 1}: softalign {a:,.0f}, PyTorch {pytorch.torch.__version__} {b:,.0f} target words/s", flush=True)
    a, b = (statistics.median(column) for column in zip(*rounds))
    print(f"median, {arguments.attention}, {arguments.threads} threads: softalign {a:,.0f}, PyTorch {b:,.0f}: {a / b:.1f} x")


if __name__ == "__main__":
    main()
