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
  const given = (e.getAttribute("role") || "").trim().split(/\s+/)[0].toLowerCase();
  if (given) return given;
  if (e.tagName === "INPUT") return e.list ? "combobox" : INPUT[e.type] || "";
  if (e.tagName === "SELECT") return e.multiple || e.size > 1 ? "listbox" : "combobox";
  if (e.tagName === "A" || e.tagName === "AREA") return e.hasAttribute("href") ? "link" : "";
  if (e.isContentEditable && e.hasAttribute("contenteditable")) return "textbox";
  return TAG[e.tagName.toUpperCase()] || "";
};
const UNNAMED = new Set([  // roles whose text is not their name
  "list", "table", "dialog", "alertdialog", "region", "main", "navigation", "form", "group", "article", "rowgroup",
  "grid", "textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton", "img", "progressbar", "meter",
  "radiogroup", "tablist", "tabpanel", "toolbar", "menu", "banner", "complementary", "contentinfo", "figure",
]);
const content = (e) => {
  let words = "";
  const walk = (node) => {
    if (node.nodeType === 3) { words += node.data; return; }
    if (node.nodeType !== 1 || SILENT.has(node.tagName) || node.getAttribute("aria-hidden") === "true") return;
    if (getComputedStyle(node).display === "none" && node !== e) return;
    if (node !== e && node.getAttribute("aria-label")) { words += ` ${node.getAttribute("aria-label")} `; return; }
    if (node.tagName === "IMG") { words += ` ${node.alt} `; return; }
    if (node.tagName === "SELECT" || node.tagName === "TEXTAREA") return;
    const gap = getComputedStyle(node).display === "inline" ? "" : " ";
    words += gap;
    for (const child of (node.shadowRoot || node).childNodes) walk(child);
    words += gap;
  };
  walk(e);
  return words.trim() || e.textContent.trim() || pseudo(e, "::before") + pseudo(e, "::after");
};
const pseudo = (e, which) => {
  const drawn = getComputedStyle(e, which).content;
  return /^"/.test(drawn) ? drawn.slice(1, -1) : "";
};
const byIds = (e, attribute) => (e.getAttribute(attribute) || "").split(/\s+/).filter(Boolean)
  .map((id) => e.getRootNode().getElementById?.(id)).filter(Boolean).map((x) => content(x)).join(" ");
const labelOf = (e) => byIds(e, "aria-labelledby") || (e.getAttribute("aria-label") || "").trim()
  || [...(e.labels || [])].map((label) => content(label)).join(" ").trim() || beside(e);
const beside = (e) => {  // a label that its author forgot to tie to the field behind it
  const label = e.matches("input,select,textarea") && e.previousElementSibling;
  return label && label.tagName === "LABEL" && !label.control ? content(label) : "";
};
const nameOf = (e, role) => {
  const given = labelOf(e);
  if (given) return given;
  const first = (tag) => { const x = [...e.children].find((c) => c.tagName === tag); return x ? content(x) : ""; };
  let own = "";
  if (isPush(e)) own = e.value || (e.type === "button" ? "" : e.type);
  else if (e.tagName === "IMG" || e.type === "image") own = e.alt;
  else if (e.tagName === "FIELDSET") own = first("LEGEND");
  else if (e.tagName === "TABLE") own = first("CAPTION");
  else if (e.tagName === "FIGURE") own = first("FIGCAPTION");
  else if (e.tagName.toLowerCase() === "svg") own = e.querySelector("title")?.textContent || "";
  else if (e.tagName === "OPTION") own = e.label;
  else if (!UNNAMED.has(role)) own = content(e);
  return own.trim() || (e.getAttribute("title") || "").trim() || (e.getAttribute("placeholder") || "").trim();
};
