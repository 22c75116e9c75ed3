"use strict";
// The overview: filters, a heat map per operation and number of inputs, the chosen cell.
document.addEventListener("DOMContentLoaded", async () => {
  const data = await nalm.load("data/cells.js");
  const spec = nalm.inPage("heat-map");
  const all = nalm.cellRows(data);
  const field = (name) => document.getElementById(`filter-${name}`);
  const panels = document.getElementById("panels"), card = document.getElementById("cell"), count = document.getElementById("count");
  const legend = document.getElementById("legend");
  const start = nalm.state(), LONGEST = "longest";

  const unique = (rows, key) => [...new Set(rows.map((row) => row[key]))];
  const ofTask = () => all.filter((row) => data.studies[row.study].name === field("task").value);

  const offer = (state) => {
    const rows = ofTask();
    // Budgets come longest first.
    const budgets = unique(rows, "budget").map((index) => [data.budgets[index], data.budgets[index]]);
    nalm.options(field("budget"), budgets.length > 1 ? [[LONGEST, "longest of each cell"], ...budgets] : budgets, state.get("budget"));
    nalm.options(field("operation"), [["", "all"], ...unique(rows, "operation").map((index) => [data.operations[index].name, data.operations[index].title])], state.get("operation"));
    nalm.options(field("inputs"), [["", "all"], ...unique(rows, "inputs").sort((a, b) => a - b).map((size) => [size, size])], state.get("inputs"));
    field("unit").value = state.get("unit") || "";
    document.getElementById("known-units").replaceChildren(...unique(rows, "unit").map((value) => nalm.element("option", { value })));
  };

  const spent = () => {
    const rows = ofTask();
    if (field("budget").value !== LONGEST) return rows.filter((row) => data.budgets[row.budget] === field("budget").value);
    const first = new Map();
    rows.forEach((row) => {
      const cell = JSON.stringify([row.unit, row.operation, row.label, row.inputs]);
      if (!first.has(cell)) first.set(cell, row);
    });
    return [...first.values()];
  };

  const wanted = () => {
    const known = new Set(all.map((row) => row.unit));
    // A whole name means that unit alone, a part of one all that have it.
    const names = field("unit").value.split(",").map((part) => part.trim()).filter(Boolean);
    const isMeant = (unit) => names.some((name) => (known.has(name) ? unit === name : unit.toLowerCase().includes(name.toLowerCase())));
    return spent().filter((row) => (!field("operation").value || data.operations[row.operation].name === field("operation").value)
      && (!field("inputs").value || String(row.inputs) === field("inputs").value)
      && (!names.length || isMeant(row.unit)));
  };

  let turns = 0;
  const show = async () => {
    nalm.setState({ task: field("task").value, budget: field("budget").value, operation: field("operation").value, inputs: field("inputs").value, unit: field("unit").value });
    const rows = wanted();
    const study = data.studies.find((one) => one.name === field("task").value);
    document.getElementById("task-title").textContent = study.title;
    document.getElementById("task-link").href = study.page;
    const stamp = document.getElementById("stamp");
    const budgets = unique(rows, "budget").map((index) => data.budgets[index]);
    stamp.textContent = budgets.length > 1 ? `budgets of ${budgets.join(", ")}; a cell says its own` : study.stamps[budgets[0]] || "";
    stamp.hidden = !stamp.textContent;
    card.hidden = true;
    const runs = rows.reduce((sum, row) => sum + row.seeds, 0);
    const seeds = rows.map((row) => row.seeds), least = Math.min(...seeds), most = Math.max(...seeds);
    count.textContent = rows.length
      ? `${rows.length.toLocaleString("en")} cells, ${runs.toLocaleString("en")} runs: ${least === most ? most : `${least} to ${most}`} ${most === 1 ? "seed" : "seeds"} each`
      : "No cell matches: clear a filter.";
    legend.hidden = !rows.length;
    for (const target of nalm.drawn.keys()) if (!document.body.contains(target) || panels.contains(target)) nalm.drawn.delete(target);
    const groups = new Map();
    rows.forEach((row) => {
      if (!groups.has(row.panel)) groups.set(row.panel, []);
      groups.get(row.panel).push(row);
    });
    panels.replaceChildren();
    const waiting = [], extent = nalm.nameWidth(rows.map((row) => row.unit));
    for (const part of groups.values()) {
      const title = data.panels[part[0].panel];
      const chart = nalm.element("div", { class: "chart" });
      const more = nalm.element("details", {}, nalm.element("summary", {}, `${title} as a table`));
      more.addEventListener("toggle", () => {
        if (!more.open || more.querySelector("table")) return;
        const table = nalm.cellTable(`Success: ${title}`, part, (row) => nalm.runsLink(row, data, ""));
        more.append(table);
        nalm.sortable(table.querySelector("table"));
      });
      panels.append(nalm.element("figure", {}, nalm.element("figcaption", {}, title), chart, more));
      waiting.push([chart, part, { label: `Success rates: ${title}`, chosen: (row) => nalm.cellCard(card, row, data, ""), extent }]);
    }
    // All figures are in place before the first one measures its width; what is seen first is drawn first.
    const turn = (turns += 1);
    for (const [chart, part, options] of waiting) {
      await nalm.heatMap(chart, spec, part, options);
      if (turn !== turns) return; // another choice was made meanwhile
    }
    document.body.dataset.ready = String(Number(document.body.dataset.ready || 0) + 1);
  };

  nalm.options(field("task"), data.studies.filter((study) => study.cells).map((study) => [study.name, study.name]), start.get("task"));
  offer(start);
  field("task").addEventListener("change", () => { offer(new URLSearchParams()); show(); });
  for (const name of ["budget", "operation", "inputs"]) field(name).addEventListener("change", show);
  let pause;
  field("unit").addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(show, 150); });
  document.getElementById("clear").addEventListener("click", () => { offer(new URLSearchParams()); show(); });
  if (field("task").value) await show();
  else count.textContent = "No finished runs: train some with `nalm run STUDY`.";
});
