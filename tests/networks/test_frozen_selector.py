import pytest
import sympy
import torch
from torch.func import functional_call, grad, vmap

from nalm import FrozenSelector
from nalm.tasks import EXPRESSIONS, composition

A, B, C, D = sympy.symbols("a b c d")
X = torch.tensor([[1.0, 2.0, 4.0, 8.0], [3.0, 1.0, 0.5, 2.0]], dtype=torch.float64)


@pytest.mark.parametrize("name", EXPRESSIONS)
@pytest.mark.parametrize("visible", [True, False])
def test_every_expression_can_be_written_and_read(name, visible):
    task = composition(name)
    selector = FrozenSelector(4, visible=visible).double().eval()
    first, second = task.operations
    selector.choose([(first, (0, 1)), (second, (2, 4))])
    torch.testing.assert_close(selector(X), task.targets(X), rtol=1e-6, atol=0)
    lines = selector.steps([A, B, C, D])
    assert [line.expressions[0] for line in lines] == task.lines()
    assert [line.used_scratchpad for line in lines] == [False, True]


def test_the_published_start():
    selector = FrozenSelector(4)
    logits = selector.mask_logits[:, 0]
    assert logits.shape == (2, 6, 4)
    assert logits[0].abs().sum() == 0
    # The slot written at the first timestep is 1 for all modules at the second, which no softmax notices.
    assert logits[1].nonzero().tolist() == [[4, module] for module in range(4)]
    assert selector.gate_logits.sigmoid().flatten().tolist() == pytest.approx([0.27, 0.27], abs=0.005)
    assert selector.temperature == 10
    assert selector.choices() == [[("add", (0, 1, 2, 3, 4, 5))]] * 2


def test_empty_slots_hold_one():
    selector = FrozenSelector(1, timesteps=2).eval()
    # All slots belong to the first module: x + 1 + 1, then x + line + 1.
    assert selector(torch.tensor([5.0])).item() == 13.0
    assert FrozenSelector(1, empty=0.0).eval()(torch.tensor([5.0])).item() == 10.0
    assert FrozenSelector(1, visible=True).eval()(torch.tensor([5.0])).item() == 10.0


def test_fewer_lines_than_timesteps_leave_the_first_ones_idle():
    selector = FrozenSelector(3, timesteps=4).eval()
    selector.choose([("mul", (0, 1)), ("sub", (2, 3))])
    assert selector.expression([A, B, C]) == [-A * B - C]


def test_outputs_are_selectors_side_by_side():
    selector = FrozenSelector(4, 3, visible=True).double().eval()
    selector.choose([("add", (0, 1)), ("mul", (2, 4))], output=1)
    selector.choose([("mul", (0, 1)), ("div", (2, 4))], output=2)
    y = selector(X)
    assert y.shape == (2, 3)
    assert y[0, 1:].tolist() == pytest.approx([12.0, 1 / 8])
    kept = selector.keep(1)
    assert kept(X)[:, 0].tolist() == y[:, 1].tolist()
    assert kept.expression([A, B, C, D]) == [C * (A + B)]


def test_soft_selection_hardens_as_its_temperature_falls():
    selector = FrozenSelector(4, visible=True, selection="soft", temperature=2.0).double()
    selector.choose([("add", (0, 1)), ("mul", (2, 4))])
    hard = selector.eval()(X)
    soft = selector.train()(X)
    assert (soft - hard).abs().min() > 0.1
    selector.temperature.fill_(0.01)
    torch.testing.assert_close(selector(X), hard)


def test_training_draws_its_modules_from_the_given_noise():
    selector = FrozenSelector(2, timesteps=1, visible=True)
    selector.choose([("add", (0, 1))])
    noise = torch.full((1, 1, 4), 0.5)
    noise[0, 0, 2] = 1 - 1e-6
    x = torch.tensor([3.0, 4.0])
    # The drawn multiplication is given nothing.
    assert selector(x, noise=noise).item() == pytest.approx(1.0)
    assert selector.eval()(x).item() == 7.0


def test_gradients_of_many_selectors_are_those_of_each():
    selector = FrozenSelector(4, spread=1.0).double()
    names = dict(selector.named_parameters())
    parameters = {name: torch.randn(3, *p.shape, dtype=torch.float64) for name, p in names.items()}
    noise = torch.rand(3, *selector.noise().shape(2), dtype=torch.float64)

    def loss(parameters, noise):
        return functional_call(selector, parameters, (X,), {"noise": noise}).square().mean()

    gradients = vmap(grad(loss))(parameters, noise)
    for run in range(3):
        alone = grad(loss)({name: value[run] for name, value in parameters.items()}, noise[run])
        for name, value in alone.items():
            torch.testing.assert_close(gradients[name][run], value)
            assert torch.isfinite(value).all()


def test_unknown_modules_are_refused():
    with pytest.raises(ValueError, match="unknown modules pow"):
        FrozenSelector(3, modules=("add", "pow"))
