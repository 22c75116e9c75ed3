"""One run, one process; and nobody waits for the dead."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from nalm.training.run_claims import RunClaims, machine


@pytest.fixture
def elsewhere(tmp_path: Path) -> str:
    """The owner of claims on another machine, alive a moment ago."""
    owner = "0123456789ab-1-0123456789ab"
    (tmp_path / f"{owner}.owner").touch()
    return owner


def claimed_by(owner: str, directory: Path, identity: str) -> Path:
    path = directory / f"{identity}.claim"
    path.write_text(owner)
    return path


def old(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_a_run_is_claimed_once(tmp_path: Path) -> None:
    with RunClaims(tmp_path) as one, RunClaims(tmp_path) as other:
        assert one.take(["a", "b"]) == {"a", "b"}
        assert one.take(["a"]) == {"a"}  # still ours
        assert other.take(["a", "c"]) == set()  # whoever has the first is about to take the rest
        assert other.take(["c", "b"]) == {"c"}
        assert other.others(["a", "b", "c", "d"]) == {one.owner: {"a", "b"}}
        one.release(["a", "c"])
        assert other.take(["a"]) == {"a"}
        assert one.others(["c"]) == {other.owner: {"c"}}
    assert not list(tmp_path.iterdir())


def test_many_at_once(tmp_path: Path) -> None:
    names = [str(number) for number in range(200)]
    won: list[str] = []

    def grab() -> None:
        with RunClaims(tmp_path) as claims:
            for name in names:
                won.extend(claims.take([name]))
            barrier.wait()  # claims are given back when all have asked for everything

    barrier = threading.Barrier(4)
    threads = [threading.Thread(target=grab) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == sorted(names)


def test_another_machine_lives_while_its_heart_beats(tmp_path: Path, elsewhere: str) -> None:
    claimed_by(elsewhere, tmp_path, "a")
    with RunClaims(tmp_path, expiry=100) as ours:
        old(tmp_path / f"{elsewhere}.owner", 50)
        assert ours.take(["a"]) == set()
        old(tmp_path / f"{elsewhere}.owner", 200)
        assert ours.others(["a"]) == {}
        assert ours.take(["a"]) == {"a"}


def test_our_own_heart_beats(tmp_path: Path) -> None:
    with RunClaims(tmp_path, beat=0.01) as ours:
        path = tmp_path / f"{ours.owner}.owner"
        old(path, 1000)
        deadline = time.time() + 60
        while time.time() - path.stat().st_mtime > 500 and time.time() < deadline:
            time.sleep(0.01)
        assert time.time() - path.stat().st_mtime < 500


def test_what_dead_processes_left_is_cleared(tmp_path: Path, elsewhere: str) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    dead = f"{machine()}-{process.pid}-0123456789ab"
    gone = [tmp_path / f"{dead}.owner", claimed_by(dead, tmp_path, "a"), claimed_by("nobody", tmp_path, "b")]
    gone[0].touch()
    stays = claimed_by(elsewhere, tmp_path, "c")
    with RunClaims(tmp_path) as ours:
        assert not any(path.exists() for path in gone)
        assert stays.exists()
        assert ours.take(["a", "b"]) == {"a", "b"}


def test_a_claim_that_is_being_written_counts(tmp_path: Path) -> None:
    path = claimed_by("", tmp_path, "a")
    with RunClaims(tmp_path, expiry=100) as ours:
        assert ours.take(["a"]) == set()
        old(path, 200)
        assert ours.take(["a"]) == {"a"}


def test_nothing_of_others_is_released(tmp_path: Path, elsewhere: str) -> None:
    with RunClaims(tmp_path) as ours:
        assert ours.take(["a"]) == {"a"}
        path = claimed_by(elsewhere, tmp_path, "a")  # taken over while this process slept
        ours.release(["a"])
        assert path.read_text() == elsewhere
