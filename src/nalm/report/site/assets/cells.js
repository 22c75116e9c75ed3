"use strict";
// Cells of studies: rows of the overview's and the studies' heat maps.
nalm.cellRows = (data) => data.columns.success.map((_, index) => {
  const at = (name) => data.columns[name][index];
  const unit = data.units[at("unit")], own = Boolean(at("own"));
  const published = at("published"), relation = at("atLeast") ? "≥ " : "";
  const gap = published === null ? null : at("asPublished") - published;
  const row = {
    index, own, unit: own ? `★ ${unit}` : unit, study: at("study"), budget: at("budget"),
    operation: at("operation"), inputs: at("inputs"), label: data.labels[at("label")], panel: at("panel"), column: data.labels[at("column")], place: at("place"),
    success: at("success"), low: at("low"), high: at("high"), seeds: at("seeds"), diverged: at("diverged"),
    solvedAt: at("solvedAt"), sparsityError: at("sparsity"), file: at("file"), verdict: data.verdicts[at("verdict")],
    published, source: at("source") === null ? "" : data.sources[at("source")],
    spent: data.budgets[at("budget")], shown: nalm.rate(at("success")), told: nalm.interval(at("success"), at("low"), at("high")),
    solved: nalm.number(at("solvedAt")), sparsity: nalm.number(at("sparsity")),
    was: published === null ? "–" : `${relation}${nalm.rate(published)}`,
    difference: gap === null ? "–" : `${gap < 0 ? "−" : "+"}${nalm.rate(Math.abs(gap))}, ${data.verdicts[at("verdict")]}`,
  };
  // For the papers' figure; a logarithmic axis has no place for 0.
  const drawn = (value) => (value === null ? null : Math.max(value, 1e-8));
  Object.assign(row, {
    successLow: at("low"), successHigh: at("high"),
    solvedAtMean: at("solvedAtMean"), solvedAtMeanLow: at("solvedAtLow"), solvedAtMeanHigh: at("solvedAtHigh"),
    sparsityDrawn: drawn(at("sparsity")), sparsityDrawnLow: drawn(at("sparsityLow")), sparsityDrawnHigh: drawn(at("sparsityHigh")),
  });
  row.said = `${row.unit}, ${row.column}: success ${row.told}, ${row.seeds} seeds${published === null ? "" : `, published ${row.was}`}`;
  return row;
});

nalm.mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

// Units with the highest mean success first.
nalm.ranked = (rows) => {
  const found = new Map();
  rows.forEach((row) => found.set(row.unit, [...(found.get(row.unit) || []), row.success]));
  return [...found.keys()].sort((a, b) => nalm.mean(found.get(b)) - nalm.mean(found.get(a)));
};

nalm.cellTable = (caption, rows, link) => nalm.table(caption, [
  ["unit", "unit", "name"], ["on", "column", "name"], ["success [95 %]", "told", "number"], ["seeds", "seeds", "number"],
  ["solved at", "solved", "number"], ["sparsity error", "sparsity", "number"], ["published", "was", "number"],
  ["difference", "difference", "number"],
  ["runs", (row) => nalm.element("a", { href: link(row), "aria-label": `runs of ${row.unit} on ${row.column}` }, "runs")],
], rows, (row) => row.own);

// A heat map with a cursor: the mouse or the arrow keys choose a cell.
nalm.heatMap = async (target, spec, rows, { label, chosen, extent }) => {
  const units = nalm.ranked(rows);
  const labels = [...new Set([...rows].sort((a, b) => a.place - b.place).map((row) => row.column))];
  const at = new Map(rows.map((row) => [`${units.indexOf(row.unit)} ${labels.indexOf(row.column)}`, row]));
  let here = null, view = null;
  const select = (row) => {
    here = row;
    view.signal("cursor", row ? row.index : -1).run();
    chosen(row);
  };
  target.tabIndex = 0;
  target.setAttribute("role", "group");
  target.setAttribute("aria-label", `${label}. Arrow keys move from cell to cell.`);
  target.onkeydown = (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (event.key === "Escape") select(null);
    if (!step) return;
    event.preventDefault();
    let down = here ? units.indexOf(here.unit) : 0, across = here ? labels.indexOf(here.column) : -1;
    if (!here) { down = 0; across = step[1] < 0 ? labels.length : step[0] ? 0 : -1; down = step[0] ? -1 : 0; }
    for (let tries = 0; tries < units.length + labels.length; tries += 1) {
      down += step[0];
      across += step[1];
      const row = at.get(`${down} ${across}`);
      if (row) { select(row); return; }
    }
  };
  await nalm.draw(target, spec, rows, {
    order: { x: labels, y: units }, label, extent,
    done: (drawn) => {
      view = drawn;
      view.addEventListener("click", (_, item) => { if (item && item.datum && item.datum.said) select(rows.find((row) => row.index === item.datum.index)); });
      if (here) view.signal("cursor", here.index).run();
    },
  });
};

// What is known of a cell, as a card.
nalm.cellCard = (card, row, data, root) => {
  card.hidden = !row;
  if (!row) return;
  const study = data.studies[row.study], page = data.pages[data.columns.unit[row.index]];
  const fact = (title, text) => nalm.element("div", {}, nalm.element("dt", {}, title), nalm.element("dd", {}, text));
  const close = nalm.element("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  // Whoever came by the arrow keys goes on from there.
  const from = document.activeElement;
  const leave = () => { card.hidden = true; if (from?.isConnected) from.focus(); };
  close.addEventListener("click", leave);
  card.onkeydown = (event) => { if (event.key === "Escape") leave(); };
  card.replaceChildren(close,
    nalm.element("h3", {}, `${row.unit}: ${data.operations[row.operation].title}, ${row.label}, ${nalm.inputs(row.inputs)}`),
    nalm.element("dl", { class: "facts" },
      fact("success [95 %]", row.told),
      fact("seeds", `${row.seeds}${row.diverged ? ` (${row.diverged} diverged)` : ""}, ${data.budgets[row.budget]} budget`),
      fact("solved at (median)", row.solved), fact("sparsity error (mean)", row.sparsity),
      fact("published", row.source ? `${row.was} (${row.source})` : row.was), fact("difference", row.difference)),
    nalm.element("a", { href: nalm.runsLink(row, data, root) }, row.seeds === 1 ? "Its run" : `Its ${row.seeds} runs`), " · ",
    ...(page ? [nalm.element("a", { href: `${root}units/${page}.html` }, `Unit ${page}`), " · "] : []),
    nalm.element("a", { href: `${root}${study.page}` }, `Study ${study.name}`));
};

nalm.runsLink = (row, data, root) => `${root}${data.studies[row.study].runs}#cell=${row.file}`;
