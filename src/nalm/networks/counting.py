"""Networks that count images of digits, or add them up (Trask et al. 2018)."""

from __future__ import annotations

from torch import Tensor, nn

from nalm.networks.block import Part
from nalm.networks.recurrent import Accumulator, layer
from nalm.networks.vision.digits import standardised


class RunningTotal(nn.Module):
    """Adds up what a unit makes of every element: y = Σ_t U(x_t), a recurrence whose state has weight 1.

    Args:
        features: numbers per element.
        output: the unit and its options, or `"linear"`.
        outputs: size of y.
    """

    def __init__(self, features: int, *, output: Part | str, outputs: int) -> None:
        super().__init__()
        self.output = layer(output, features, outputs)

    def forward(self, x: Tensor) -> Tensor:
        """[samples, length, features] to [samples, outputs]."""
        made: Tensor = self.output(x)
        return made.sum(dim=-2)


class DigitCounter(nn.Module):
    """A small CNN looks at every image of a sequence, and what it sees is accumulated.

    conv(8, 5 × 5, stride 2), ReLU; conv(16, 5 × 5, stride 2), ReLU; linear to 10, softmax; then
    `RunningTotal`, or `Accumulator` with a recurrent unit. The CNN is chosen here, to be quick.

    Args:
        outputs: ten to count every digit, one to count the even ones or to add all up.
        output: the unit that makes counts, of every image or of the last state, or `"linear"`.
        cell: the recurrent unit and its options, or `"lstm"`; `None` to add up.
        hidden: size of the recurrent unit's state.
        shares: whether what is seen of an image are shares, by the softmax. A unit whose weights are at most
            1 cannot make a 9 of them: where digits are added up, any ten numbers are seen.

    Example:
        >>> network = DigitCounter(outputs=10, cell=("NACAdd", ()), output=("NACAdd", ()), hidden=10)
        >>> network(torch.zeros(3, 4, 28, 28, dtype=torch.uint8)).shape
        torch.Size([3, 10])
    """

    def __init__(
        self,
        outputs: int,
        *,
        output: Part | str,
        cell: Part | str | None = None,
        hidden: int = 10,
        shares: bool = True,
    ) -> None:
        super().__init__()
        self.look = nn.Sequential(
            nn.Conv2d(1, 8, 5, stride=2),
            nn.ReLU(),
            nn.Conv2d(8, 16, 5, stride=2),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(256, 10),
            nn.Softmax(dim=-1) if shares else nn.Identity(),
        )
        self.count = (
            RunningTotal(10, output=output, outputs=outputs)
            if cell is None
            else Accumulator(10, cell=cell, output=output, hidden=hidden, outputs=outputs)
        )

    def forward(self, x: Tensor) -> Tensor:
        """[samples, length, 28, 28] to [samples, outputs]."""
        seen: Tensor = self.look(standardised(x.flatten(0, 1)).unsqueeze(1))
        result: Tensor = self.count(seen.view(*x.shape[:2], -1))
        return result
