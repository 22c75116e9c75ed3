"""Batches that are made once for several loops."""

import torch

from nalm.compiler import Drawn, Job, Made, compile_batch, compile_loop, run_together, uniforms

ONE = torch.tensor(1.0)
DRAWN = {"u": Drawn(0, (3, 64))}


def make(settings, now):
    x = settings["low"] + settings["width"] * now["u"]
    return {"x": x.mT, "y": x.sum(0)}


BATCH = compile_batch(make, {"low": ONE, "width": ONE}, DRAWN, 64)
NOW = {"x": Made(BATCH, "x"), "y": Made(BATCH, "y")}
SETTINGS = {"low": ONE, "width": ONE, "rate": ONE}


def fitted(state, settings, now):
    error = now["x"] @ state["w"] - now["y"]
    return {"w": state["w"] - settings["rate"] * (now["x"] * error[:, None]).mean(0)}


def summed(state, settings, now):
    return {"total": state["total"] + now["y"].sum()}


def runs(seeds, lows):
    count = len(seeds)
    return {
        "low": torch.tensor(lows),
        "width": torch.full((count,), 2.0),
        "rate": torch.linspace(0.01, 0.05, count),
    }, torch.tensor(seeds)


def test_a_loop_that_makes_its_batches_itself_gives_the_same_bits() -> None:
    def whole(state, settings, now):
        return fitted(state, settings, make(settings, now))

    apart = compile_loop(fitted, {"w": torch.ones(3)}, SETTINGS, NOW, 64)
    itself = compile_loop(whole, {"w": torch.ones(3)}, SETTINGS, DRAWN, 64)
    settings, seeds = runs([0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0], [1.0] * 9 + [1.0, 5.0])
    start = {"w": torch.zeros(11, 3)}
    found = apart.run(start, settings, {}, seeds, 0, 7)["w"]
    assert torch.equal(found, itself.run(start, settings, {}, seeds, 0, 7)["w"])


def test_loops_share_batches_and_each_gets_its_own() -> None:
    """Runs of the same seed with other settings have other batches, in any company."""
    fit = compile_loop(fitted, {"w": torch.ones(3)}, SETTINGS, NOW, 64)
    add = compile_loop(summed, {"total": ONE}, SETTINGS, NOW, 64)
    first = runs([0, 1, 2, 0, 1, 2], [1.0, 1.0, 1.0, 7.0, 7.0, 7.0])
    second = runs([2, 0, 9, 2], [7.0, 1.0, 1.0, 3.0])
    jobs = [
        Job(fit, {"w": torch.zeros(6, 3)}, first[0], {}, first[1]),
        Job(add, {"total": torch.zeros(4)}, second[0], {}, second[1]),
    ]
    together = run_together(jobs, 2, 6)
    for job, found in zip(jobs, together, strict=True):
        for name, values in job.loop.run(job.state, job.settings, {}, job.seeds, 2, 6).items():
            assert torch.equal(values, found[name])
    low, seeds = second[0]["low"], second[1]
    u = uniforms(seeds, 0, 2, 4, 192)
    assert torch.allclose(
        together[1]["total"], (low + 2 * u.view(4, 4, 192).mean(-1)).sum(0) * 192, rtol=1e-5
    )
