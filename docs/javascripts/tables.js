// Shade success rates: numbers from 0 to 1 below a range, a rate or a share, by how large they are.
(() => {
  const RATE_COLUMN = /success|published|all ranges|^±?\[|^U\[|^TN\(|Benford|^mixed/;
  const RATE = /^([01]\.\d\d)(?!\d)/;

  for (const table of document.querySelectorAll(".md-content table:not([class])")) {
    const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent.trim());
    for (const row of table.tBodies[0]?.rows ?? []) {
      [...row.cells].forEach((cell, column) => {
        const rate = RATE.exec(cell.textContent.trim());
        if (column > 0 && rate && RATE_COLUMN.test(heads[column]) && Number(rate[1]) <= 1) {
          cell.classList.add("share");
          cell.style.setProperty("--share", rate[1]);
        }
      });
    }
  }
})();
