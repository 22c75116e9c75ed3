"""A study on a Dask cluster of processes on this machine, to try one before you ask for a real one.

python examples/on_laptop.py 2 single-module --unit NMU --budget laptop
"""

import subprocess
import sys

from dask.distributed import LocalCluster

if __name__ == "__main__":
    workers, *arguments = sys.argv[1:]
    # One thread per process: the engine uses one core, and its numbers do not depend on how many there are.
    with LocalCluster(n_workers=int(workers), threads_per_worker=1, dashboard_address=None) as cluster:
        command = [sys.executable, "-m", "nalm", "run", *arguments, "--dask", cluster.scheduler_address]
        sys.exit(subprocess.run(command, check=False).returncode)
