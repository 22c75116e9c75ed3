"use strict";
// What every page has: theme, data, elements, charts. Text from a store is set as text, never as markup.
const nalm = (window.nalm = {});

nalm.themes = ["system", "light", "dark"];
nalm.drawn = new Map();

nalm.chosenTheme = () => {
  try { return localStorage.getItem("nalm-theme") || "system"; } catch { return "system"; }
};

nalm.applyTheme = () => {
  const chosen = nalm.chosenTheme();
  const dark = chosen === "dark" || (chosen === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
};
nalm.applyTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { nalm.applyTheme(); nalm.redraw(); });

nalm.redraw = () => { for (const again of nalm.drawn.values()) again(); };

nalm.colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// Data: inside the page, or in a script that calls nalm.receive.
nalm.inPage = (id) => JSON.parse(document.getElementById(id).textContent);
nalm.receive = (value) => { nalm.received = value; };
nalm.load = (source) => new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = source;
  script.onload = () => { done(nalm.received); script.remove(); };
  script.onerror = () => failed(new Error(`${source} could not be read`));
  document.head.append(script);
});

nalm.element = (tag, attributes, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

// The part of the address behind #, as a form: a view can be sent on as a link.
nalm.state = () => new URLSearchParams(location.hash.slice(1));
nalm.setState = (values) => {
  const state = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== "" && value !== null) state.set(name, value);
  history.replaceState(null, "", `#${state}`);
};

nalm.options = (select, values, chosen) => {
  select.replaceChildren(...values.map(([value, title]) => nalm.element("option", { value }, title)));
  if (values.some(([value]) => String(value) === String(chosen))) select.value = chosen;
};

// Numbers as the tables print them.
nalm.number = (value) => {
  if (value === null || value === undefined) return "–";
  if (Math.abs(value) >= 1) return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(4)));
  if (Math.abs(value) <= 1e-16) return "0";
  return Math.abs(value) < 1e-3 ? value.toExponential(1) : value.toPrecision(2);
};
nalm.rate = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
nalm.inputs = (count) => (count === 1 ? "1 input" : `${count} inputs`);
nalm.interval = (value, low, high) => `${nalm.rate(value)} [${nalm.rate(low)}, ${nalm.rate(high)}]`;

nalm.config = () => {
  const ink = nalm.colour("ink"), faint = nalm.colour("faint"), line = nalm.colour("line");
  const font = "system-ui, sans-serif";
  return {
    background: "transparent", font,
    axis: { labelColor: ink, titleColor: faint, gridColor: line, domainColor: line, tickColor: line, labelFontSize: 11.5, titleFontSize: 12, titleFontWeight: 500 },
    legend: { labelColor: ink, titleColor: faint, labelLimit: 220, labelFontSize: 11.5, symbolLimit: 60 },
    header: { labelColor: ink, titleColor: faint },
    title: { color: ink, anchor: "start", fontSize: 13 },
    text: { color: ink }, rule: { color: faint },
    view: { stroke: null },
    range: {
      heatmap: [0, 1, 2, 3, 4, 5].map((step) => nalm.colour(`ramp-${step}`)),
      ramp: [0, 1, 2, 3, 4, 5].map((step) => nalm.colour(`ramp-${step}`)),
      category: document.documentElement.dataset.theme === "dark"
        ? ["#56B4E9", "#E69F00", "#2fc99a", "#e39ac4", "#F0E442", "#ff8a4d", "#b9c2cc", "#9fb1ff"]
        : ["#0072B2", "#C17D00", "#00805d", "#b6588d", "#3a8fc2", "#D55E00", "#3b434c", "#7a6bd0"],
    },
  };
};

nalm.walk = (spec, visit) => {
  visit(spec);
  for (const key of ["layer", "vconcat", "hconcat", "concat"]) (spec[key] || []).forEach((part) => nalm.walk(part, visit));
  if (spec.spec) nalm.walk(spec.spec, visit);
};

// Pixels that the longest of some names takes at the size of axes and legends.
nalm.nameWidth = (names) => 6.4 * names.reduce((most, name) => Math.max(most, String(name).length), 0);

// A heat map on any page: names take two fifths of it at most, cells are as wide as their numbers need or wider;
// one of many columns scrolls.
const MOST_CELL = 96, ROOMY_CELL = 30, LEAST_CELL = 20;
nalm.fitCells = (spec, order, room, extent) => {
  const limit = Math.min(Math.max(0.4 * room, 90), 270), names = Math.min(extent || nalm.nameWidth(order.y), limit);
  nalm.walk(spec, (part) => { if (part.encoding?.y?.axis) Object.assign(part.encoding.y.axis, { labelLimit: limit, minExtent: names }); });
  const columns = order.x.length, cell = (room - names) / columns;
  if (cell > MOST_CELL) spec.width = names + columns * MOST_CELL;
  if (cell < LEAST_CELL) spec.width = names + columns * LEAST_CELL;
  if (cell >= ROOMY_CELL) return;
  // ".84" where "0.84" would run into its neighbours, and steeper ranges above.
  nalm.walk(spec, (part) => { if (part.encoding?.x?.axis) part.encoding.x.axis.labelAngle = -65; });
  spec.datasets.rows = spec.datasets.rows.map((row) => ({ ...row, shown: row.shown.replace(/^0\.00$/, "0").replace(/^1\.00$/, "1").replace(/^0\./, ".") }));
};

// Panels that have something to show; the last of them has the axis below.
nalm.filledPanels = (panels, rows) => {
  const filled = panels.filter((panel) => panel.layer.some(({ encoding }) => rows.some((row) => (row[encoding.y?.field] ?? null) !== null)));
  const axis = panels.at(-1).layer[0].encoding.x.axis;
  if (filled.length) filled.at(-1).layer.forEach(({ encoding }) => { encoding.x.axis = axis; });
  return filled;
};

// Draw a chart; order: {channel: [values]} sorts a channel; done(view) is called whenever it was drawn.
// extent: room for the names beside a heat map, so that several stand in line.
nalm.draw = async (target, template, rows, { order, done, label, extent } = {}) => {
  const again = async () => {
    const spec = structuredClone(template);
    if (rows) spec.datasets = { ...spec.datasets, rows };
    const dark = document.documentElement.dataset.theme === "dark";
    const colours = {
      ink: nalm.colour("ink"), paper: nalm.colour("paper"), accent: nalm.colour("accent"), main: nalm.colour("link"),
      // Where black is read better than white on the ramp of colours, or the other way round.
      turn: dark ? 0.51 : 0.71, low: dark ? "white" : "black", high: dark ? "black" : "white",
    };
    for (const parameter of spec.params || []) if (parameter.name in colours) parameter.value = colours[parameter.name];
    const units = [...new Set((rows || []).map((row) => row.unit))];
    const room = target.clientWidth;
    if (order?.x && order?.y) nalm.fitCells(spec, order, room, extent);
    nalm.walk(spec, (part) => {
      // Colours and shapes of the same units share a legend.
      for (const channel of ["color", "shape"]) if (part.encoding?.[channel]?.field === "unit") part.encoding[channel].scale = { ...part.encoding[channel].scale, domain: units };
      for (const [channel, values] of Object.entries(order || {})) if (part.encoding && part.encoding[channel]) part.encoding[channel].sort = values;
    });
    // A height in steps and a width in terms of the page do not go together.
    if (spec.height?.step) spec.height = spec.height.step * Math.max((order?.y || []).length, 1);
    if (spec.vconcat) { // only single charts can take the width of their page by themselves
      const width = Math.max(room - 90, 220);
      spec.vconcat = nalm.filledPanels(spec.vconcat, rows || []);
      spec.vconcat.forEach((part) => { part.width = width; });
    }
    nalm.walk(spec, (part) => {
      for (const channel of ["color", "shape"]) {
        const drawn = part.encoding?.[channel];
        if (drawn?.legend?.columns) drawn.legend.columns = Math.max(Math.floor((room - 60) / (36 + Math.min(nalm.nameWidth((rows || []).map((row) => row[drawn.field])), 220))), 1);
      }
    });
    target.replaceChildren();
    const result = await vegaEmbed(target, spec, {
      actions: false, logLevel: 1, ast: true, renderer: "svg", config: nalm.config(), defaultStyle: false,
      tooltip: { disableDefaultStyle: true, theme: "nalm" },
    });
    const drawing = target.querySelector("svg");
    if (drawing && label) drawing.setAttribute("aria-label", label);
    if (done) done(result.view);
  };
  nalm.drawn.set(target, again);
  await again();
};

// A table from rows: columns are [title, key or function, "number" or ""].
nalm.table = (caption, columns, rows, mark) => nalm.element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
  nalm.element("table", { "data-sortable": true },
    nalm.element("caption", {}, caption),
    nalm.element("thead", {}, nalm.element("tr", {}, ...columns.map(([title, , kind]) => nalm.element("th", { scope: "col", class: kind || null }, title)))),
    nalm.element("tbody", {}, ...rows.map((row) => nalm.element("tr", { class: mark && mark(row) ? "own" : null },
      ...columns.map(([, key, kind]) => nalm.element("td", { class: kind || null }, typeof key === "function" ? key(row) : key in row && row[key] !== null ? String(row[key]) : "–")))))));

// Sorting by a click on a column's head.
nalm.sortable = (table) => {
  table.querySelectorAll("thead th").forEach((head, column) => {
    if (head.querySelector("button")) return;
    const button = nalm.element("button", { class: "sort", type: "button" }, ...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      table.querySelectorAll("thead th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => {
        const text = row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
        const number = parseFloat(text.replace(/,/g, "").replace("−", "-"));
        return Number.isNaN(number) ? text : number;
      };
      const before = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b
        : typeof a === "number" ? -1 : typeof b === "number" ? 1 : a.localeCompare(b));
      const body = table.tBodies[0];
      body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * before(value(a), value(b))));
    });
  });
};

nalm.copy = async (button, text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // no clipboard for pages from the disk in some browsers: select, then copy as a user would
    const area = nalm.element("textarea", { "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const title = button.textContent;
  button.textContent = "copied";
  setTimeout(() => { button.textContent = title; }, 1500);
};

document.addEventListener("DOMContentLoaded", () => {
  const toggle = document.getElementById("theme");
  const name = () => { toggle.textContent = `Theme: ${nalm.chosenTheme()}`; };
  name();
  toggle.addEventListener("click", () => {
    const next = nalm.themes[(nalm.themes.indexOf(nalm.chosenTheme()) + 1) % nalm.themes.length];
    try { localStorage.setItem("nalm-theme", next); } catch { /* a private window */ }
    nalm.applyTheme();
    name();
    nalm.redraw();
  });
  document.querySelectorAll("table[data-sortable]").forEach(nalm.sortable);
  document.querySelectorAll("button[data-copies]").forEach((button) => {
    button.addEventListener("click", () => nalm.copy(button, document.getElementById(button.dataset.copies).textContent));
  });
  // Charts that need no more than their data: a figure names both.
  document.querySelectorAll("[data-chart]").forEach((target) => {
    const chart = nalm.inPage(target.dataset.chart);
    nalm.draw(target, chart.spec, chart.rows, { order: chart.order, label: chart.label });
  });
});
