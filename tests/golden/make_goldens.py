#!/usr/bin/python3
"""Writes the golden files beside this script: PyTorch's answers, which our layers must reproduce.

    apt-get install python3-torch libopenblas0-pthread   # Debian 12: PyTorch 1.13
    /usr/bin/python3 tests/golden/make_goldens.py [--check]

Every value handed to PyTorch is a float32 number, PyTorch computes in float64, and what is stored is
rounded to float32 once, so the files do not depend on thread counts or on the order of sums.
--check writes nothing and fails if a file would differ by more than one unit in its last place.

Names in each file: `input.*` what goes in, `weight.*` parameters in PyTorch's layout, `seed.*` the
gradients put in at the outputs (the loss is sum(seed * output)), `output.*` what comes out,
`grad.*` the gradient of that loss for each input and weight. Sequences are time-major [T, B, D].
families/*.py say what goes in. Files of whole models hold our own weight names; their loss is the cross entropy.
"""

import argparse
import importlib
import json
import os
import pathlib
import struct
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.dont_write_bytecode = True

import numpy as np
import torch

import safetensors_file
from case import SEED

HERE = pathlib.Path(__file__).resolve().parent


def cases():
    for family in sorted((HERE / "families").glob("*.py")):
        yield from importlib.import_module(f"families.{family.stem}").cases()


def tensors_differ(path, fresh):
    """The first tensor of `fresh` the file at `path` does not hold, up to one unit in the last place."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    if set(header) - {"__metadata__"} != set(fresh):
        return "the set of names"
    for name, value in fresh.items():
        entry = header[name]
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        if value.is_floating_point():
            stored = np.frombuffer(data[begin:end], np.float32)
            expected = value.detach().float().numpy().ravel()
            same = np.allclose(stored, expected, rtol=2.0**-23, atol=1e-12)
        else:
            stored = np.frombuffer(data[begin:end], np.int32)
            expected = value.int().numpy().ravel()
            same = np.array_equal(stored, expected)
        if list(value.shape) != entry["shape"] or not same:
            return name
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    check = parser.parse_args().check
    torch.set_num_threads(1)
    metadata = {"made_by": "tests/golden/make_goldens.py", "seed": str(SEED), "torch": torch.__version__}
    for case in cases():
        path = HERE / (case.name + ".safetensors")
        if not check:
            safetensors_file.save(path, case.tensors, metadata)
            continue
        culprit = tensors_differ(path, case.tensors) if path.exists() else "the file is missing"
        if culprit:
            sys.exit(f"{path.name}: {culprit} differs from what PyTorch {torch.__version__} computes")
    print("golden files", "agree" if check else "written")


if __name__ == "__main__":
    main()
