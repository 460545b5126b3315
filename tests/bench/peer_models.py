"""The layers of layers.cc as ONNX files, for layers.mjs: python3 peer_models.py FOLDER (needs Debian's python3-onnx)."""

import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT


def weights(*shape):
    return numpy.random.default_rng(1).normal(0, 0.05, shape).astype(numpy.float32)


def save(name, nodes, x, y, initializers):
    """x, y: shapes of the input "x" and the output "y"."""
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info("x", FLOAT, x)],
        [helper.make_tensor_value_info("y", FLOAT, y)],
        [numpy_helper.from_array(value, key) for key, value in initializers.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, os.path.join(sys.argv[1], name + ".onnx"))


def product(name, m, k, n):
    save(name, [helper.make_node("MatMul", ["x", "w"], ["y"])], [m, k], [m, n], {"w": weights(k, n)})


def recurrent(name, kind, gates, steps=32, width=512):
    node = helper.make_node(kind, ["x", "w", "r", "b"], ["y"], hidden_size=width)
    given = {"w": weights(1, gates * width, width), "r": weights(1, gates * width, width), "b": weights(1, 2 * gates * width)}
    save(name, [node], [steps, 1, width], [steps, 1, 1, width], given)


def attention(name, length=64, width=512, heads=8):
    size = width // heads
    given = {"split": numpy.array([length, heads, size]), "join": numpy.array([length, width]), "scale": numpy.float32(size**-0.5)}
    nodes = []

    def step(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def dense(x, name, output=None):
        given["w" + name], given["b" + name] = weights(width, width), weights(width)
        return step("Add", [step("MatMul", [x, "w" + name], name + "0"), "b" + name], output or name)

    def by_head(x, name, order):
        return step("Transpose", [step("Reshape", [dense(x, name), "split"], name + "1")], name + "2", perm=order)

    q, k, v = by_head("x", "q", [1, 0, 2]), by_head("x", "k", [1, 2, 0]), by_head("x", "v", [1, 0, 2])
    scores = step("Mul", [step("MatMul", [q, k], "e"), "scale"], "scaled")
    heads_of = step("MatMul", [step("Softmax", [scores], "a", axis=-1), v], "c")
    joined = step("Reshape", [step("Transpose", [heads_of], "t", perm=[1, 0, 2]), "join"], "j")
    dense(joined, "o", "y")
    save(name, nodes, [length, width], [length, width], given)


product("gemv 512x512", 1, 512, 512)
product("gemm 32x512x2048", 32, 512, 2048)
product("gemm 512x512x512", 512, 512, 512)
recurrent("GRU 32 steps, 512", "GRU", 3)
recurrent("LSTM 32 steps, 512", "LSTM", 4)
attention("multi-head attention 64x512, 8 heads")
save("softmax 64x32000", [helper.make_node("Softmax", ["x"], ["y"], axis=-1)], [64, 32000], [64, 32000], {})
