"""The site in a real browser: filters, hovering and links do what they say, and nothing leaves the page."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from made_up_site import FULL, HOSTILE, small_study, whole_curve

from nalm.report.site.folder import Folder
from nalm.report.site.gather import Gathered, gather
from nalm.report.site.site import write_overview
from nalm.report.site.solver import Fitted, write_fit
from nalm.solving.formula.table_search import TableSearch, found_formulas
from nalm.store import Store
from nalm.studies.stored_run import Record
from nalm.studies.study import find_budget

PATIENCE = 60
"""Seconds that a page may take on a busy machine."""
Site = tuple[Path, Gathered]
LABELLED = """
return [...document.querySelectorAll('.chart [aria-label]')].map(e => e.getAttribute('aria-label'))
  .filter(label => label.includes(arguments[0]))
"""
"""What marks of charts say of themselves, if it has some words in it."""


class Page:
    """A page of the site in the browser."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    def open(self, path: Path, fragment: str = "", ready: bool = True) -> "Page":
        self.browser.get("about:blank")
        self.browser.get(path.as_uri() + fragment)
        if ready:
            self.wait("return Number(document.body.dataset.ready || 0) > 0")
        return self

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def wait(self, script: str) -> Any:
        end = time.monotonic() + PATIENCE
        while not (found := self.run(script)):
            assert time.monotonic() < end, f"waited in vain for {script}"
            time.sleep(0.05)
        return found

    def after(self, change: str) -> None:
        """Do something that draws the page anew, and wait for that."""
        before = int(self.run("return document.body.dataset.ready || 0"))
        self.run(change)
        self.wait(f"return Number(document.body.dataset.ready || 0) > {before}")

    def choose(self, field: str, value: str) -> None:
        self.after(
            f"const f = document.getElementById('filter-{field}'); f.value = {json.dumps(value)};"
            "f.dispatchEvent(new Event(f.tagName === 'INPUT' ? 'input' : 'change'))"
        )

    def texts(self, selector: str) -> list[str]:
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector
        )

    def emulate(self, width: int = 1200, scheme: str = "light") -> None:
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


@pytest.fixture
def page(browser: Any) -> Iterator[Page]:
    """A page that must have asked nobody for anything and complained of nothing when the test ends."""
    browser.get_log("browser"), browser.get_log("performance")
    page = Page(browser)
    page.emulate()
    yield page
    assert browser.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:"))] == []
    assert page.run("return window.alerted || 0") == 0


def test_filters_change_what_is_shown(page: Page, small_site: Site) -> None:
    path, _ = small_site
    page.open(path / "index.html")
    assert page.texts("figcaption") == [
        "add (+), 2 inputs",
        "sub (−), 2 inputs",
        "mul (×), 2 inputs",
        "div (÷), 2 inputs",
    ]
    page.choose("operation", "mul")
    assert page.texts("figcaption") == ["mul (×), 2 inputs"]
    assert page.texts("#count") == ["9 cells, 45 runs: 5 seeds each"]
    page.choose("unit", "nmu")
    assert page.texts("#count") == ["3 cells, 15 runs: 5 seeds each"]
    page.choose("unit", "n")  # part of every name
    assert page.texts("#count") == ["9 cells, 45 runs: 5 seeds each"]
    page.choose("unit", "nothing")
    assert page.texts("#count") == ["No cell matches: clear a filter."]
    page.choose("unit", "nmu")
    assert "operation=mul" in page.run("return location.hash")
    # The same view by its address, and all again.
    page.open(path / "index.html", "#operation=mul&unit=nmu")
    assert page.texts("#count") == ["3 cells, 15 runs: 5 seeds each"]
    page.after("document.getElementById('clear').click()")
    assert len(page.texts("figcaption")) == 4


def test_a_cell_tells_all_and_leads_to_its_runs(page: Page, small_site: Site) -> None:
    from selenium.webdriver import ActionChains, Keys
    from selenium.webdriver.common.by import By

    path, _ = small_site
    page.open(path / "index.html", "#operation=mul&unit=nmu")
    cells = list(page.browser.find_elements(By.CSS_SELECTOR, ".chart [aria-label*='success 0.80']"))
    ActionChains(page.browser).move_to_element(cells[0]).perform()
    tip = page.wait(
        "const t = document.querySelector('#vg-tooltip-element.visible'); return t && t.textContent"
    )
    assert "0.80 [0.38, 0.96]" in tip
    assert "0.80" in tip
    chart = page.browser.find_element(By.CSS_SELECTOR, ".chart")
    chart.send_keys(Keys.ARROW_RIGHT)
    card = page.wait("const c = document.getElementById('cell'); return !c.hidden && c.textContent")
    assert "NMU: mul (×)" in card
    chart.send_keys(Keys.ARROW_RIGHT)
    assert page.run("return document.querySelector('#cell h3').textContent") != card
    # Closed by the keyboard, the cell gives the focus back to its map.
    page.browser.find_element(By.CSS_SELECTOR, "#cell .close").send_keys(Keys.ESCAPE)
    assert page.run("return document.getElementById('cell').hidden")
    assert page.run("return document.activeElement.classList.contains('chart')")
    page.browser.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    page.browser.find_element(By.CSS_SELECTOR, "#cell a").click()
    page.wait("return document.body.dataset.ready && document.querySelector('#run h2')")
    assert page.browser.current_url.split("#")[0].endswith("studies/single-module-runs.html")
    assert len(page.texts("#seeds tbody tr")) == 5
    assert "a*b" in page.texts("#run code")
    page.run("document.querySelectorAll('#seeds button')[4].click()")
    page.wait("return location.hash.includes('seed=')")
    page.run(
        "const f = document.getElementById('filter-seed'); f.value = '2';f.dispatchEvent(new Event('change'))"
    )
    assert page.wait("return document.querySelector('#run h2').textContent").startswith("Seed 2 of")


def test_the_longest_training_of_each_cell_is_shown(page: Page, tmp_path: Path) -> None:
    study, half = small_study(), find_budget("1/2")
    cells = [cell for cell in study.cells if cell.operation == "mul" and cell.unit == "NMU"]
    store = Store(tmp_path / "store")
    for budget, some in ((half, cells), (FULL, cells[:1])):
        runs = [(cell, cell.run(budget, 0)) for cell in some]
        curves = [whole_curve(run, study.limit(cell), budget is FULL) for cell, run in runs]
        store.add(
            Record.of(study, cell, budget, run, curve, 0.5)
            for (cell, run), curve in zip(runs, curves, strict=True)
        )
    folder = Folder(tmp_path / "site", [])
    folder.assets()
    write_overview(folder, gather(store, [study]))
    page.open(folder.path / "index.html")
    assert page.texts("#filter-budget option") == ["longest of each cell", "full", "1/2"]
    assert page.texts("#count") == ["3 cells, 3 runs: 1 seed each"]
    assert page.texts("#stamp") == ["budgets of full, 1/2; a cell says its own"]
    assert len(page.run(LABELLED, "success 1.00")) == 1
    page.choose("budget", "1/2")
    assert len(page.run(LABELLED, "success 0.00")) == 3
    assert "0.5 of the published iterations" in page.texts("#stamp")[0]


def test_pages_are_linked_and_none_is_broken(page: Page, small_site: Site) -> None:
    path, _ = small_site
    seen, waiting = set(), ["index.html"]
    while waiting:
        name = waiting.pop()
        seen.add(name)
        page.open(path / name, ready=False)
        hrefs = page.run("return [...document.links].map(a => a.href)")
        for href in hrefs:
            if not href.startswith(path.as_uri()):
                assert href.startswith("https://")  # a unit's source
                continue
            target = href.removeprefix(path.as_uri() + "/").split("#")[0]
            assert (path / target).is_file(), f"{name} links to {target}"
            if target.endswith(".html") and target not in seen and target not in waiting:
                waiting.append(target)
    assert {
        "leaderboard.html",
        "claims.html",
        "published.html",
        "units/NMU.html",
        "studies/single-module.html",
    } <= seen


def test_study_unit_and_leaderboard_are_drawn(page: Page, small_site: Site) -> None:
    path, _ = small_site
    page.open(path / "studies" / "single-module.html")
    assert page.run("return document.querySelectorAll('#map svg, #panels svg').length") == 2
    page.wait("return document.querySelector('[data-chart=figure-1] svg')")  # the one that the study declares
    page.choose("panel", "mul (×), 2 inputs")
    assert len(page.texts("#rows tbody tr")) == 9
    link = page.run("return document.getElementById('png').href")
    assert (path / link.removeprefix(path.as_uri() + "/")).read_bytes().startswith(b"\x89PNG")
    page.open(path / "units" / "NMU.html", ready=False)
    page.wait("return document.querySelectorAll('.chart svg').length === 3")
    assert page.run("return document.querySelectorAll('.formula math').length") >= 1
    assert len(page.run(LABELLED, "mul (×), ")) == 3  # where it succeeds and fails
    page.open(path / "leaderboard.html", "#task=single-module&operation=mul (×)".replace(" ", "%20"))
    page.choose("operation", "mul (×)")
    assert page.run("return document.querySelectorAll('tr.own').length") == 1


def test_claims_are_searched(page: Page, small_site: Site) -> None:
    path, _ = small_site
    page.open(path / "claims.html", ready=False)
    total = len(page.texts("article.claim"))
    first = page.texts("article.claim code")[0]
    page.run(
        "const f = document.getElementById('filter-text'); f.value = arguments[0];"
        "f.dispatchEvent(new Event('input'))",
        first,
    )
    page.wait(f"return document.getElementById('count').textContent.endsWith('of {total} claims')")
    page.open(path / "claims.html", "#verdict=not+yet+run", ready=False)
    shown = "return [...document.querySelectorAll('article.claim:not([hidden])')].map(a => a.dataset.verdict)"
    assert set(page.run(shown)) == {"not yet run"}
    page.run("document.querySelector('button[data-verdict=\"not yet run\"]').click()")
    assert len(page.run(shown)) == total
    page.run("document.querySelector('button[data-verdict=\"not yet run\"]').click()")
    assert set(page.run(shown)) == {"not yet run"}
    assert "verdict=not+yet+run" in page.run("return location.hash")
    page.open(path / "claims.html", f"#{first}", ready=False)
    assert page.run("return document.getElementById(arguments[0]).querySelector('details').open", first)


def test_hostile_names_stay_text(page: Page, small_site: Site) -> None:
    path, _ = small_site
    for name in (
        "index.html",
        "leaderboard.html",
        "studies/single-module.html",
        "studies/single-module-runs.html",
    ):
        page.open(path / name, "#operation=mul" if name == "index.html" else "")
        assert page.run("return document.querySelectorAll('main img, main b').length") == 0
    page.open(path / "index.html", "#operation=mul")
    page.run("document.querySelector('details').open = true")
    page.wait("return document.querySelector('details td')")
    assert f"★ {HOSTILE}" in page.texts("details td")


CONTRAST = """
const linear = (v) => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
const light = (c) => {
  const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map(linear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (a, b) => {
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};
const behind = (e) => {
  for (let p = e; p; p = p.parentElement) {
    const c = getComputedStyle(p).backgroundColor;
    if (!c.includes('rgba') && c !== 'transparent' && !c.startsWith('color')) return c;
  }
  return 'rgb(255, 255, 255)';
};
const found = [];
const words = 'h1, h2, p, a, td, th, dt, dd, label, button, summary, .verdict, .legend span';
for (const e of document.querySelectorAll(words)) {
  const text = e.textContent.trim();
  if (e.offsetParent && text) found.push([ratio(getComputedStyle(e).color, behind(e)), text.slice(0, 30)]);
}
const fill = (selector) => [...document.querySelectorAll(selector)].map(e => getComputedStyle(e).fill);
const cells = fill('.mark-rect path[aria-label*="success"]');
fill('.layer_1_marks text').forEach((text, n) => found.push([ratio(text, cells[n]), 'cell ' + n]));
return [found.length, cells.length, found.sort((a, b) => a[0] - b[0])[0]];
"""


OVERFLOWING = """
const widths = (selector) => [...document.querySelectorAll(selector)].map(e => e.getBBox().width);
const cells = widths('.mark-rect path[aria-label*="success"]');
return widths('.layer_1_marks text').filter((width, n) => width > cells[n]).length;
"""


CHARTED = ("index.html", "studies/single-module.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_and_phone(page: Page, small_site: Site, scheme: str) -> None:
    path, _ = small_site
    page.emulate(width=390, scheme=scheme)
    for name in ("index.html", "studies/single-module.html", "claims.html", "published.html"):
        page.open(path / name, ready=name not in ("claims.html", "published.html"))
        assert page.run("return document.documentElement.dataset.theme") == scheme
        assert page.run("return document.documentElement.scrollWidth") <= 390, name
        count, cells, (least, what) = page.run(CONTRAST)
        assert count > 10
        assert (cells > 0) == (name in CHARTED)
        assert page.run(OVERFLOWING) == 0, f"{name}: numbers wider than their cells"
        assert least >= 4.5, f"{name}, {what}: {least:.2f}"


def test_the_theme_can_be_chosen(page: Page, small_site: Site) -> None:
    path, _ = small_site
    page.open(path / "index.html")
    for expected in ("light", "dark", "light"):
        page.run("document.getElementById('theme').click()")
        assert page.run("return document.documentElement.dataset.theme") == expected


def test_everything_has_a_name_for_screen_readers(page: Page, small_site: Site) -> None:
    path, _ = small_site
    nameless = """
      const told = (e) => e.getAttribute('aria-label') || e.textContent.trim() || e.closest('[aria-label]');
      const parts = 'select, input, button, a, [role=region], [role=group], svg';
      return [...document.querySelectorAll(parts)].filter(e => !told(e) && !(e.labels && e.labels.length))
        .map(e => e.outerHTML.slice(0, 80));
    """
    for name in (
        "index.html",
        "leaderboard.html",
        "studies/single-module.html",
        "studies/single-module-runs.html",
    ):
        page.open(path / name)
        assert page.run(nameless) == [], name


def test_the_alternatives_of_a_fit_can_be_chosen(page: Page, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    names = ["<img src=x onerror=alert(1)>", "b"]
    table = pd.DataFrame(rng.uniform(1, 5, (200, 2)), columns=names)
    table["y"] = table[names[0]] * table["b"] ** 2 / 2 + table["b"]
    findings = TableSearch().find(table[names], table["y"])
    path = write_fit(tmp_path, Fitted("t.csv", table, names, "y", *found_formulas(findings)))
    page.open(path)
    verdict = "return document.querySelector('section.formula-part:not([hidden]) .verdict').textContent"
    assert page.run(verdict) == "verified"
    page.after("document.querySelector('input[name=formula]').click()")
    assert page.run(verdict) == "not verified"
    assert (
        page.run(
            "return document.querySelectorAll('#against svg, #residuals svg, #by-complexity svg').length"
        )
        == 3
    )
    assert page.run("return document.querySelectorAll('main img').length") == 0
    page.run("document.querySelector('.formula-part:not([hidden]) button.copy').click()")
    assert page.wait(
        "return [...document.querySelectorAll('button.copy')].some(b => b.textContent === 'copied')"
    )
