"""A small site of made-up runs, and a browser to look at it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_up_site import small_records, small_study

from nalm.report.site import site as site_module
from nalm.report.site import unit_pages
from nalm.report.site.gather import Gathered
from nalm.store import Store
from nalm.studies.ledger import CLAIMS
from nalm.units.registry import units as known_units


@pytest.fixture(scope="session")
def small_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(tmp_path_factory.mktemp("store"))
    store.add(small_records())
    return store


@pytest.fixture(scope="session")
def small_site(
    small_store: Store, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, Gathered]]:
    """The site of three units and one of somebody's own, and what it was made of."""
    path = tmp_path_factory.mktemp("site")
    chosen = {name: unit for name, unit in known_units().items() if name in ("NAU", "NMU")}
    claims = [claim for claim in CLAIMS if claim.id.startswith("002-")][:12]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unit_pages, "units", lambda: chosen)
        patch.setattr(site_module, "CLAIMS", claims)
        yield path, site_module.write_site(path, small_store, [small_study()])


def found(*names: str) -> str | None:
    return next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    program, driver = found("chromium", "chromium-browser", "google-chrome"), found("chromedriver")
    if program is None or driver is None:
        pytest.skip("no browser: install Debian's packages chromium and chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver", reason="no browser: pip install selenium")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(driver))
    started.set_page_load_timeout(120)
    yield started
    started.quit()
