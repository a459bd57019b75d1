// What an element is called: its role and its accessible name.

const INPUT = {
  button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio",
  range: "slider", number: "spinbutton", search: "searchbox",
  text: "textbox", email: "textbox", tel: "textbox", url: "textbox", password: "textbox",
};
const TAG = {
  A: "link", AREA: "link", ARTICLE: "article", ASIDE: "complementary", BUTTON: "button", DATALIST: "listbox",
  DD: "definition", DETAILS: "group", DIALOG: "dialog", DT: "term", FIELDSET: "group", FIGURE: "figure",
  FOOTER: "contentinfo", FORM: "form", H1: "heading", H2: "heading", H3: "heading", H4: "heading", H5: "heading",
  H6: "heading", HEADER: "banner", HR: "separator", IMG: "img", LI: "listitem", MAIN: "main", MENU: "list",
  METER: "meter", NAV: "navigation", OL: "list", OPTGROUP: "group", OPTION: "option", OUTPUT: "status",
  P: "paragraph", PROGRESS: "progressbar", SECTION: "region", SUMMARY: "button", SVG: "img", TABLE: "table",
  TBODY: "rowgroup", TD: "cell", TEXTAREA: "textbox", TFOOT: "rowgroup", TH: "columnheader", THEAD: "rowgroup",
  TR: "row", UL: "list",
};
const SELECTOR = {};
for (const [tag, role] of Object.entries(TAG)) (SELECTOR[role] ||= []).push(tag.toLowerCase());
for (const [type, role] of Object.entries(INPUT)) (SELECTOR[role] ||= []).push(`input[type="${type}" i]`);
SELECTOR.textbox.push("input:not([type])", "input", "[contenteditable]");
SELECTOR.combobox = ["select", "input[list]"];
SELECTOR.listbox.push("select");
const roleOf = (e) => {
  const given = (attr(e, "role") || "").trim().split(/\s+/)[0].toLowerCase();
  if (given) return given;
  if (tagOf(e) === "INPUT") return e.list ? "combobox" : INPUT[e.type] || "";
  if (tagOf(e) === "SELECT") return e.multiple || e.size > 1 ? "listbox" : "combobox";
  if (tagOf(e) === "A" || tagOf(e) === "AREA") return attr(e, "href") !== null ? "link" : "";
  if (isEditable(e) && attr(e, "contenteditable") !== null) return "textbox";
  return TAG[tagOf(e).toUpperCase()] || "";
};
const UNNAMED = new Set([  // roles whose text is not their name
  "list", "table", "dialog", "alertdialog", "region", "main", "navigation", "form", "group", "article", "rowgroup",
  "grid", "textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton", "img", "progressbar", "meter",
  "radiogroup", "tablist", "tabpanel", "toolbar", "menu", "banner", "complementary", "contentinfo", "figure",
]);
const content = (e) => {
  let words = "";
  const walk = (node) => {
    if (kindOf(node) === 3) { words += node.data; return; }
    if (kindOf(node) !== 1 || SILENT.has(tagOf(node)) || attr(node, "aria-hidden") === "true") return;
    if (getComputedStyle(node).display === "none" && node !== e) return;
    if (node !== e && attr(node, "aria-label")) { words += ` ${attr(node, "aria-label")} `; return; }
    if (tagOf(node) === "IMG") { words += ` ${node.alt} `; return; }
    if (tagOf(node) === "SELECT" || tagOf(node) === "TEXTAREA") return;
    const gap = getComputedStyle(node).display === "inline" ? "" : " ";
    words += gap;
    for (const child of nodesOf(shadowOf(node) || node)) walk(child);
    words += gap;
  };
  walk(e);
  return words.trim() || textOf(e).trim() || pseudo(e, "::before") + pseudo(e, "::after");
};
const pseudo = (e, which) => {
  const drawn = getComputedStyle(e, which).content;
  return /^"/.test(drawn) ? drawn.slice(1, -1) : "";
};
const byIds = (e, attribute) => (attr(e, attribute) || "").split(/\s+/).filter(Boolean)
  .map((id) => rootOf(e).getElementById?.(id)).filter(Boolean).map((x) => content(x)).join(" ");
const FIGURE = "output,meter,progress", TYPED = "input,select,textarea";
const tiedTo = (e) => {  // HTML ties a label to the first thing in it; who reads it ties it to the field, not to a figure
  if (meets(e, FIGURE)) return [...labelsOf(e)].filter((label) => !select(label, TYPED).length);
  const around = meets(e, TYPED) && nearest(e, "label");
  return around?.control && meets(around.control, FIGURE) ? [around] : [...labelsOf(e)];
};
const labelOf = (e) => byIds(e, "aria-labelledby") || (attr(e, "aria-label") || "").trim()
  || tiedTo(e).map((label) => content(label)).join(" ").trim() || beside(e);
const beside = (e) => {  // a label that its author forgot to tie to the field behind it
  const label = meets(e, TYPED) && beforeOf(e);
  return label && tagOf(label) === "LABEL" && !label.control ? content(label) : "";
};
const nameOf = (e, role) => {
  const given = labelOf(e);
  if (given) return given;
  const first = (tag) => { const x = [...childrenOf(e)].find((c) => tagOf(c) === tag); return x ? content(x) : ""; };
  let own = "";
  if (isPush(e)) own = e.value || (e.type === "button" ? "" : e.type);
  else if (tagOf(e) === "IMG" || typeOf(e) === "image") own = e.alt;
  else if (tagOf(e) === "FIELDSET") own = first("LEGEND");
  else if (tagOf(e) === "TABLE") own = first("CAPTION");
  else if (tagOf(e) === "FIGURE") own = first("FIGCAPTION");
  else if (tagOf(e).toLowerCase() === "svg") own = e.querySelector("title")?.textContent || "";
  else if (tagOf(e) === "OPTION") own = e.label;
  else if (!UNNAMED.has(role)) own = content(e);
  return own.trim() || (attr(e, "title") || "").trim() || (attr(e, "placeholder") || "").trim();
};
