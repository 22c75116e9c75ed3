"""Killed and resumed training gives the same bits."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from nalm import Architecture, Layer, Ramp, Recipe, Run, chunks
from nalm.tasks import single_module, two_layer
from nalm.training.checkpoint import FORGOTTEN, Checkpoints
from nalm.training.engine import train_chunks
from nalm.training.run import Curve
from nalm.units.restart import Restart

NMU = Architecture((Layer("NAU", 20, 2), Layer("NMU", 2, 1)))
RECIPE = Recipe(iterations=24, evaluate_every=4, penalties=(("sparse", Ramp(10.0, 8, 16)),))
RUNS = [Run(NMU, two_layer("mul", inputs=20), RECIPE, seed) for seed in range(2)]
(CHUNK,) = chunks(RUNS)


class Killed(Exception):
    pass


def curves(chunk=CHUNK, checkpoints: Checkpoints | None = None, stop_after: int | None = None) -> list[Curve]:
    """Train; die when so many run-iterations are done."""
    done = 0

    def progress(count: int) -> None:
        nonlocal done
        done += count
        if stop_after is not None and done >= stop_after:
            raise Killed

    ((_, found),) = train_chunks([chunk], progress=progress, checkpoints=checkpoints)
    return found


def assert_same(a: list[Curve], b: list[Curve]) -> None:
    for one, other in zip(a, b, strict=True):
        for name in ("iterations", "validation", "test", "sparsity"):
            assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
        assert one.restarts == other.restarts
        for name, value in one.weights.items():
            assert value.tobytes() == other.weights[name].tobytes()


@pytest.mark.parametrize("stop_after", [10, 36])
def test_resumed_training_gives_the_same_bits(eager: None, tmp_path: Path, stop_after: int) -> None:
    whole = curves()
    checkpoints = Checkpoints(tmp_path, every=0.0)
    with pytest.raises(Killed):
        curves(checkpoints=checkpoints, stop_after=stop_after)
    assert len(list(tmp_path.iterdir())) == 1
    assert_same(curves(checkpoints=checkpoints), whole)


def test_only_what_was_missing_is_trained(eager: None, tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, every=0.0)
    with pytest.raises(Killed):
        curves(checkpoints=checkpoints, stop_after=36)
    counts: list[int] = []
    list(train_chunks([CHUNK], progress=counts.append, checkpoints=checkpoints))
    assert counts[0] == 32  # two runs, 16 iterations each: what the bar must show as done
    assert sum(counts) == 48


def test_restarts_are_remembered(eager: None, tmp_path: Path) -> None:
    rule = Restart(every=2, window=10, threshold=0.0)
    stalled = Recipe(iterations=32, evaluate_every=4, learning_rate=1e-30, restart=rule)
    (chunk,) = chunks([Run(Architecture((Layer("INALU", 2, 1),)), single_module("mul"), stalled, 0)])
    whole = curves(chunk)
    assert whole[0].restarts
    checkpoints = Checkpoints(tmp_path, every=0.0)
    with pytest.raises(Killed):
        curves(chunk, checkpoints, stop_after=18)
    assert_same(curves(chunk, checkpoints), whole)


def test_other_runs_have_another_checkpoint(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    (other,) = chunks(RUNS[:1])
    assert checkpoints.of(other).path != checkpoints.of(CHUNK).path
    assert checkpoints.of(chunks(list(RUNS))[0]).path == checkpoints.of(CHUNK).path


def test_fewer_runs_go_on_where_all_were(eager: None, tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, every=0.0)
    with pytest.raises(Killed):
        curves(checkpoints=checkpoints, stop_after=36)
    (second,) = checkpoints.pack(RUNS[1:])
    counts: list[int] = []
    ((_, found),) = train_chunks([second], progress=counts.append, checkpoints=checkpoints)
    assert counts[0] == 16
    assert_same(found, curves()[1:])


def test_more_runs_leave_those_that_were_begun_together(eager: None, tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, every=0.0)
    with pytest.raises(Killed):
        curves(checkpoints=checkpoints, stop_after=36)
    more = [Run(NMU, two_layer("mul", inputs=20), RECIPE, seed) for seed in range(4)]
    begun, new = checkpoints.pack(reversed(more))
    assert begun == CHUNK
    assert new.runs == (more[2], more[3])


def test_the_most_advanced_of_two_checkpoints_counts(eager: None, tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, every=0.0)
    (first,) = chunks(RUNS[:1])
    for chunk, stop_after in ((CHUNK, 20), (first, 18)):
        with pytest.raises(Killed):
            curves(chunk, checkpoints, stop_after)
    counts: list[int] = []
    work = checkpoints.pack(RUNS)
    assert work[0] == first
    trained = list(train_chunks(work, progress=counts.append, checkpoints=checkpoints))
    assert_same([curve for _, found in trained for curve in found], curves())
    assert sum(counts) == 2 * RECIPE.iterations
    assert counts[0] == 16


def test_what_is_finished_is_tidied_away(eager: None, tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, every=0.0)
    with pytest.raises(Killed):
        curves(checkpoints=checkpoints, stop_after=36)
    checkpoints.tidy({RUNS[0].identity})
    assert checkpoints.of(CHUNK).path.exists()
    checkpoints.tidy({run.identity for run in RUNS})
    assert not checkpoints.of(CHUNK).path.exists()


def test_what_nobody_can_go_on_with_is_tidied_away(eager: None, tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, every=0.0)
    with pytest.raises(Killed):
        curves(checkpoints=checkpoints, stop_after=36)
    ours = checkpoints.of(CHUNK).path
    other = tmp_path / "of another torch.pt"
    torch.save(torch.load(ours, weights_only=True) | {"computing": ["1.0", "AVX2", "True"]}, other)
    forgotten = tmp_path / "forgotten.pt"
    forgotten.write_bytes(other.read_bytes())
    long_ago = time.time() - FORGOTTEN - 60
    os.utime(forgotten, (long_ago, long_ago))
    damaged, left = tmp_path / "damaged.pt", tmp_path / ".left.tmp"
    damaged.write_bytes(b"not a checkpoint")
    left.write_bytes(b"half of one")
    os.utime(left, (long_ago, long_ago))
    (tmp_path / "folder.pt").mkdir()
    with pytest.warns(RuntimeWarning, match=r"damaged\.pt cannot be read .* and is removed"):
        checkpoints.tidy(set())
    assert set(tmp_path.iterdir()) == {ours, other, tmp_path / "folder.pt"}


def test_saved_no_more_often_than_asked(eager: None, tmp_path: Path) -> None:
    curves(checkpoints=Checkpoints(tmp_path, every=3600.0))
    assert not list(tmp_path.iterdir())


def test_a_damaged_file_means_starting_over(eager: None, tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    checkpoints.of(CHUNK).path.write_bytes(b"not a checkpoint")
    with pytest.warns(RuntimeWarning, match="its runs start over"):
        found = curves(checkpoints=checkpoints)
    assert_same(found, curves())


def test_a_directory_that_cannot_be_written_does_not_stop_training(eager: None, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.warns(RuntimeWarning, match="training goes on"):
        found = curves(checkpoints=Checkpoints(tmp_path / "file" / "below", every=0.0))
    assert_same(found, curves())


def test_a_finished_chunk_is_discarded(tmp_path: Path) -> None:
    checkpoint = Checkpoints(tmp_path).of(CHUNK)
    checkpoint.path.write_bytes(b"")
    checkpoint.discard()
    checkpoint.discard()
    assert not checkpoint.path.exists()


def test_a_process_killed_without_warning_is_resumed(eager: None, tmp_path: Path) -> None:
    """SIGKILL in the middle of a block; another process finishes the chunk."""
    script = textwrap.dedent(
        f"""
        import os, pathlib, signal
        from nalm import Architecture, Layer, Ramp, Recipe, Run, chunks
        from nalm.tasks import two_layer
        from nalm.training import checkpoint, execution
        from nalm.training.engine import train_chunks
        execution.compiler = lambda: None
        network = Architecture((Layer("NAU", 20, 2), Layer("NMU", 2, 1)))
        recipe = Recipe(iterations=24, evaluate_every=4, penalties=(("sparse", Ramp(10.0, 8, 16)),))
        runs = [Run(network, two_layer("mul", inputs=20), recipe, seed) for seed in range(2)]
        done = 0
        def progress(count):
            global done
            done += count
            if done >= 36:
                os.kill(os.getpid(), signal.SIGKILL)
        kept = checkpoint.Checkpoints(pathlib.Path({str(tmp_path)!r}), every=0.0)
        list(train_chunks(chunks(runs), progress=progress, checkpoints=kept))
        """
    )
    killed = subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=False)
    assert killed.returncode == -9
    counts: list[int] = []
    checkpoints = Checkpoints(tmp_path)
    ((_, found),) = train_chunks([CHUNK], progress=counts.append, checkpoints=checkpoints)
    assert counts[0] == 32
    assert_same(found, curves())
    assert np.isfinite(found[0].test).all()
