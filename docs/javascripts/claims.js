// A filter above a page's claims: by words, and by verdict.
(() => {
  const VERDICTS = ["reproduced", "not reproduced", "undecided", "consistent", "not yet run", "cannot be tested"];
  const claims = [...document.querySelectorAll(".claim")].map((anchor) => {
    const element = anchor.closest("tr, li");
    const verdict = element.matches("tr")
      ? element.lastElementChild.textContent.trim()
      : /\(([^)]*)\)/.exec(element.textContent)?.[1];
    return { element, verdict, text: element.textContent.toLowerCase() };
  });

  if (claims.length > 0) {
    const form = document.createElement("form");
    form.className = "claims-filter";
    form.innerHTML =
      '<input type="search" placeholder="Filter claims, such as nmu mul" aria-label="Filter claims">' +
      '<select aria-label="Verdict"><option value="">every verdict</option></select>' +
      '<output aria-live="polite"></output>';
    const [words, verdict, output] = form.elements;
    for (const name of VERDICTS) {
      if (claims.some((claim) => claim.verdict === name)) verdict.append(new Option(name));
    }
    const apply = () => {
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const claim of claims) {
        const fits =
          (!verdict.value || claim.verdict === verdict.value) && wanted.every((word) => claim.text.includes(word));
        claim.element.hidden = !fits;
        shown += fits;
      }
      output.textContent = `${shown} of ${claims.length} claims`;
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    const first = claims[0].element;
    (first.closest(".md-typeset__scrollwrap, table") ?? first.parentElement).before(form);
    apply();
  }
})();
