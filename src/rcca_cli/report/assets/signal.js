// How much signal the records have: the tables and sentences of `rcca train --explain`, for each file.

let signals = [], uncounted = "";

// A page of a part leads to the index, which has them.
function startSignal(index) {
  signals = index.signal || [];
  uncounted = index.uncounted || "";
  byId("to-signal").hidden = !signals.length && !index.home;
  if (index.home) byId("to-signal").href = index.home + address("", "signal");
}

function drawSignal() {
  const named = signals.length > 1;
  byId("signal").replaceChildren(make("h2", "", "How much signal there is, and where the rest went"), ...signals.map(one => signalOf(one, named)), uncounted ? make("p", "", uncounted) : "");
}

function signalOf(one, named) {
  const [sizes, ...causes] = one.said;
  const said = causes.length ? make("ul", "causes", "", causes.map(text => make("li", "", text))) : make("p", "", "No cause stands out.");
  return make("article", "", "", [named ? make("h3", "", one.file) : null, make("p", "soft", sizes), said, make("div", "tables", "", one.tables.map(signalTable))]);
}

function signalTable(table) {
  const head = make("tr", "", "", table.columns.map(name => { const cell = make(name ? "th" : "td", "", name); if (name) cell.scope = "col"; return cell; }));
  const rows = table.rows.map(([label, ...cells]) => {
    const name = make("th", label.startsWith("  ") ? "sub" : "", label.trim());
    name.scope = "row";
    return make("tr", "", "", [name, ...cells.map(text => make("td", "", text))]);
  });
  const grid = make("table", "", "", [make("caption", "", table.title), make("thead", "", "", [head]), make("tbody", "", "", rows)]);
  return make("div", "", "", [grid, table.note ? make("p", "soft", table.note) : null]);
}
