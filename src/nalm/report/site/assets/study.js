"use strict";
// A study's page: heat map, the papers' figure and the table of one budget and panel.
document.addEventListener("DOMContentLoaded", async () => {
  const data = nalm.inPage("cells"), map = nalm.inPage("heat-map"), panels = nalm.inPage("three-panels"), files = nalm.inPage("files");
  const cells = nalm.cellRows(data);
  const keys = ["budget", "panel"];
  const titled = { budget: (row) => data.budgets[row.budget], panel: (row) => data.panels[row.panel] };
  const field = (name) => document.getElementById(`filter-${name}`);
  const card = document.getElementById("cell");
  const offer = (state) => {
    let left = cells;
    keys.forEach((key) => {
      const values = [...new Set(left.map(titled[key]))];
      nalm.options(field(key), values.map((value) => [value, value]), state.get(key));
      left = left.filter((row) => titled[key](row) === field(key).value);
    });
    return left;
  };
  const chosen = () => new URLSearchParams(keys.map((key) => [key, field(key).value]));
  const show = async (rows) => {
    if (location.hash.includes("=") || document.body.dataset.ready) nalm.setState(Object.fromEntries(chosen()));
    card.hidden = true;
    const title = field("panel").value, stamp = document.getElementById("stamp");
    stamp.textContent = data.studies[0].stamps[field("budget").value] || "";
    stamp.hidden = !stamp.textContent;
    for (const [suffix, path] of Object.entries(files[field("budget").value][title])) document.getElementById(suffix).href = `../${path}`;
    document.getElementById("map-title").textContent = `Success: ${title}`;
    const table = nalm.cellTable(`Every cell: ${title}`, rows, (row) => nalm.runsLink(row, data, "../"));
    nalm.sortable(table.querySelector("table"));
    document.getElementById("rows").replaceChildren(table);
    const labels = [...new Set([...rows].sort((a, b) => a.place - b.place).map((row) => row.column))];
    await Promise.all([
      nalm.heatMap(document.getElementById("map"), map, rows, { label: `Success rates: ${title}`, chosen: (row) => nalm.cellCard(card, row, data, "../") }),
      nalm.draw(document.getElementById("panels"), panels, rows, { order: { x: labels }, label: `Success, solved-at and sparsity error: ${title}` }),
    ]);
    document.body.dataset.ready = String(Number(document.body.dataset.ready || 0) + 1);
  };
  keys.forEach((key) => field(key).addEventListener("change", () => show(offer(chosen()))));
  // The budget that most cells were trained with, unless the address names one.
  const state = nalm.state(), cellsOf = (budget) => cells.filter((row) => titled.budget(row) === budget).length;
  if (!state.has("budget")) state.set("budget", data.budgets.reduce((most, budget) => (cellsOf(budget) > cellsOf(most) ? budget : most)));
  await show(offer(state));
});
