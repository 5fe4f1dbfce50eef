// A table of many rows, a page at a time, that can be sorted and filtered.

const PAGE = 50;

// columns: label, value (of a row, to sort by and to filter), cell (what is shown, if not the value), number.
const pager = (caption, columns, rows, first = 0) => {
  const [head, body] = [element("tr"), element("tbody")];
  const filter = search("text");
  const status = element("span", "", { role: "status" });
  let [by, falling, page, kept] = [first, false, 0, [...rows]];

  const compare = (a, b) => {
    const [one, other] = [columns[by].value(a), columns[by].value(b)];
    if (one === null || other === null) return (one === null) - (other === null);
    const order = typeof one === "string" ? one.localeCompare(other, "en", { numeric: true }) : one - other;
    return falling ? -order : order;
  };
  const kind = (column, place) => ({ class: place ? (column.number ? "number" : "text") : "name" });
  const show = () => {
    const last = Math.max(Math.ceil(kept.length / PAGE) - 1, 0);
    page = Math.min(Math.max(page, 0), last);
    const lines = kept.slice(page * PAGE, (page + 1) * PAGE).map((row) => {
      const cells = columns.map((column, place) => {
        const value = column.cell ? column.cell(row) : column.value(row);
        const shown = value instanceof Node ? value : value === null ? "–" : visible(String(value));
        return element(place ? "td" : "th", undefined, { ...(place ? {} : { scope: "row" }), ...kind(column, place) }, shown);
      });
      return element("tr", undefined, {}, ...cells);
    });
    body.replaceChildren(...lines);
    const from = kept.length ? page * PAGE + 1 : 0;
    const to = Math.min((page + 1) * PAGE, kept.length);
    status.textContent = from + " to " + to + " of " + kept.length + (kept.length < rows.length ? ", filtered" : "");
    [back.disabled, on.disabled] = [page === 0, page === last];
  };
  const sort = () => {
    if (by >= 0) kept.sort(compare); // else they stay as they were given
    markSorted([...head.children], by, falling);
    show();
  };
  const [back, on] = [["Previous", -1], ["Next", 1]].map(([words, step]) =>
    button(words, () => {
      page += step;
      show();
    }),
  );
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase();
    kept = rows.filter((row) => columns.some(({ value }) => String(value(row) ?? "").toLowerCase().includes(words)));
    page = 0;
    sort();
  });
  columns.forEach((column, place) => {
    const sorter = button(column.label, () => {
      [falling, by, page] = [place === by && !falling, place, 0];
      sort();
    });
    head.append(element("th", undefined, { scope: "col", ...kind(column, place) }, sorter));
  });
  sort();
  const parts = [element("caption", caption), element("thead", undefined, {}, head), body];
  const table = scrolling(caption, element("table", undefined, {}, ...parts));
  const tools = [...(rows.length > 10 ? [labelled("Filter", filter)] : []), ...(rows.length > PAGE ? [back, on] : []), ...(rows.length > 10 ? [status] : [])];
  return element("div", undefined, { class: "tabular paged" }, toolbar(...tools), table);
};
