"""One golden file: what goes into PyTorch, what comes out, and the gradients."""

import torch

SEED = 20260101


class Case:
    """Tensors of one golden file. Draws from a generator of its own, so cases do not affect each other."""

    def __init__(self, name):
        self.name = name
        self.tensors = {}
        self.leaves = {}
        self.generator = torch.Generator().manual_seed(SEED + sum(map(ord, name)))

    def draw(self, *shape, scale=1.0):
        """Normal float32 numbers, as float64."""
        return (torch.randn(*shape, generator=self.generator, dtype=torch.float32) * scale).double()

    def leaf(self, name, *shape, scale=1.0, value=None):
        """An input or weight whose gradient is stored."""
        value = self.draw(*shape, scale=scale) if value is None else value
        value = value.float().double().requires_grad_()
        self.tensors[name] = value
        self.leaves[name] = value
        return value

    def given(self, name, values):
        """An input without a gradient: lengths, indices, masks."""
        value = torch.as_tensor(values)
        self.tensors[name] = value
        return value

    def parameters(self, module, scale=0.5):
        """Replaces a module's parameters by drawn float32 numbers and stores them as weight.*."""
        for name, parameter in module.named_parameters():
            parameter.data = self.draw(*parameter.shape, scale=scale)
            self.tensors["weight." + name] = parameter
            self.leaves["weight." + name] = parameter

    def backward(self, outputs, seed_masks={}):
        """outputs: name -> tensor. Stores them, their seeds, and every leaf's gradient."""
        loss = 0
        for name, value in outputs.items():
            self.tensors["output." + name] = value
            if value.dim() == 0:
                loss = loss + value
            else:
                seed = self.draw(*value.shape) * seed_masks.get(name, 1)
                self.tensors["seed." + name] = seed
                loss = loss + (seed * value).sum()
        loss.backward()
        for name, value in self.leaves.items():
            gradient = "grad." + name.split(".", 1)[1]
            assert gradient not in self.tensors, f"{self.name}: two tensors want the name {gradient}"
            # what no output depends on has none
            self.tensors[gradient] = torch.zeros_like(value) if value.grad is None else value.grad
