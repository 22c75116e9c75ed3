"""A formula as a program computes the same."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
from onnx.reference import ReferenceEvaluator

from nalm.networks.from_expression import from_expression
from nalm.solving.export.network import to_onnx, to_torch


def test_torch_program_takes_any_number_of_rows(awkward: SimpleNamespace, tmp_path: Path) -> None:
    program = to_torch(from_expression(awkward.formula, awkward.inputs))
    torch.export.save(program, tmp_path / "formula.pt2")
    loaded = torch.export.load(tmp_path / "formula.pt2").module()
    for rows in (1, 5):
        with torch.no_grad():
            values = loaded(torch.tensor(awkward.x[:rows]))[:, 0]
        np.testing.assert_allclose(values, awkward.values[:rows], rtol=1e-6)


def test_onnx_model_computes_the_same(awkward: SimpleNamespace) -> None:
    evaluator = ReferenceEvaluator(to_onnx(from_expression(awkward.formula, awkward.inputs)))
    (values,) = evaluator.run(None, {evaluator.input_names[0]: awkward.x})
    np.testing.assert_allclose(values[:, 0], awkward.values, rtol=1e-6)
