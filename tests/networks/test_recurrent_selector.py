import pytest
import sympy
import torch
from torch.func import functional_call, grad, vmap

from nalm import RealNPU, RecurrentSelector, boxes, penalties

A, B, C = sympy.symbols("a b c")
X = torch.tensor([[1.0, 2.0, 4.0], [3.0, 1.0, 0.5]])


def selector_of(*units, **options):
    return RecurrentSelector(3, modules=tuple((unit, ()) for unit in units), **options)


def select(selector, *modules):
    with torch.no_grad():
        selector.module_logits.zero_()
        for timestep, module in enumerate(modules):
            selector.module_logits[timestep, 0, module] = 1.0


def test_a_line_of_working_is_read_at_the_next_timestep():
    selector = selector_of("NAU", "NAU", "NMU").eval()
    first, second, _ = selector.at(0)
    first.assign(weight=torch.tensor([[0.0, 0.0, -1.0, 0.0, 0.0]]))
    second.assign(weight=torch.tensor([[1.0, 1.0, 0.0, 1.0, 0.0]]))
    select(selector, 0, 1)
    # Line 1 is −c, line 2 is a + b + line 1 (002 table 7.5, sub-sub).
    assert selector(X)[:, 0].tolist() == [-1.0, 3.5]
    lines = selector.steps([A, B, C])
    assert [line.expressions[0] for line in lines] == [-C, A + B - C]
    assert [line.used_scratchpad for line in lines] == [False, True]
    assert lines[1].own == [A + B + sympy.Symbol("z1")]


def test_a_slot_is_one_until_it_is_written_or_is_not_seen_at_all():
    weight = torch.tensor([[1.0, 0.0, 0.0, 1.0, 1.0]])
    for options, values in (({}, [3.0, 5.0]), ({"empty": 0.0}, [1.0, 3.0]), ({"visible": True}, [1.0, 3.0])):
        selector = selector_of("NAU", timesteps=2, **options).eval()
        selector.at(0)[0].assign(weight=weight)
        lines = selector.steps([A, B, C])
        assert lines[0].expressions[0].subs(A, 1.0) == values[0]
        # The second line is a + line 1 + its own empty slot.
        own = 1.0 + values[0] + (1.0 if not options else 0.0)
        assert selector(X)[0].item() == own


def test_timesteps_share_units_unless_they_are_told_not_to():
    assert len(list(selector_of("NAU", "NMU").parameters())) == 2 + 2
    separate = selector_of("NAU", "NMU", shared=False)
    assert len(list(separate.parameters())) == 2 + 4
    assert separate.at(0)[0] is not separate.at(1)[0]


def test_training_draws_modules_and_evaluation_takes_the_most_likely():
    selector = selector_of("NAU", "NMU", timesteps=1)
    selector.at(0)[0].assign(weight=torch.ones(1, 4))
    selector.at(0)[1].assign(weight=torch.ones(1, 4))
    select(selector, 0)
    x = torch.tensor([2.0, 3.0, 4.0])
    for low, value in ((0, 24.0), (1, 10.0)):
        noise = torch.full((1, 1, 2), 0.5)
        noise[0, 0, low] = 1e-6
        assert selector(x, noise=noise).item() == pytest.approx(value)
    assert selector.eval()(x).item() == 10.0
    assert selector.noise().shape(128) == (1, 1, 2)
    assert selector_of("NAU", selection="soft").noise() is None


def test_units_keep_their_boxes_and_penalties():
    modules = (("NAU", ()), ("RealNPU", RealNPU.modifications))
    selector = RecurrentSelector(4, modules=modules)
    assert set(boxes(selector)) == {"units.0.0.weight", "units.0.1.weight", "units.0.1.gate"}
    assert set(penalties(selector)) == {"sparse", "l1"}


def test_many_selectors_are_trained_side_by_side():
    selector = selector_of("NAU", "INAC", "NMU", "IMNAC")
    parameters = {name: torch.stack([p.detach()] * 3) for name, p in selector.named_parameters()}
    noise = torch.rand(3, *selector.noise().shape(2))

    def loss(parameters, x, noise):
        return functional_call(selector, parameters, (x,), {"noise": noise}).square().mean()

    gradients = vmap(grad(loss))(parameters, X.expand(3, -1, -1), noise)
    for run in range(3):
        own = {name: value[run] for name, value in parameters.items()}
        alone = grad(loss)(own, X, noise[run])
        for name, value in alone.items():
            torch.testing.assert_close(gradients[name][run], value)


def test_it_has_one_output():
    with pytest.raises(ValueError, match="one output"):
        RecurrentSelector(3, 2, modules=(("NAU", ()),))
