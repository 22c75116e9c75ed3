"""Networks that count pictures of digits (Trask et al. 2018)."""

from __future__ import annotations

from torch import Tensor, nn

from nalm.networks.block import Part
from nalm.networks.recurrent import Accumulator
from nalm.networks.vision.digits import pictures


class DigitCounter(nn.Module):
    """A small CNN looks at every picture of a sequence, a recurrent unit accumulates what it sees.

    conv(8, 5 × 5, stride 2), ReLU; conv(16, 5 × 5, stride 2), ReLU; linear to 10, softmax; `Accumulator`. The
    paper's CNN is not known: this one is chosen to be quick.

    Args:
        outputs: ten to count every digit, one to count the even ones.
        cell: the recurrent unit and its options, or `"lstm"`.
        output: the unit that reads the last state, or `"linear"`.
        hidden: size of the state.

    Example:
        >>> network = DigitCounter(outputs=10, cell=("NACAdd", ()), output=("NACAdd", ()), hidden=10)
        >>> network(torch.zeros(3, 4, 28, 28, dtype=torch.uint8)).shape
        torch.Size([3, 10])
    """

    def __init__(self, outputs: int, *, cell: Part | str, output: Part | str, hidden: int) -> None:
        super().__init__()
        self.look = nn.Sequential(
            nn.Conv2d(1, 8, 5, stride=2),
            nn.ReLU(),
            nn.Conv2d(8, 16, 5, stride=2),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(256, 10),
            nn.Softmax(dim=-1),
        )
        self.count = Accumulator(10, cell=cell, output=output, hidden=hidden, outputs=outputs)

    def forward(self, x: Tensor) -> Tensor:
        """[samples, length, 28, 28] to [samples, outputs]."""
        seen: Tensor = self.look(pictures(x.flatten(0, 1)).unsqueeze(1))
        result: Tensor = self.count(seen.view(*x.shape[:2], -1))
        return result
