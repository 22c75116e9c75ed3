"""The examples of clusters, with queues that are made up: their jobs run here at once."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from nalm.store import Store

pytest.importorskip("dask_jobqueue")
EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = ["single-module", "--unit", "NMU", "--range", "[1, 2)", "--budget", "smoke"]

SUBMIT = """
    #!{python}
    import subprocess, sys
    script = open(sys.argv[1]).read() if len(sys.argv) > 1 and sys.argv[1] != "-" else sys.stdin.read()
    asked = [line for line in script.splitlines() if line.startswith("#{directive}")]
    with open("{folder}/asked", "a") as file:
        file.write("\\n".join(asked))
    job = subprocess.Popen(["/bin/sh", "-c", script], start_new_session=True, stdin=subprocess.DEVNULL,
                           stdout=open("{folder}/job.log", "ab"), stderr=subprocess.STDOUT)
    print("{answer}".replace("NUMBER", str(job.pid)))
"""
CANCEL = """
    #!{python}
    import os, signal, sys
    for number in sys.argv[1:]:
        try:
            os.killpg(int(number), signal.SIGTERM)
        except ProcessLookupError:
            pass
"""


def program(path: Path, text: str, **values: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(textwrap.dedent(text).lstrip().format(python=sys.executable, **values))
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("example", "submit", "cancel", "directive", "answer"),
    [
        ("on_slurm.py", "sbatch", "scancel", "SBATCH", "Submitted batch job NUMBER"),
        ("on_lsf.py", "bsub", "bkill", "BSUB", "Job <NUMBER> is submitted to default queue <normal>."),
    ],
)
def test_a_queue(tmp_path: Path, example: str, submit: str, cancel: str, directive: str, answer: str) -> None:
    program(tmp_path / "bin" / submit, SUBMIT, folder=str(tmp_path), directive=directive, answer=answer)
    program(tmp_path / "bin" / cancel, CANCEL)
    program(tmp_path / "bin" / "lsid", "#!{python}\n")
    result = subprocess.run(
        [sys.executable, str(EXAMPLES / example), "1", *SMALL, "--store", str(tmp_path / "store")],
        cwd=tmp_path,
        env=os.environ | {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr + (tmp_path / "job.log").read_text()
    assert len(Store(tmp_path / "store").identities()) == 1
    assert "1" in (tmp_path / "asked").read_text()  # one core


def test_this_machine(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, str(EXAMPLES / "on_laptop.py"), "1", *SMALL, "--store", str(tmp_path / "store")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert len(Store(tmp_path / "store").identities()) == 1
