"use strict";
document.addEventListener("DOMContentLoaded", async () => {
  const boards = nalm.inPage("boards"), spec = nalm.inPage("spec");
  const keys = ["task", "budget", "operation", "inputs"];
  const field = (name) => document.getElementById(`filter-${name}`);
  // Each choice offers what the choices before it leave.
  const offer = (state) => {
    let left = boards;
    keys.forEach((key) => {
      const values = [...new Set(left.map((board) => String(board[key])))];
      nalm.options(field(key), values.map((value) => [value, value]), state.get(key));
      left = left.filter((board) => String(board[key]) === field(key).value);
    });
    return left[0];
  };
  const chosen = () => new URLSearchParams(keys.map((key) => [key, field(key).value]));
  const show = async (board) => {
    if (!board) return;
    nalm.setState(Object.fromEntries(chosen()));
    const rows = board.rows.map(([rank, unit, own, runs, missing, success, low, high, solvedRanges, ranges, solvedAt, sparsity]) => ({
      rank, unit: own ? `★ ${unit}` : unit, own: Boolean(own), runs, missing, success, low, high,
      told: nalm.interval(success, low, high), solvedRanges: `${solvedRanges} of ${ranges}`,
      successes: `${Math.round(success * runs)} of ${runs}`, solved: nalm.number(solvedAt), sparsity: nalm.number(sparsity),
      said: `rank ${rank}: ${unit}, success ${nalm.interval(success, low, high)}`,
    }));
    const title = `${board.task}: ${board.operation}, ${nalm.inputs(board.inputs)}`;
    document.getElementById("title").textContent = title;
    const link = document.getElementById("task-link");
    link.href = board.page;
    link.textContent = `Study ${board.task}`;
    const stamp = document.getElementById("stamp");
    stamp.textContent = board.stamp;
    stamp.hidden = !board.stamp;
    document.getElementById("count").textContent = rows.length === 1 ? "1 unit" : `${rows.length} units`;
    const table = nalm.table(title, [
      ["rank", "rank", "number"], ["unit", "unit", "name"], ["success [95 %]", "told", "number"], ["successful runs", "successes", "number"], ["ranges solved", "solvedRanges", "number"],
      ["solved at", "solved", "number"], ["sparsity error", "sparsity", "number"],
    ], rows, (row) => row.own);
    nalm.sortable(table.querySelector("table"));
    document.getElementById("table").replaceChildren(table);
    await nalm.draw(document.getElementById("chart"), spec, rows, { order: { y: rows.map((row) => row.unit) }, label: title });
    document.body.dataset.ready = String(Number(document.body.dataset.ready || 0) + 1);
  };
  keys.forEach((key) => field(key).addEventListener("change", () => show(offer(chosen()))));
  await show(offer(nalm.state()));
});
