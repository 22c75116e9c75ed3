"""Draw how three networks that learnt a product on inputs between 1 and 2 do on other inputs."""

import sys

import matplotlib.pyplot as plt
import torch

from nalm import MLP, NALU, NMU, Ramp, attach, penalty

PRECISION = torch.finfo(torch.float32).eps
COLOURS = {MLP: "#8a8a8a", NALU: "#d98032", NMU: "#3f51b5"}


def trained(unit: torch.nn.Module, iterations: int) -> torch.nn.Module:
    """The unit after learning a·b from samples of U[1, 2)."""
    optimiser = torch.optim.Adam(unit.parameters(), lr=1e-2)
    attach(optimiser, unit)
    schedule = Ramp(1.0, start=iterations // 4, end=iterations // 2)
    for iteration in range(iterations):
        x = 1 + torch.rand(128, 2)
        loss = (unit(x) - x.prod(dim=1, keepdim=True)).square().mean()
        optimiser.zero_grad()
        (loss + penalty(unit, iteration, schedule)).backward()
        optimiser.step()
    return unit.eval()


@torch.no_grad()
def relative_error(unit: torch.nn.Module, size: float) -> float:
    """Mean relative error on inputs around `size`, at least the precision of the numbers themselves."""
    x = size * (0.9 + 0.2 * torch.rand(5000, 2))
    y = x.prod(dim=1, keepdim=True)
    return max(((unit(x) - y).abs() / y).mean().item(), PRECISION)


def draw(path: str, iterations: int = 5000) -> None:
    """Train the three units and write the figure."""
    plt.rcParams["svg.hashsalt"] = "nalm"
    figure, axes = plt.subplots(figsize=(7, 3.4))
    sizes = torch.logspace(-1, 3, 60).tolist()
    for unit, colour in COLOURS.items():
        torch.manual_seed(0)
        network = trained(unit(2, 1), iterations)
        errors = [relative_error(network, size) for size in sizes]
        axes.loglog(sizes, errors, color=colour, linewidth=2)
        axes.annotate(unit.name, (sizes[-1], errors[-1]), (6, -3), textcoords="offset points", color=colour)
    axes.text(20, PRECISION * 1.6, "precision of the numbers (float32)", fontsize=9, color="#666666")
    axes.axvspan(1, 2, color=COLOURS[NMU], alpha=0.12, linewidth=0)
    top = axes.get_xaxis_transform()
    axes.text(1.41, 0.97, "trained here", ha="center", va="top", transform=top, fontsize=9)
    axes.set(xlabel="size of the inputs", ylabel="relative error of a·b")
    axes.set(xlim=(sizes[0], sizes[-1]), ylim=(PRECISION / 4, None))
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    draw(sys.argv[1] if len(sys.argv) > 1 else "extrapolation.svg")
