// Addresses within the page: #campaign, #campaign:section, #campaign/name/..., each also with ?measure=...; "" = overview.

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// place: campaign, campaign:section or an element of the page; names: what follows it.
const addressed = (hash) => {
  const [path, query = ""] = hash.replace(/^#/, "").split("?");
  const [place, ...names] = path.split("/").map(decoded);
  return { path, place, names, measure: new URLSearchParams(query).get("measure") };
};

const withMeasure = (path, measure) => "#" + path + (measure ? "?measure=" + encodeURIComponent(measure) : "");
