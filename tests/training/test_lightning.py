"""Units in a model that Lightning trains."""

import warnings
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from nalm import NMU, Constant, Ramp, Triggered, attach, parameter_groups, penalty

lightning = pytest.importorskip("lightning.pytorch", reason='pip install "nalm[lightning]" to run it')

from nalm.training.lightning import UnitCallback  # noqa: E402


class Regression(lightning.LightningModule):
    """An NMU behind a frozen scaling, trained by plain gradient descent."""

    def __init__(self, rate: float = 0.05, decay: float = 0.0) -> None:
        super().__init__()
        self.front = nn.Linear(2, 2)
        self.head = NMU(2, 1)
        self.rate, self.decay = rate, decay
        with torch.no_grad():
            self.front.weight.copy_(torch.eye(2))
            self.front.bias.zero_()
            self.head.weight.copy_(torch.tensor([[0.7, 0.6]]))

    def loss(self, batch: list[torch.Tensor]) -> torch.Tensor:
        x, y = batch
        return nn.functional.mse_loss(self.head(self.front(x)), y)

    def training_step(self, batch: list[torch.Tensor], _: int) -> torch.Tensor:
        return self.loss(batch)

    def validation_step(self, batch: list[torch.Tensor], _: int) -> None:
        self.log("valid", self.loss(batch))

    def configure_optimizers(self) -> torch.optim.Optimizer:
        groups = parameter_groups(self.head, weight_decay=0.0)
        return torch.optim.SGD(groups, lr=self.rate, weight_decay=self.decay)


def batches(count: int = 8) -> DataLoader:
    x = 1 + torch.rand(4 * count, 2, generator=torch.Generator().manual_seed(0))
    return DataLoader(TensorDataset(x, x.prod(dim=1, keepdim=True)), batch_size=4)


def fit(model: lightning.LightningModule, callback: UnitCallback, folder: Path, **options: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of workers and of a logger that is not there
        trainer = lightning.Trainer(
            accelerator="cpu",
            callbacks=[callback],
            default_root_dir=folder,
            logger=options.pop("logger", False),
            enable_progress_bar=False,
            enable_model_summary=False,
            enable_checkpointing=False,
            **{"max_epochs": 1, **options},
        )
        trainer.fit(model, batches(), batches(1))


@pytest.mark.parametrize("gathered", [1, 2])
def test_training_is_that_of_a_loop_by_hand(tmp_path: Path, gathered: int) -> None:
    schedule = Ramp(3.0, start=1, end=4)
    trained = Regression()
    fit(trained, UnitCallback(schedule), tmp_path, accumulate_grad_batches=gathered)

    by_hand = Regression()
    optimiser = by_hand.configure_optimizers()
    attach(optimiser, by_hand)
    pairs = list(batches())
    for step in range(len(pairs) // gathered):
        optimiser.zero_grad()
        for batch in pairs[step * gathered : (step + 1) * gathered]:
            ((by_hand.loss(batch) + penalty(by_hand, step, schedule)) / gathered).backward()
        optimiser.step()
    torch.testing.assert_close(trained.head.weight, by_hand.head.weight)


def test_weights_stay_in_their_boxes_while_it_is_attached(tmp_path: Path) -> None:
    model = Regression(rate=50.0)
    callback = UnitCallback()
    fit(model, callback, tmp_path)
    assert ((model.head.weight >= 0) & (model.head.weight <= 1)).all()
    assert not callback._handles


def test_the_penalty_is_clipped_with_the_loss(tmp_path: Path) -> None:
    model = Regression(rate=1.0)
    before = model.head.weight.detach().clone()
    fit(model, UnitCallback(Constant(1e6)), tmp_path, gradient_clip_val=1e-3, max_steps=1)
    assert (model.head.weight - before).norm().item() == pytest.approx(1e-3, rel=1e-3)


def test_schedules_that_look_at_the_loss_see_the_metric(tmp_path: Path) -> None:
    still, pulled = (Regression(rate=1e-3) for _ in range(2))
    fit(still, UnitCallback(Triggered(50.0, after=0, below=1e-9), monitor="valid"), tmp_path, max_epochs=2)
    fit(pulled, UnitCallback(Triggered(50.0, after=0, below=1e9), monitor="valid"), tmp_path, max_epochs=2)
    assert (pulled.head.weight > still.head.weight + 0.05).all()


def test_sparsity_and_formula_are_logged(tmp_path: Path) -> None:
    logger = lightning.loggers.CSVLogger(tmp_path)
    texts: list[tuple[str, str, int]] = []
    logger.experiment.add_text = lambda *text: texts.append(text)
    callback = UnitCallback(Constant(0.5))
    model = Regression(rate=0.01)
    fit(model, callback, tmp_path, logger=logger, max_epochs=3, log_every_n_steps=1)
    assert str(callback.formulas["head"]).startswith("y = x1*x2\n")
    assert [text[0] for text in texts] == ["nalm/formula/head"] * 3
    columns, *rows = (Path(logger.log_dir) / "metrics.csv").read_text().splitlines()
    place = columns.split(",").index("nalm/sparsity_error")
    errors = [float(row.split(",")[place]) for row in rows if row.split(",")[place]]
    assert len(errors) == 3
    assert errors[-1] < errors[0]


def test_decayed_units_are_warned_about(tmp_path: Path) -> None:
    model = Regression(decay=0.1)
    model.configure_optimizers = lambda: torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.1)
    callback = UnitCallback()
    trainer = lightning.Trainer(
        accelerator="cpu", max_steps=1, callbacks=[callback], logger=False, default_root_dir=tmp_path,
        enable_progress_bar=False, enable_model_summary=False, enable_checkpointing=False,
    )  # fmt: skip
    with pytest.warns(UserWarning, match=r"the optimiser decays head\.weight"):
        trainer.fit(model, batches())
