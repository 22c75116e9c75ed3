"""A formula as a network that other programs load."""

from __future__ import annotations

import torch

from nalm.networks.from_expression import FormulaNetwork


def to_torch(network: FormulaNetwork) -> torch.export.ExportedProgram:
    """The network as an exported program for batches of doubles; `torch.export.save` writes it."""
    example = torch.ones(2, network.in_features, dtype=torch.float64)
    rows = torch.export.Dim("rows", min=1)
    return torch.export.export(network.eval(), (example,), dynamic_shapes=({0: rows},))


def to_onnx(network: FormulaNetwork) -> bytes:
    """The network as an ONNX model; needs the extra packages of `nalm[onnx]`."""
    try:
        import onnx  # noqa: F401
        import onnxscript  # noqa: F401
    except ImportError as error:
        raise ImportError("ONNX export needs more packages: pip install nalm[onnx]") from error
    program = torch.onnx.export(to_torch(network), verbose=False)
    assert program is not None
    return program.model_proto.SerializeToString()
