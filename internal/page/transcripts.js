(() => {
  "use strict";
  const key = (row, column, number) => {
    const cell = row.cells[column];
    return number ? Number(cell.dataset.key) : cell.textContent;
  };
  const sort = (table, head) => {
    const column = head.cellIndex;
    const number = head.dataset.sort === "number";
    const down = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : number;
    const body = table.tBodies[0];
    const compare = (a, b) => (number ? a.key - b.key : a.key < b.key ? -1 : Number(a.key > b.key));
    const rows = [...body.rows].map((row) => ({ row, key: key(row, column, number) }));
    rows.sort((a, b) => (down ? compare(b, a) : compare(a, b)));
    body.append(...rows.map((r) => r.row));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    for (const head of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(table, head));
    }
  }
})();
