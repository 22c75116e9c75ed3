"use strict";
// The page of a fitted formula: choosing an alternative changes everything that is said about the formula.
document.addEventListener("DOMContentLoaded", async () => {
  const data = nalm.inPage("data");
  const spec = (name) => nalm.inPage(`spec-${name}`);
  const against = spec("against"), residuals = spec("residuals");
  let view = null, chosen = data.chosen;
  const rows = data.formulas.map((formula) => ({ ...formula, said: `${formula.formula}: complexity ${formula.complexity}, error ${formula.error}, ${formula.verdict}` }));
  const show = async (index) => {
    chosen = index;
    document.querySelectorAll(".formula-part").forEach((part) => { part.hidden = Number(part.dataset.formula) !== index; });
    document.querySelector(`input[name="formula"][value="${index}"]`).checked = true;
    if (view) view.signal("chosen", index).run();
    const points = data.rows.map((row, place) => ({ row: row + 1, measured: data.measured[place], predicted: data.predicted[index][place], residual: data.residuals[index][place] }))
      .filter((point) => point.predicted !== null && point.measured !== null);
    const all = points.flatMap((point) => [point.predicted, point.measured]);
    const low = all.reduce((a, b) => Math.min(a, b), Infinity), high = all.reduce((a, b) => Math.max(a, b), -Infinity);
    // A few units in the last place of a double.
    const scale = Math.max(Math.abs(low), Math.abs(high)), left = points.reduce((most, point) => Math.max(most, Math.abs(point.residual)), 0);
    document.getElementById("rounding").hidden = !points.length || left > 1e-14 * scale;
    const drawn = structuredClone(against);
    drawn.datasets = { ...drawn.datasets, ends: all.length ? [{ end: low }, { end: high }] : [] };
    await Promise.all([
      nalm.draw(document.getElementById("against"), drawn, points, { label: "Measured values against the formula's" }),
      nalm.draw(document.getElementById("residuals"), residuals, points, { label: "Measured minus formula, by the formula's value" }),
    ]);
    document.body.dataset.ready = String(Number(document.body.dataset.ready || 0) + 1);
  };
  await nalm.draw(document.getElementById("by-complexity"), spec("by-complexity"), rows, {
    label: "Error of every alternative by its complexity",
    done: (made) => {
      view = made;
      view.signal("chosen", chosen).run();
      view.addEventListener("click", (_, item) => { if (item && item.datum && item.datum.said) show(item.datum.index); });
    },
  });
  document.querySelectorAll('input[name="formula"]').forEach((choice) => choice.addEventListener("change", () => show(Number(choice.value))));
  await show(chosen);
});
