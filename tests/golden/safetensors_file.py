"""Writes safetensors files: 8 bytes of header length, a JSON header, the tensors back to back.

The format is small enough to write here, and Debian has no package for it.
"""

import json

import torch

_TYPES = {torch.float32: "F32", torch.int32: "I32"}


def save(path, tensors, metadata):
    """tensors: name -> torch tensor; float64 is rounded to float32, integers to int32."""
    header = {"__metadata__": metadata}
    chunks = []
    offset = 0
    for name in sorted(tensors):
        value = tensors[name].detach()
        value = value.to(torch.float32 if value.is_floating_point() else torch.int32).contiguous()
        data = value.numpy().tobytes()
        header[name] = {
            "dtype": _TYPES[value.dtype],
            "shape": list(value.shape),
            "data_offsets": [offset, offset + len(data)],
        }
        chunks.append(data)
        offset += len(data)
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # tensors start at a multiple of 8, as the format asks
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for data in chunks:
            file.write(data)
