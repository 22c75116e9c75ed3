"""Train one NMU on inputs between 1 and 2, print its formula and its error on inputs between 2 and 6."""

import torch

from nalm import NMU, Ramp, attach, explain, penalty


def product(x: torch.Tensor) -> torch.Tensor:
    """What there is to learn: a·c."""
    return (x[:, 0] * x[:, 2]).unsqueeze(1)


torch.manual_seed(0)
unit = NMU(4, 1)
optimiser = torch.optim.Adam(unit.parameters(), lr=1e-2)
attach(optimiser, unit)
schedule = Ramp(1.0, start=500, end=1500)

for iteration in range(2001):
    x = 1 + torch.rand(128, 4)
    loss = (unit(x) - product(x)).square().mean()
    if iteration % 500 == 0:
        print(
            f"iteration {iteration:5}  training error {loss.item():.2e}  sparsity {unit.sparsity_error():.2e}"
        )
    optimiser.zero_grad()
    (loss + penalty(unit, iteration, schedule)).backward()
    optimiser.step()

outside = 2 + 4 * torch.rand(10_000, 4)
print(explain(unit, names=["a", "b", "c", "d"], data=outside))
print(f"mean squared error on U[2, 6): {(unit(outside) - product(outside)).square().mean().item():.2e}")
