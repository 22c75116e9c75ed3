"""An hour of mixed work that is interrupted all the time, and what is left of it.

    python benchmarks/soak.py --minutes 60

Processes of `nalm run` share a store, alone, in pairs and on a Dask cluster, and are killed at random
moments: the command, its workers, the cluster's workers and its scheduler. Rubbish is laid into the store.
When a command has finished everything, a bit of a finished file is flipped, and the next command has to
notice it. At the end of a cycle the store, the table of `nalm show` and the figures of `nalm plot` must be
those of a run that nobody disturbed. Whom it hits and what is laid is drawn from decks of cards, so that
nothing is left out for long. Beside that one process goes on from the beginning to the end: it trains,
solves, stores and draws, and its memory must not grow.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

STUDY = ["single-module", "--budget", "1/10", "--seeds", "3", "--range", "[1, 2)"]
UNITS = ["NMU", "NAU", "G-NALU"]
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
PATIENCE = 1800
"""Seconds after which a process that should have ended counts as hanging."""
PAUSE = 10
"""Seconds between two rounds of the process that stays, which leave the cores to the others."""
GROWTH = 1.1
"""Memory of the last third of the rounds against the second; in the first, torch and others fill caches."""


@dataclass
class Summary:
    """What happened, and what was wrong."""

    started: float = field(default_factory=time.monotonic)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)

    def check(self, good: bool, what: str) -> None:
        self.counts["checks"] += 1
        if not good:
            self.wrong.append(what)

    def report(self) -> dict[str, object]:
        thirds = [self.memory[len(self.memory) * part // 3 :] for part in (1, 2)]
        middle, last = (sorted(part)[len(part) // 2] if part else float("nan") for part in thirds)
        if len(self.memory) >= 9:
            self.check(last < GROWTH * middle, f"memory grew from {middle:.0f} to {last:.0f} MB")
        return {
            "minutes": round((time.monotonic() - self.started) / 60, 1),
            **dict(sorted(self.counts.items())),
            "rounds of the process that stays": len(self.memory),
            "its memory, MB: first, middle third, last third": [
                f"{value:.0f}" for value in (*self.memory[:1], middle, last)
            ],
            "wrong": self.wrong,
        }


def nalm(*arguments: str, folder: Path, **options: object) -> subprocess.Popen[str]:
    """A command, in a process group of its own."""
    with (folder / "soak.log").open("a") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "nalm", *arguments],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=log,
            text=True,
            start_new_session=True,
            **options,  # type: ignore[call-overload]
        )


def run_command(store: Path, *further: str) -> list[str]:
    units = [word for unit in UNITS for word in ("--unit", unit)]
    return ["run", *STUDY, *units, "--store", str(store), *further]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def digests(store: Path) -> dict[str, str]:
    """Every finished run with a hash of all that training has found."""
    from nalm.store import Store

    frame = Store(store).frame(curves=True)
    found = {}
    for row in frame.itertuples():
        content = [list(row.steps), list(row.validation), list(row.test), list(row.sparsity), row.weights]
        found[row.identity] = hashlib.sha256(repr(content).encode()).hexdigest()
    return found


def outputs(store: Path, folder: Path) -> dict[str, str]:
    """Hashes of the table and the figures that are made of a store."""
    folder.mkdir(exist_ok=True)
    show = nalm("show", *STUDY, "--store", str(store), "--csv", str(folder / "table.csv"), folder=folder)
    show.wait(PATIENCE)
    plot = nalm("plot", *STUDY, "--store", str(store), "--output", str(folder), folder=folder)
    plot.wait(PATIENCE)
    made = [path for path in sorted(folder.iterdir()) if path.suffix in (".csv", ".png")]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in made}


class Deck:
    """Cards in random order; all of them are drawn before one comes again."""

    def __init__(self, chance: random.Random, *cards: str) -> None:
        self._chance, self._cards, self._left = chance, cards, list[str]()

    def draw(self) -> str:
        if not self._left:
            self._left = self._chance.sample(self._cards, len(self._cards))
        return self._left.pop()


class Decks:
    """What happens, in which order."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.place = Deck(chance, "on a cluster", "on a cluster", "on this machine")
        self.store = Deck(chance, "--shared-store", "")
        self.commands = Deck(chance, "1", "1", "2")
        self.victim = Deck(chance, "a command", "a command", "a worker")
        self.of_cluster = Deck(chance, "the scheduler", "a worker of the cluster", "a command")
        self.signal = Deck(chance, "SIGKILL", "SIGKILL", "SIGTERM", "SIGHUP", "SIGINT")
        self.rubbish = Deck(chance, "folder", "pipe", "foreign file", "half a file", "stale claim")


def disturb(
    decks: Decks, commands: list[subprocess.Popen[str]], cluster: Cluster | None, within: float
) -> str:
    """Send a signal to a command, one of its workers or a part of the cluster at a random moment."""
    deadline = time.monotonic() + decks.chance.uniform(0.2, 1) * within
    while time.monotonic() < deadline and any(command.poll() is None for command in commands):
        time.sleep(0.2)
    living = [command.pid for command in commands if command.poll() is None]
    if not living:
        return "nothing: it had finished"
    what, number = (decks.victim if cluster is None else decks.of_cluster).draw(), signal.SIGKILL
    pid = decks.chance.choice(living)
    if what == "a command":
        number = signal.Signals[decks.signal.draw()]
    elif what == "a worker":
        pid = decks.chance.choice(children(pid) or [pid])
    elif cluster is not None:
        scheduler, *workers = cluster.processes
        pid = scheduler.pid if what == "the scheduler" else decks.chance.choice(workers).pid
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return "nothing: it had finished"
    return f"{what}, by {number.name}"


def lay_rubbish(decks: Decks, store: Path) -> str:
    """Something that should not be in a store."""
    kind, name = decks.rubbish.draw(), f"{decks.chance.getrandbits(64):x}"
    if kind == "folder":
        (store / f"{name}.parquet").mkdir()
    elif kind == "pipe":
        os.mkfifo(store / f"{name}.parquet")
    elif kind == "half a file":
        (store / f".{name}.tmp").write_bytes(b"PAR1")
    elif kind == "stale claim":
        (store / "claims").mkdir(exist_ok=True)
        (store / "claims" / f"{name}.claim").write_text("nobody")
    else:
        (store / f"{name}.parquet").write_bytes(b"PAR1 of somebody else")
    return kind


def flip_bit(chance: random.Random, store: Path) -> Path:
    """Damage a finished file, and say which."""
    names = {path.stem for path in store.glob("*.parquet") if path.is_file() and len(path.stem) > 16}
    path = store / f"{chance.choice(sorted(names))}.parquet"
    content = bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
    return path


def cycle(decks: Decks, folder: Path, within: float, summary: Summary) -> None:
    """Disturb a run of the command until it has finished everything; then damage what it has stored."""
    store = folder / "store"
    store.mkdir(parents=True)
    place = decks.place.draw()
    cluster = Cluster(folder) if place == "on a cluster" else None
    summary.counts[f"cycles {place}"] += 1
    damaged: Path | None = None
    try:
        for turn in range(50):
            further = ["--workers", "2"]
            if cluster is not None:
                further = ["--dask", cluster.address(), "--patience", "60", *decks.store.draw().split()]
            count = int(decks.commands.draw())
            commands = [nalm(*run_command(store, *further), folder=folder) for _ in range(count)]
            summary.counts["commands started"] += count
            if turn < 3:
                what = disturb(decks, commands, cluster, within)
                summary.counts[f"killed: {what}"] += 1
                summary.counts[f"rubbish: {lay_rubbish(decks, store)}"] += 1
            if not wait(commands, summary):
                continue
            if damaged is not None:
                break
            damaged = flip_bit(decks.chance, store)
            summary.counts["bits flipped in finished files"] += 1
        else:
            summary.check(False, f"{folder.name}: not finished after 50 commands")
    finally:
        if cluster is not None:
            cluster.end()
    noticed = damaged is not None and list(store.glob(f"{damaged.stem}*corrupt*"))
    summary.check(bool(noticed), f"{folder.name}: a flipped bit was not noticed")


def wait(processes: list[subprocess.Popen[str]], summary: Summary) -> bool:
    """Wait until all have ended, and say whether one has finished everything."""
    for process in processes:
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            summary.check(False, "a command did not end")
    return any(process.returncode == 0 for process in processes)


class Cluster:
    """A scheduler and two workers, all of them processes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "scheduler.json"
        self.processes: list[subprocess.Popen[str]] = []

    def mend(self) -> None:
        """Start anew what is dead; without its scheduler, all of it is."""
        if not self.processes or self.processes[0].poll() is not None:
            self.end()
            self.file.unlink(missing_ok=True)
            self.processes = [self._start("scheduler", "--port", "0", "--no-dashboard")]
        scheduler, *workers = self.processes
        living = [worker for worker in workers if worker.poll() is None]
        self.processes = [scheduler, *living]
        for _ in range(2 - len(living)):
            options = ("--nthreads", "1", "--no-dashboard", "--death-timeout", "600")
            self.processes.append(self._start("worker", *options))

    def _start(self, *arguments: str) -> subprocess.Popen[str]:
        module, *options = arguments
        command = [sys.executable, "-m", f"distributed.cli.dask_{module}", *options]
        with (self.folder / "cluster.log").open("a") as log:
            return subprocess.Popen(
                [*command, "--scheduler-file", str(self.file)],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def address(self) -> str:
        """Where its scheduler listens; whatever is dead is started anew."""
        self.mend()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                return str(json.loads(self.file.read_text())["address"])
            except (OSError, ValueError):
                time.sleep(0.5)
        raise TimeoutError("the scheduler did not start")

    def end(self) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()


def stay(folder: Path) -> None:
    """Train, solve, store and draw, again and again, in one process; a line of JSON per round."""
    import numpy as np

    from nalm import ArithmeticRegressor, train
    from nalm.report.figures import three_panels
    from nalm.report.results import Results, cell_table
    from nalm.store import Store
    from nalm.studies.catalogue import find_study
    from nalm.studies.stored_run import Record
    from nalm.studies.study import Selection, find_budget

    study, budget = find_study("single-module"), find_budget("1/10")
    selection = Selection(units=("NMU",), operations=("mul",), ranges=("[1, 2)",))
    number = 0
    while True:
        pairs = study.runs(budget, selection, range(2))
        curves = train([run for _, run in pairs])
        store = Store(folder / f"stay-{number}")
        found = zip(pairs, curves, strict=True)
        store.add([Record.of(study, cell, budget, run, curve, 0.0) for (cell, run), curve in found])
        results = Results.read(study, budget, store, selection, range(2))
        list(three_panels(cell_table(results), ["NMU"], folder / f"stay-{number}", "figure", ""))
        x = np.random.default_rng(0).uniform(1, 5, (200, 3))
        model = ArithmeticRegressor(random_state=0).fit(x, x[:, 0] * x[:, 1] / x[:, 2])
        text = repr([curve.test.tolist() for curve in curves]) + str(model.expression_)
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        megabytes = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
        digest = hashlib.sha256(text.encode()).hexdigest()
        print(json.dumps({"memory": megabytes, "digest": digest}), flush=True)
        number += 1
        time.sleep(PAUSE)


def follow(process: subprocess.Popen[str], summary: Summary) -> None:
    """Note what the process that stays says."""
    first = None
    assert process.stdout is not None
    for line in process.stdout:
        said = json.loads(line)
        summary.memory.append(said["memory"])
        first = first or said["digest"]
        summary.check(said["digest"] == first, "the process that stays found something else")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0, help="of what is disturbed when")
    parser.add_argument("--stay", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.stay:
        stay(chosen.stay)
    decks, summary = Decks(random.Random(chosen.seed)), Summary()
    with tempfile.TemporaryDirectory(prefix="nalm-soak-") as name:
        folder = Path(name)
        staying = subprocess.Popen(
            [sys.executable, __file__, "--stay", name],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        follower = threading.Thread(target=follow, args=(staying, summary), daemon=True)
        follower.start()
        started = time.monotonic()
        undisturbed = nalm(*run_command(folder / "reference"), folder=folder)
        summary.check(undisturbed.wait(PATIENCE) == 0, "the undisturbed run failed")
        within = 1.2 * (time.monotonic() - started)
        runs, made = digests(folder / "reference"), outputs(folder / "reference", folder / "made")
        print(f"{len(runs)} runs in {within / 1.2:.0f} s undisturbed", flush=True)
        number = 0
        while time.monotonic() - summary.started < 60 * chosen.minutes:
            own = folder / f"cycle-{number}"
            own.mkdir()
            cycle(decks, own, within, summary)
            summary.counts["cycles"] += 1
            summary.check(digests(own / "store") == runs, f"{own.name}: other runs than undisturbed")
            summary.check(outputs(own / "store", own / "made") == made, f"{own.name}: other table or figures")
            tracebacks = (own / "soak.log").read_text().count("Traceback")
            summary.check(tracebacks == 0, f"{own.name}: {tracebacks} tracebacks")
            left = [path for path in own.rglob("*.claim") if path.read_text() != "nobody"]
            summary.check(not left, f"{own.name}: claims are left")
            minutes = (time.monotonic() - summary.started) / 60
            print(f"cycle {number} ended after {minutes:.1f} minutes, wrong: {summary.wrong}", flush=True)
            number += 1
        summary.check(staying.poll() is None, "the process that stays has ended")
        staying.kill()
        staying.wait()
        print(json.dumps(summary.report(), indent=2, ensure_ascii=False))
    sys.exit(bool(summary.wrong))


if __name__ == "__main__":
    main()
