// Rankings are in the page already; this unpacks the rest and makes tables sortable and so on. Names become text, never
// markup; what is folded away is markup of the page's own template, where they are text.
(async () => {
  document.documentElement.classList.add("scripted");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const main = document.getElementById("_main");
  const characters = JSON.parse(document.getElementById("_characters").textContent);
  const known = new Map(); // the data of each campaign, by its article; of the page's own tables, by its main part
  const dataOf = (node) => known.get(node.closest("article")) || known.get(main);
  let widgets; // once the data are there
  let ready = false;
  const unpacked = async (script) => {
    const packed = Uint8Array.from(atob(script.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  };

  // By code point, as Polars sorts text.
  const compareText = (a, b) => {
    const [one, other] = [a, b].map((text) => Array.from(text, (letter) => letter.codePointAt(0)));
    const at = one.findIndex((point, place) => point !== other[place]);
    return at < 0 ? one.length - other.length : one[at] - (other[at] ?? -1);
  };
  const compare = (a, b) => (typeof a === "string" ? compareText(a, b) : a - b);

  const FEW = 10; // rows, which need no filter
  const rankings = new Map(); // by campaign
  const chosen = new Map(); // by campaign: what it is ranked by, once the reader has chosen something

  const equip = (holder, { tables }) => {
    const table = tables[Number(holder.dataset.table)];
    const { names, rows, columns } = table;
    const body = holder.querySelector("tbody");
    const lines = all("tr", body);
    const heads = all("thead th", holder);
    const place = (name) => names.indexOf(name);
    const tools = toolbar();
    const status = element("span", "", { role: "status" });

    const sort = (number, descending) => {
      const at = place(columns[number].name);
      const value = (line) => rows[Number(line.dataset.row)][at];
      const known = lines.filter((line) => value(line) !== null);
      // Equal values stay in the order of the page as it was made.
      known.sort((a, b) => (descending ? -1 : 1) * compare(value(a), value(b)) || a.dataset.row - b.dataset.row);
      body.append(...known, ...lines.filter((line) => value(line) === null));
      markSorted(heads, number, descending);
    };
    heads.forEach((head, number) => {
      const sorter = button("", () => {
        const now = head.getAttribute("aria-sort");
        sort(number, now ? now === "ascending" : columns[number].better === "higher");
      });
      sorter.append(...head.childNodes);
      head.append(sorter);
    });
    const filter = search("text or /regex/");
    const matches = (words) => {
      const pattern = /^\/(.+)\/$/.exec(words);
      if (!pattern) return (text) => text.toLowerCase().includes(words.toLowerCase());
      const expression = new RegExp(pattern[1], "iu");
      return (text) => expression.test(text);
    };
    filter.addEventListener("input", () => {
      let match;
      try {
        match = matches(filter.value);
      } catch {
        status.textContent = "not a regular expression";
        return;
      }
      let kept = 0;
      for (const line of lines) {
        const texts = rows[Number(line.dataset.row)].filter((value) => typeof value === "string");
        line.hidden = !texts.some(match);
        kept += !line.hidden;
      }
      status.textContent = filter.value ? kept + " of " + lines.length + " rows" : "";
    });
    if (lines.length > FEW) tools.append(labelled("Filter", filter), status);

    const kept = () => all("tr", body).filter((line) => !line.hidden);
    const exported = columns.map((column, number) => ({ ...column, number })).filter(({ kind }) => kind !== "counts");
    const csv = () => {
      const cellsOf = (column, own) => [...(column.kind === "interval" ? [] : [own]), ...(column.ends || []), ...(column.bounds || [])];
      const header = exported.flatMap((column) => cellsOf(column, column.label));
      const wanted = exported.flatMap((column) => cellsOf(column, column.name)).map(place);
      return csvText([header, ...kept().map((line) => wanted.map((at) => rows[Number(line.dataset.row)][at]))], characters);
    };
    // The texts of the cells, without drawings.
    const tex = () => {
      const text = (line, column) => {
        const cell = line.children[column.number];
        return (cell.querySelector("b") || cell).textContent;
      };
      const heads = exported.map(({ label, kind }) => ({ label, right: ["number", "score"].includes(kind) }));
      const lines = kept().map((line) => exported.map((column) => text(line, column)));
      return latexTable(table.caption, heads, lines, characters);
    };
    const name = [table.campaign, table.csv || "table"].filter(Boolean).join("-");
    tools.append(button("CSV", () => saved(csv(), "text/csv", name + ".csv")));
    tools.append(button("LaTeX", () => saved(tex(), "application/x-tex", name + ".tex")));
    holder.prepend(tools);
  };
  const equipFigure = (figure) => {
    offerSvg(figure);
    offerHints(figure);
  };
  const unfold = (holder) => {
    if (!("folded" in holder.dataset)) return; // unfolded already
    const data = dataOf(holder);
    const content = document.createElement("template");
    content.innerHTML = data.folded[Number(holder.dataset.folded)];
    delete holder.dataset.folded;
    for (const table of all("[data-table]", content.content)) equip(table, data);
    holder.append(content.content);
    all(".figure", holder).forEach(equipFigure);
    for (const widget of all("[data-widget]", holder)) widgets.draw(widget, data.widgets[Number(widget.dataset.widget)]);
  };

  // The address names what the runs are ranked by.
  const rank = (campaign, by) => {
    chosen.set(campaign, by);
    history.replaceState(null, "", withChoice(addressed(location.hash).path || campaign, by));
  };

  const campaigns = all("article.campaign");
  const card = element("aside", undefined, { class: "run", tabindex: "-1" });

  // What an address names within a campaign, in a card of its own.
  const showNamed = (campaign, names) => {
    card.remove();
    for (const marked of all(".chosen")) marked.classList.remove("chosen");
    const shown = names.length ? widgets.named(campaign.id, names, rankings.get(campaign.id)) : null;
    if (!shown) return;
    const back = element("a", "Close", { href: "#" + campaign.id });
    card.replaceChildren(...shown.card.childNodes, element("p", undefined, {}, back));
    card.setAttribute("aria-label", shown.label);
    (campaign.querySelector("section") || campaign.firstElementChild).after(card);
    for (const link of all("a", campaign)) {
      if (card.contains(link)) continue;
      const { place, names: linked } = addressed(link.getAttribute("href"));
      if (place !== campaign.id || !linked.length || linked.join("/") !== names.join("/")) continue;
      (link.closest("tr") || link).classList.add("chosen");
    }
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "start" });
  };

  const overview = document.getElementById("_overview");
  let left = null; // scroll position and focus before a card was shown

  const route = () => {
    const { path, place: name, names, by } = addressed(location.hash);
    // The page of a single campaign shows it, whatever the address.
    if (name === "_fidelity" && !overview && !document.getElementById(name)) location.replace("../report.html" + location.hash);
    const target = document.getElementById(name) || (overview ? null : campaigns[0]);
    const campaign = target && target.closest("article.campaign");
    if (target && !campaign) return; // the skip link
    const elsewhere = all("#_overview a").find((link) => link.getAttribute("href") === name + "/report.html#" + name);
    if (elsewhere) location.replace(name + "/report.html" + location.hash);
    if (overview) overview.classList.toggle("away", Boolean(campaign));
    for (const one of campaigns) one.classList.toggle("away", one !== campaign);
    for (const link of all("body > header nav a")) {
      if (campaign && link.getAttribute("href") === "#" + campaign.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    if (!ready) return; // the layout changes until then: do not scroll yet
    if (names.length && !card.isConnected) left = { top: scrollY, at: document.activeElement };
    if (campaign) showNamed(campaign, names);
    const ranking = campaign && rankings.get(campaign.id);
    if (ranking && by) {
      if (ranking.choose(by)) chosen.set(campaign.id, by);
    } else if (ranking && chosen.get(campaign.id)) {
      history.replaceState(null, "", withChoice(path, chosen.get(campaign.id)));
    }
    if (ranking) ranking.tick(names);
    if (names.length && campaign) return; // showNamed has scrolled to its card
    if (target && target.matches("details")) {
      target.open = true;
      unfold(target); // before it is scrolled to
    }
    if (left && campaign && target === campaign) {
      scrollTo(0, left.top);
      left.at.focus({ preventScroll: true });
    } else if (campaign && target !== campaign) target.scrollIntoView();
    else scrollTo(0, 0);
    left = null;
  };
  addEventListener("hashchange", route);
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !location.hash || event.target.matches("input, select")) return;
    const { place, names } = addressed(location.hash);
    location.hash = names.length ? place : "";
  });
  route();
  for (const script of all('script[type="application/gzip+base64"]')) known.set(script.parentElement, await unpacked(script));
  widgets = startWidgets([...known.values()].flatMap((data) => data.widgets));
  for (const table of all("[data-table]")) equip(table, dataOf(table));
  all(".figure").forEach(equipFigure);
  for (const holder of all("[data-ranking]")) {
    const block = dataOf(holder).rankings[Number(holder.dataset.ranking)];
    const pick = (runs) => {
      if (runs.length === 2) location.hash = address(block.campaign, ...runs);
      else if (card.isConnected) location.hash = block.campaign;
    };
    rankings.set(block.campaign, showRanking(holder, block, characters, (by) => rank(block.campaign, by), pick));
  }
  startHints();
  for (const holder of all("[data-folded]")) {
    holder.addEventListener("toggle", () => unfold(holder));
    if (holder.open) unfold(holder);
  }
  ready = true;
  route();
  document.documentElement.classList.add("ready");
})();
