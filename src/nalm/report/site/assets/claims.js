"use strict";
// Search among claims that are on the page already.
document.addEventListener("DOMContentLoaded", () => {
  const field = (name) => document.getElementById(`filter-${name}`);
  const NAMES = ["verdict", "source", "text"];
  const claims = [...document.querySelectorAll("article.claim")].map((part) => ({ part, text: part.textContent.toLowerCase() }));
  const show = () => {
    const words = field("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    claims.forEach(({ part, text }) => {
      const fits = (!field("verdict").value || part.dataset.verdict === field("verdict").value)
        && (!field("source").value || part.dataset.source === field("source").value)
        && words.every((word) => text.includes(word));
      part.hidden = !fits;
      shown += fits;
    });
    document.querySelectorAll("button[data-verdict]").forEach((tile) => tile.setAttribute("aria-pressed", String(tile.dataset.verdict === field("verdict").value)));
    const chosen = Object.fromEntries(NAMES.map((name) => [name, field(name).value]));
    if (Object.values(chosen).some(Boolean)) nalm.setState(chosen);
    else if (location.hash.includes("=")) history.replaceState(null, "", location.pathname);
    document.getElementById("count").textContent = shown === claims.length ? `${shown} claims` : `${shown} of ${claims.length} claims`;
  };
  // A count is a filter too; once more, and all are back.
  document.querySelectorAll("button[data-verdict]").forEach((tile) => tile.addEventListener("click", () => {
    field("verdict").value = field("verdict").value === tile.dataset.verdict ? "" : tile.dataset.verdict;
    show();
  }));
  for (const name of ["verdict", "source"]) field(name).addEventListener("change", show);
  let pause;
  field("text").addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(show, 120); });
  const named = () => {
    if (location.hash.includes("=")) {
      const state = nalm.state();
      NAMES.forEach((name) => { field(name).value = state.get(name) || ""; });
      show();
      return;
    }
    const claim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (claim && claim.matches("article.claim")) { claim.querySelector("details").open = true; claim.scrollIntoView(); }
  };
  addEventListener("hashchange", named);
  named();
});
