"use strict";
// The overview: filters, a heat map per operation and number of inputs, the chosen cell.
document.addEventListener("DOMContentLoaded", async () => {
  const data = await nalm.load("data/cells.js");
  const spec = nalm.inPage("heat-map");
  const all = nalm.cellRows(data);
  const field = (name) => document.getElementById(`filter-${name}`);
  const panels = document.getElementById("panels"), card = document.getElementById("cell"), count = document.getElementById("count");
  const start = nalm.state();

  const unique = (rows, key) => [...new Set(rows.map((row) => row[key]))];
  const ofTask = () => all.filter((row) => data.studies[row.study].name === field("task").value);

  const offer = (state) => {
    const rows = ofTask();
    nalm.options(field("budget"), unique(rows, "budget").map((index) => [data.budgets[index], data.budgets[index]]), state.get("budget"));
    nalm.options(field("operation"), [["", "all"], ...unique(rows, "operation").map((index) => [data.operations[index].name, data.operations[index].title])], state.get("operation"));
    nalm.options(field("inputs"), [["", "all"], ...unique(rows, "inputs").sort((a, b) => a - b).map((size) => [size, size])], state.get("inputs"));
    field("unit").value = state.get("unit") || "";
    document.getElementById("known-units").replaceChildren(...unique(rows, "unit").map((value) => nalm.element("option", { value })));
  };

  const wanted = () => {
    const names = field("unit").value.toLowerCase().split(",").map((part) => part.trim()).filter(Boolean);
    return ofTask().filter((row) => data.budgets[row.budget] === field("budget").value
      && (!field("operation").value || data.operations[row.operation].name === field("operation").value)
      && (!field("inputs").value || String(row.inputs) === field("inputs").value)
      && (!names.length || names.some((name) => row.unit.toLowerCase().includes(name))));
  };

  let turns = 0;
  const show = async () => {
    nalm.setState({ task: field("task").value, budget: field("budget").value, operation: field("operation").value, inputs: field("inputs").value, unit: field("unit").value });
    const rows = wanted();
    const study = data.studies.find((one) => one.name === field("task").value);
    document.getElementById("task-title").textContent = study.title;
    document.getElementById("task-link").href = study.page;
    const stamp = document.getElementById("stamp");
    stamp.textContent = study.stamps[field("budget").value] || "";
    stamp.hidden = !stamp.textContent;
    card.hidden = true;
    const runs = rows.reduce((sum, row) => sum + row.seeds, 0);
    count.textContent = rows.length ? `${rows.length.toLocaleString("en")} cells, ${runs.toLocaleString("en")} runs` : "No cell matches: clear a filter.";
    for (const target of nalm.drawn.keys()) if (!document.body.contains(target) || panels.contains(target)) nalm.drawn.delete(target);
    const groups = new Map();
    rows.forEach((row) => {
      if (!groups.has(row.panel)) groups.set(row.panel, []);
      groups.get(row.panel).push(row);
    });
    panels.replaceChildren();
    const waiting = [];
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
      waiting.push([chart, part, { label: `Success rates: ${title}`, chosen: (row) => nalm.cellCard(card, row, data, "") }]);
    }
    // All figures are in place before the first one measures its width; what is seen first is drawn first.
    const turn = (turns += 1);
    for (const [chart, part, options] of waiting) {
      await nalm.heatMap(chart, spec, part, options);
      if (turn !== turns) return; // another choice was made meanwhile
    }
    document.body.dataset.ready = String(Number(document.body.dataset.ready || 0) + 1);
  };

  nalm.options(field("task"), data.studies.filter((study) => study.cells).map((study) => [study.name, `${study.name} (${study.cells} cells)`]), start.get("task"));
  offer(start);
  field("task").addEventListener("change", () => { offer(new URLSearchParams()); show(); });
  for (const name of ["budget", "operation", "inputs"]) field(name).addEventListener("change", show);
  let pause;
  field("unit").addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(show, 150); });
  document.getElementById("clear").addEventListener("click", () => { offer(new URLSearchParams()); show(); });
  if (field("task").value) await show();
  else count.textContent = "No finished runs: train some with `nalm run STUDY`.";
});
