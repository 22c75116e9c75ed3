"""Iterations: tables, random numbers, and a run's independence of its company."""

import pytest
import torch
from torch import Tensor

from nalm.compiler import Common, Drawn, Fixed, Given, Job, Own, compile_loop, normals, run_together, uniforms
from nalm.compiler.loop import CompiledLoop

Tensors = dict[str, Tensor]
RATES = torch.tensor([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1])


def iteration(state: Tensors, settings: Tensors, now: Tensors) -> Tensors:
    x = now["u"] * settings["scale"]
    with torch.enable_grad():
        w = state["w"].detach().requires_grad_()
        loss = ((w @ x - now["y"] * x[0]).square()).mean() + now["strength"] * w.square().sum()
        (gradient,) = torch.autograd.grad(loss, w)
    found = state["w"] - settings["rate"] * now["correction"] * (gradient + 0.01 * now["noise"])
    late = now["iteration"] >= settings["then"]
    return {
        "w": torch.where(late, state["w"], found),
        "steps": state["steps"] + 1,
        "late_since": torch.where(late & (state["late_since"] < 0), now["iteration"], state["late_since"]),
        "done": state["done"] | late,
    }


def made(count: int) -> tuple[Tensors, Tensors, dict[str, Tensor | tuple[Tensor, Tensor]], Tensor]:
    """State, settings, tables of five iterations from 3 on, and seeds of the first so many runs."""
    generator = torch.Generator().manual_seed(0)
    state = {
        "w": torch.rand(11, 3, generator=generator)[:count],
        "steps": torch.zeros(count, dtype=torch.int64),
        "late_since": torch.full((count,), -1),
        "done": torch.zeros(count, dtype=torch.bool),
    }
    never = torch.iinfo(torch.int64).max
    then = torch.tensor([never if k % 3 else 6 for k in range(count)])
    settings = {"rate": RATES[:count], "scale": torch.ones(count, 3, 1), "then": then}
    tables = {
        "iteration": torch.arange(3, 8),
        "correction": torch.linspace(0.5, 1, 5),
        "strength": torch.rand(5, 11, generator=generator)[:, :count],
        "y": (torch.rand(5, 2, 40, generator=generator), torch.arange(11)[:count] % 2),
    }
    return state, settings, tables, torch.tensor([5, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5])[:count]


DECLARED = {
    "iteration": Common(torch.tensor(0)),
    "correction": Common(torch.tensor(1.0)),
    "strength": Own(torch.tensor(1.0)),
    "y": Given(torch.zeros(40)),
    "u": Drawn(0, (3, 40)),
    "noise": Drawn(2, (3,), normal=True),
}


@pytest.fixture(scope="module")
def loop() -> CompiledLoop:
    state, settings, *_ = made(1)
    example = [{name: value[0] for name, value in part.items()} for part in (state, settings)]
    return compile_loop(iteration, *example, DECLARED)


def eager(count: int) -> Tensors:
    state, settings, tables, seeds = made(count)
    rows = []
    for run in range(count):
        own = {name: value[run] for name, value in state.items()}
        fixed = {name: value[run] for name, value in settings.items()}
        for t in range(5):
            seed = seeds[run : run + 1]
            now = {
                "iteration": tables["iteration"][t],
                "correction": tables["correction"][t],
                "strength": tables["strength"][t, run],
                "y": tables["y"][0][t, tables["y"][1][run]],
                "u": uniforms(seed, 0, 3 + t, 1, 120)[0, 0].view(3, 40),
                "noise": normals(seed, 2, 3 + t, 1, 3)[0, 0],
            }
            own = iteration(own, fixed, now)
        rows.append(own)
    return {name: torch.stack([row[name] for row in rows]) for name in rows[0]}


def test_iterations_are_those_of_eager(loop: CompiledLoop) -> None:
    found, expected = loop.run(*made(11), 3, 8), eager(11)
    assert torch.allclose(found["w"], expected["w"], rtol=1e-5, atol=1e-6)
    for name in ("steps", "late_since", "done"):
        assert torch.equal(found[name], expected[name])
        assert found[name].dtype == expected[name].dtype
    assert found["done"].tolist() == [k % 3 == 0 for k in range(11)]


def test_bits_do_not_depend_on_company_or_order(loop: CompiledLoop) -> None:
    together = loop.run(*made(11), 3, 8)["w"]
    assert torch.equal(loop.run(*made(4), 3, 8)["w"], together[:4])
    state, settings, tables, seeds = made(11)
    order = torch.randperm(11, generator=torch.Generator().manual_seed(3))[:9]
    moved = {
        **tables,
        "strength": tables["strength"][:, order],
        "y": (tables["y"][0], tables["y"][1][order]),
    }
    parts = [{name: value[order] for name, value in part.items()} for part in (state, settings)]
    assert torch.equal(loop.run(*parts, moved, seeds[order], 3, 8)["w"], together[order])


def test_a_block_of_iterations_is_its_parts_in_a_row(loop: CompiledLoop) -> None:
    state, settings, tables, seeds = made(11)
    cut = [
        {name: (t[0][part], t[1]) if isinstance(t, tuple) else t[part] for name, t in tables.items()}
        for part in (slice(0, 2), slice(2, 5))
    ]
    half = loop.run(state, settings, cut[0], seeds, 3, 5)
    both = loop.run(half, settings, cut[1], seeds, 5, 8)
    assert torch.equal(both["w"], loop.run(state, settings, tables, seeds, 3, 8)["w"])
    assert torch.equal(loop.run(state, settings, tables, seeds, 3, 3)["w"], state["w"])


def test_loops_that_share_their_numbers_give_what_each_gives_alone(loop: CompiledLoop) -> None:
    def sums(state: Tensors, settings: Tensors, now: Tensors) -> Tensors:
        return {"total": state["total"] + (now["u"].sum(1) * now["coin"]).sum()}

    numbers = {"u": Drawn(0, (3, 40)), "coin": Drawn(1, (3,))}
    other = compile_loop(sums, {"total": torch.tensor(0.0)}, {}, numbers)
    state, settings, tables, seeds = made(11)
    mine = {"total": torch.zeros(5)}
    jobs = [Job(loop, state, settings, tables, seeds), Job(other, mine, {}, {}, torch.arange(5))]
    together = run_together(jobs, 3, 8)
    assert torch.equal(together[0]["w"], loop.run(state, settings, tables, seeds, 3, 8)["w"])
    assert torch.equal(together[1]["total"], other.run(mine, {}, {}, torch.arange(5), 3, 8)["total"])
    u, coin = (uniforms(torch.arange(5), k, 3, 5, n) for k, n in ((0, 120), (1, 3)))
    expected = (u.view(5, 5, 3, 40).sum(3) * coin).sum((0, 2))
    assert torch.allclose(together[1]["total"], expected, rtol=1e-5)


def test_numbers_that_are_drawn_at_once_for_blocks_of_other_seeds_are_each_runs_own() -> None:
    """A few runs of nine seeds lie in two blocks, whose numbers are drawn once, uniform and normal ones."""

    def iteration(state: Tensors, settings: Tensors, now: Tensors) -> Tensors:
        own = settings["key"] * now["u"].flatten() + now["n"].sum()
        return {"last": own, "sum": state["sum"] + own.sum()}

    start = {"last": torch.zeros(40), "sum": torch.tensor(0.0)}
    now = {"u": Drawn(0, (2, 20)), "n": Drawn(2, (3,), normal=True)}
    loop = compile_loop(iteration, start, {"key": torch.tensor(1.0)}, now)
    seeds = torch.arange(9).repeat_interleave(9)
    settings = {"key": torch.arange(9.0).repeat(9) + 1}
    state = {name: value.expand(81, *value.shape).clone() for name, value in start.items()}
    found = loop.run(state, settings, {}, seeds, 0, 70)
    expected = settings["key"][:, None] * uniforms(seeds, 0, 69, 1, 40)[0]
    expected = expected + normals(seeds, 2, 69, 1, 3)[0].sum(dim=1, keepdim=True)
    torch.testing.assert_close(found["last"], expected)
    for run in (0, 40, 80):
        one = slice(run, run + 1)
        alone = loop.run(
            {name: value[one] for name, value in state.items()},
            {"key": settings["key"][one]},
            {},
            seeds[one],
            0,
            70,
        )
        assert all(torch.equal(alone[name][0], found[name][run]) for name in found)


@pytest.mark.parametrize("shape", [(100, 32), (70, 30), (32, 100), (3000,)])
def test_long_rows_are_drawn_in_the_order_of_the_streams(shape: tuple[int, ...]) -> None:
    def keep(state: Tensors, settings: Tensors, now: Tensors) -> Tensors:
        return {"u": now["u"] + 0.0}

    loop = compile_loop(keep, {"u": torch.zeros(shape)}, {}, {"u": Drawn(3, shape)})
    seeds = torch.tensor([4, 11, 4])
    found = loop.run({"u": torch.zeros(3, *shape)}, {}, {}, seeds, 9, 10)["u"]
    assert torch.equal(found.flatten(1), uniforms(seeds, 3, 9, 1, found[0].numel())[0])


def test_wrong_tables_are_refused(loop: CompiledLoop) -> None:
    state, settings, tables, seeds = made(2)
    with pytest.raises(ValueError, match=r"table iteration must be \[6"):
        loop.run(state, settings, tables, seeds, 3, 9)
    with pytest.raises(ValueError, match="w must be"):
        loop.run({**state, "w": state["w"][:, :2]}, settings, tables, seeds, 3, 8)


def test_a_new_state_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="new state must have w"):
        compile_loop(lambda *_: {"w": torch.zeros(2)}, {"w": torch.zeros(3)}, {}, {})


def test_state_that_is_exchanged_or_kept() -> None:
    def swap(state: Tensors, settings: Tensors, now: Tensors) -> Tensors:
        return {"a": state["b"], "b": state["a"], "c": state["c"]}

    state = {name: torch.full((2, 30), float(k)) for k, name in enumerate("abc")}
    loop = compile_loop(swap, {name: value[0] for name, value in state.items()}, {}, {})
    found = loop.run(state, {}, {}, torch.zeros(2, dtype=torch.int64), 0, 3)
    assert [found[name][0, 0].item() for name in "abc"] == [1.0, 0.0, 2.0]


def test_minibatches_of_a_data_set_that_all_runs_share() -> None:
    data = torch.randn(50, 3, generator=torch.Generator().manual_seed(0))
    rows = torch.randint(0, 50, (4, 2, 20), generator=torch.Generator().manual_seed(1))

    def add(state: Tensors, settings: Tensors, now: Tensors) -> Tensors:
        batch = now["data"][now["rows"]]
        return {"total": state["total"] + settings["factor"] * batch.sum(0)}

    now = {"data": Fixed(data), "rows": Given(rows[0, 0])}
    loop = compile_loop(add, {"total": torch.zeros(3)}, {"factor": torch.tensor(1.0)}, now)
    factor, which = torch.arange(1.0, 4.0), torch.tensor([0, 1, 1])
    tables = {"data": data, "rows": (rows, which)}
    found = loop.run({"total": torch.zeros(3, 3)}, {"factor": factor}, tables, torch.arange(3), 0, 4)["total"]
    expected = torch.stack([f * data[rows[:, w]].sum((0, 1)) for f, w in zip(factor, which, strict=True)])
    assert torch.allclose(found, expected, rtol=1e-5, atol=1e-5)
