"""The site of a large store: how long it takes to write, how large its pages are, how fast the first opens.

    python benchmarks/site.py --runs 50000

The runs are made up: every cell of the Single Module Task gets as many seeds as that takes, each with a whole
curve, as runs of one's own have. Chromium opens the overview several times with an empty cache, and the
seconds until all is drawn are those of the page's own clock; then it narrows the overview to one unit.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nalm.report.site.site import write_site
from nalm.store import Store
from nalm.studies.catalogue import find_study
from nalm.studies.stored_run import Record
from nalm.studies.study import Study, find_budget
from nalm.training.run import Curve

ROWS, EVERY = 51, 1000
"""Rows of a curve and iterations between them, as the task has them at its full budget."""
PATIENCE = 60
"""Seconds to wait for a page."""
MOST_FIRST_VIEW, LARGEST_PAGE = 2.0, 5e6
"""Seconds and bytes that were aimed at."""


def made_up(study: Study, runs: int) -> list[Record]:
    """Runs of all cells of a study: errors fall from 1 towards 10⁻¹², some of them below the threshold."""
    rng, full = np.random.default_rng(0), find_budget("full")
    iterations = np.arange(ROWS) * EVERY
    records = []
    for cell in study.cells:
        for seed in range(study.seeds):
            error = 10.0 ** (-rng.uniform(0, 12) * np.linspace(0, 1, ROWS) + rng.normal(0, 0.1, ROWS))
            curve = Curve(iterations, error, 2 * error, np.minimum(error, 0.5))
            records.append(Record.of(study, cell, full, cell.run(full, seed), curve, 1.0))
            if len(records) == runs:
                return records
    return records


def browser() -> Any:
    """Chromium without a window."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def wait(driver: Any, script: str) -> None:
    """Wait until a script gives something true."""
    end = time.monotonic() + PATIENCE
    while not driver.execute_script(script):
        if time.monotonic() > end:
            raise TimeoutError(f"waited {PATIENCE} s for {script}")
        time.sleep(0.005)


class View(NamedTuple):
    """How long a browser just started took.

    Attributes:
        drawn: seconds until the overview was drawn, by the page's own clock.
        computing: how much of that the page computed; the rest it waited, for the disk or for a core.
        filtered: seconds from choosing a unit until the overview showed it alone.
    """

    drawn: float
    computing: float
    filtered: float


def first_view(page: Path, unit: str) -> View:
    """Open the overview in a browser just started, and narrow it to a unit."""
    driver = browser()
    try:
        driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        driver.get(page.as_uri())
        wait(driver, "return Number(document.body.dataset.ready || 0) > 0")
        drawn = driver.execute_script("return performance.now()") / 1000
        metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        (computing,) = (metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
        begin = time.monotonic()
        before = driver.execute_script(
            "const f = document.getElementById('filter-unit'), before = Number(document.body.dataset.ready);"
            "f.value = arguments[0]; f.dispatchEvent(new Event('input')); return before",
            unit,
        )
        wait(driver, f"return Number(document.body.dataset.ready) > {before}")
        return View(drawn, computing, time.monotonic() - begin)
    finally:
        driver.quit()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=50_000)
    parser.add_argument("--views", type=int, default=5, help="how often the first page is opened")
    parser.add_argument("--keep", type=Path, help="write the site here instead of to a temporary folder")
    parser.add_argument("--open", type=Path, help="only open a site that was kept")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = chosen.open or chosen.keep or Path(name) / "site"
        found: dict[str, Any] = {}
        if chosen.open is None:
            study = find_study("single-module")
            study = dataclasses.replace(study, seeds=-(-chosen.runs // len(study.cells)))
            store = Store(Path(name) / "store")
            store.add(made_up(study, chosen.runs))
            begin = time.process_time()
            write_site(folder, store, [study])
            found["written in CPU s"] = round(time.process_time() - begin, 1)
        files = {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}
        largest = max(files, key=lambda path: files[path])
        found |= {
            "runs": chosen.runs,
            "megabytes": round(sum(files.values()) / 1e6, 1),
            "largest file": f"{largest.relative_to(folder)}, {files[largest] / 1e6:.2f} MB",
        }
        views = [first_view(folder / "index.html", "NMU") for _ in range(chosen.views)]
        names = "first view, s", "of that computing, s", "a filter, s"
        for name, seconds in zip(names, zip(*views, strict=True), strict=True):
            found[name] = [round(each, 2) for each in sorted(seconds)]
        middle = statistics.median(view.drawn for view in views)
        found["within what was aimed at"] = middle < MOST_FIRST_VIEW and files[largest] < LARGEST_PAGE
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
