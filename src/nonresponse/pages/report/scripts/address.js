// Addresses within the page: #campaign, #campaign:section, #campaign/name/..., each also with ?measure= or ?cost=, by
// which the runs are ranked; "" = overview.

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// place: campaign, campaign:section or an element of the page; names: what follows it; by: null without a query.
const addressed = (hash) => {
  const [path, query = ""] = hash.replace(/^#/, "").split("?");
  const [place, ...names] = path.split("/").map(decoded);
  const asked = new URLSearchParams(query);
  const cost = parseFloat(asked.get("cost"));
  const by = cost >= 0 ? { cost } : asked.has("measure") ? { measure: asked.get("measure") } : null;
  return { path, place, names, by };
};

const withChoice = (path, by) => "#" + path + (by ? "?" + new URLSearchParams(by) : "");
