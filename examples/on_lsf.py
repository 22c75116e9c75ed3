"""A study on the nodes of a LSF cluster, started from the node where jobs are submitted.

python examples/on_lsf.py 40 single-module --store /shared/runs --shared-store
"""

import subprocess
import sys

from dask_jobqueue import LSFCluster

if __name__ == "__main__":
    jobs, *arguments = sys.argv[1:]
    # A job is one process on one core: small jobs find room everywhere. Those whose time is up are replaced,
    # and what they have not finished goes on in others.
    with LSFCluster(cores=1, processes=1, memory="2GB", walltime="04:00", death_timeout=600) as cluster:
        cluster.adapt(minimum_jobs=int(jobs), maximum_jobs=int(jobs))
        command = [sys.executable, "-m", "nalm", "run", *arguments, "--dask", cluster.scheduler_address]
        sys.exit(subprocess.run(command, check=False).returncode)
