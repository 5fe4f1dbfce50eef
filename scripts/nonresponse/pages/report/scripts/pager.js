"use strict";
// A table of many rows, a page at a time, that can be sorted and filtered.

const PAGE = 50;

// columns: label, value (of a row, to sort by and to filter), cell (what is shown, if not the value), number.
const pager = (caption, columns, rows, first = 0) => {
  const holder = element("div", undefined, { class: "tabular paged" });
  const box = element("div", undefined, { class: "box", role: "region", tabindex: "0", "aria-label": caption });
  const [table, head, body] = [element("table"), element("tr"), element("tbody")];
  const filter = element("input", undefined, { type: "search", placeholder: "text" });
  const status = element("span", "", { role: "status" });
  const [back, on] = ["Previous", "Next"].map((words) => element("button", words, { type: "button" }));
  let [by, falling, page, kept] = [first, false, 0, rows];

  const compare = (a, b) => {
    const [one, other] = [columns[by].value(a), columns[by].value(b)];
    if (one === null || other === null) return (one === null) - (other === null);
    const order = typeof one === "string" ? one.localeCompare(other, "en", { numeric: true }) : one - other;
    return falling ? -order : order;
  };
  const show = () => {
    const last = Math.max(Math.ceil(kept.length / PAGE) - 1, 0);
    page = Math.min(Math.max(page, 0), last);
    body.replaceChildren();
    for (const row of kept.slice(page * PAGE, (page + 1) * PAGE)) {
      const line = element("tr");
      columns.forEach((column, place) => {
        const value = column.cell ? column.cell(row) : column.value(row);
        const node = place ? element("td") : element("th", undefined, { scope: "row", class: "name" });
        if (place) node.className = column.number ? "number" : "text";
        node.append(value instanceof Node ? value : value === null ? "–" : visible(String(value)));
        line.append(node);
      });
      body.append(line);
    }
    const from = kept.length ? page * PAGE + 1 : 0;
    const to = Math.min((page + 1) * PAGE, kept.length);
    status.textContent = from + " to " + to + " of " + kept.length + (kept.length < rows.length ? ", filtered" : "");
    [back.disabled, on.disabled] = [page === 0, page === last];
  };
  const sort = () => {
    kept.sort(compare);
    [...head.children].forEach((node, place) => {
      if (place === by) node.setAttribute("aria-sort", falling ? "descending" : "ascending");
      else node.removeAttribute("aria-sort");
    });
    show();
  };
  const turn = (pages) => {
    page += pages;
    show();
  };
  back.addEventListener("click", () => turn(-1));
  on.addEventListener("click", () => turn(1));
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase();
    const matches = (row) => columns.some(({ value }) => String(value(row) ?? "").toLowerCase().includes(words));
    kept = rows.filter(matches);
    page = 0;
    sort();
  });
  columns.forEach((column, place) => {
    const node = element("th", undefined, { scope: "col", class: place ? (column.number ? "number" : "text") : "name" });
    const button = element("button", column.label, { type: "button" });
    button.addEventListener("click", () => {
      [falling, by, page] = [place === by && !falling, place, 0];
      sort();
    });
    node.append(button);
    head.append(node);
  });
  const [label, tools, heads] = [element("label", "Filter"), element("div", undefined, { class: "tools" }), element("thead")];
  label.append(filter);
  tools.append(label, back, on, status);
  heads.append(head);
  table.append(element("caption", caption), heads, body);
  box.append(table);
  holder.append(tools, box);
  kept = [...rows];
  sort();
  return holder;
};
