"use strict";
// The runs of one cell, and one of them in full.
document.addEventListener("DOMContentLoaded", async () => {
  const data = nalm.inPage("cells"), spec = nalm.inPage("spec"), files = nalm.inPage("files");
  const cells = nalm.cellRows(data).map((cell) => ({ ...cell, budget: data.budgets[cell.budget], operation: data.operations[cell.operation].title }));
  const keys = ["budget", "operation", "inputs", "unit", "label"];
  const field = (name) => document.getElementById(`filter-${name}`);
  const panel = document.getElementById("run");

  const offer = (wanted) => {
    let left = cells;
    keys.forEach((key) => {
      const found = key === "label" ? [...left].sort((a, b) => a.place - b.place) : left;
      const values = [...new Set(found.map((cell) => String(cell[key])))];
      nalm.options(field(key), values.map((value) => [value, value]), wanted[key]);
      left = left.filter((cell) => String(cell[key]) === field(key).value);
    });
    return left[0];
  };

  const rowsOf = (run, curves) => curves.flatMap(([curve, values]) => values.map((value, row) => ({
    curve, iteration: run.iterations[row], value: value === null ? null : Math.max(value, 1e-16), exact: value === null ? "" : value.toPrecision(4),
    said: `${curve} ${nalm.number(value)} after ${run.iterations[row]} iterations`,
  })).filter((row) => row.value !== null));

  const outcome = (run) => (run.success ? "success" : run.diverged === null ? "failure" : "diverged");

  // The formula at a chosen row, where weights were recorded on the way.
  const onTheWay = (run) => {
    const note = "Weights at their nearest discrete values.";
    if (!run.formulas.length) return run.formula ? [nalm.element("p", { class: "note" }, `${note} Only the last weights of this run were kept, so no other row has a formula.`)] : [];
    const choice = nalm.element("select", { id: "formula-at" }, ...run.formulas.map(([iteration], row) => nalm.element("option", { value: row }, nalm.number(iteration))));
    const told = nalm.element("output", { for: "formula-at" });
    const tell = () => told.replaceChildren(nalm.element("code", {}, run.formulas[Number(choice.value)][1]));
    choice.value = String(run.formulas.length - 1);
    choice.addEventListener("change", tell);
    tell();
    return [nalm.element("p", { class: "note" }, note), nalm.element("p", {}, nalm.element("label", { for: "formula-at" }, "Formula at iteration "), choice, " ", told)];
  };

  // Why a run has no formula.
  const unread = (run, loaded) => {
    if (!run.weights.length) return "None can be read: its weights were not kept.";
    const other = loaded.runs.find((one) => one.formula);
    return other ? `Not read: weights that are real numbers give every run a formula of its own, and one per cell is read, that of seed ${other.seed}.` : "None that fits on a line can be read from these weights.";
  };

  const show = (cell, loaded, run) => {
    nalm.setState({ cell: cell.file, seed: run.seed });
    field("seed").value = String(run.seed);
    const fact = (title, text) => nalm.element("div", {}, nalm.element("dt", {}, title), nalm.element("dd", {}, text));
    const chart = nalm.element("div", { class: "chart" });
    const whole = run.iterations.length;
    const parts = [
      nalm.element("h2", {}, `Seed ${run.seed} of ${cell.unit} on ${cell.label}`),
      nalm.element("dl", { class: "facts" },
        fact("outcome", run.success ? "success" : run.diverged === null ? "failure" : `diverged after ${nalm.number(run.diverged)} iterations`),
        fact("test error of the selected model", `${nalm.number(run.test)} (threshold ${nalm.number(loaded.threshold)})`),
        fact("selected at iteration", nalm.number(run.selected)), fact("solved at", nalm.number(run.solvedAt)),
        fact("sparsity error", nalm.number(run.sparsity)),
        fact("trained", `by nalm ${run.version}, protocol ${run.protocol}, ${nalm.number(Number(run.seconds.toPrecision(2)))} s`)),
      nalm.element("h3", {}, "Formula it ended with"),
      nalm.element("p", {}, run.formula ? nalm.element("code", {}, run.formula) : unread(run, loaded)),
      ...onTheWay(run),
      nalm.element("h3", {}, "Errors during training"),
      nalm.element("p", { class: "note" }, run.shipped
        ? `The shipped record keeps ${whole === 1 ? "one row" : `${whole} rows`} of this curve: the selected one, the last one, and the first below each threshold. A run you train yourself keeps them all.`
        : `${whole} rows of the curve. The dashed line is the threshold.`),
      chart,
    ];
    const table = (caption, curves) => nalm.table(caption, [["iteration", (row) => nalm.number(row.iteration), "number"],
      ...curves.map(([name], index) => [name, (row) => nalm.number(row.values[index]), "number"])],
    run.iterations.map((iteration, row) => ({ iteration, values: curves.map(([, values]) => values[row]) })));
    parts.push(nalm.element("details", {}, nalm.element("summary", {}, "The curve as a table"), table("Errors by iteration", run.curves)));
    const over = nalm.element("div", { class: "chart" });
    if (run.weightsOverTraining.length) parts.push(nalm.element("h3", {}, "Weights over training"), over);
    if (run.measures.length) parts.push(nalm.element("details", {}, nalm.element("summary", {}, "Further columns"), table("Further columns by iteration", run.measures)));
    if (run.restarts.length) parts.push(nalm.element("p", {}, `Drawn anew after ${run.restarts.join(", ")} iterations.`));
    if (run.weights.length) {
      parts.push(nalm.element("h3", {}, "Final weights"));
      const tables = nalm.element("div", { class: "side-by-side" });
      parts.push(tables);
      run.weights.forEach(([name, rows]) => tables.append(nalm.element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
        nalm.element("table", {}, nalm.element("caption", {}, nalm.element("code", {}, name)),
          nalm.element("tbody", {}, ...rows.map((row) => nalm.element("tr", {}, ...row.map((value) => nalm.element("td", { class: "number" }, nalm.number(value))))))))));
    }
    panel.hidden = false;
    panel.replaceChildren(...parts);
    const drawn = structuredClone(spec);
    // Between rows that were not kept, nothing is known.
    if (run.shipped) nalm.walk(drawn, (part) => { if (part.mark?.type === "line") Object.assign(part.mark, { strokeDash: [2, 5], opacity: 0.7 }); });
    drawn.datasets = { marks: loaded.threshold > 0 ? [{ value: loaded.threshold, curve: "threshold", exact: loaded.threshold.toPrecision(4) }] : [] };
    const lines = [nalm.draw(chart, drawn, rowsOf(run, run.curves), { label: `Errors of seed ${run.seed} by iteration` })];
    if (run.weightsOverTraining.length) {
      const linear = structuredClone(spec);
      linear.datasets = { marks: [] };
      nalm.walk(linear, (part) => { if (part.encoding && part.encoding.y) { part.encoding.y.scale = { type: "linear" }; delete part.encoding.y.axis; } });
      const rows = run.weightsOverTraining.flatMap(([curve, values]) => values.map((value, row) => ({ curve, iteration: run.iterations[row], value, exact: nalm.number(value) })));
      lines.push(nalm.draw(over, linear, rows, { label: "Weights by iteration" }));
    }
    return Promise.all(lines);
  };

  const open = async (cell, seed) => {
    const loaded = await nalm.load(`${files}${cell.file}.js`);
    document.getElementById("told").textContent = `Success ${cell.told} over ${cell.seeds} seeds; ${cell.source ? `published: ${cell.was} (${cell.source}), difference ${cell.difference}` : "no published value"}.`;
    nalm.options(field("seed"), loaded.runs.map((run) => [run.seed, `${run.seed}: ${outcome(run)}`]), seed);
    field("seed").onchange = () => show(cell, loaded, loaded.runs.find((run) => String(run.seed) === field("seed").value));
    const pick = (run) => {
      const button = nalm.element("button", { type: "button", class: "pick" }, `seed ${run.seed}`);
      button.addEventListener("click", async () => { await show(cell, loaded, run); panel.scrollIntoView({ block: "start" }); });
      return button;
    };
    const table = nalm.table(`${loaded.runs.length} runs of ${cell.unit}: ${cell.operation}, ${cell.label}, ${nalm.inputs(cell.inputs)}`, [
      ["run", pick], ["outcome", outcome],
      ["solved at", (run) => nalm.number(run.solvedAt), "number"], ["test error", (run) => nalm.number(run.test), "number"],
      ["sparsity error", (run) => nalm.number(run.sparsity), "number"], ["formula", (run) => nalm.element("code", {}, run.formula || "–"), "formula-text"],
      ["from", (run) => (run.shipped ? "shipped" : "yours")],
    ], loaded.runs);
    nalm.sortable(table.querySelector("table"));
    document.getElementById("seeds").replaceChildren(nalm.element("h2", {}, "All seeds"), table);
    const first = loaded.runs.find((run) => String(run.seed) === seed) || loaded.runs[0];
    if (first) await show(cell, loaded, first);
    document.body.dataset.ready = String(Number(document.body.dataset.ready || 0) + 1);
  };

  const follow = async () => {
    const state = nalm.state();
    const named = cells.find((cell) => String(cell.file) === state.get("cell"));
    const cell = offer(named ? Object.fromEntries(keys.map((key) => [key, named[key]])) : {});
    if (cell) await open(cell, state.get("seed"));
  };
  keys.forEach((key) => field(key).addEventListener("change", () => {
    const cell = offer(Object.fromEntries(keys.map((name) => [name, field(name).value])));
    if (cell) open(cell, null);
  }));
  addEventListener("hashchange", follow);
  await follow();
});
