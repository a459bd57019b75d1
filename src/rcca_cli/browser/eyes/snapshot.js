// The page as a list of what a user meets on it, in order: role, name, text, value, state. For whoever judges by reading.

const SAID = ["alt", "title", "aria-label", "aria-description", "placeholder"];  // what an author says without showing it
const PLAIN = new Set(["", "paragraph", "group", "region", "definition", "term", "rowgroup", "generic", "presentation", "none"]);
const USED = new Set([
  "button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider", "spinbutton",
  "tab", "menuitem", "option",
]);
const lettersOf = (e) => {  // the element's own text, without that of the elements in it, as far as it can be seen
  if (isPush(e)) return e.value;
  if (FIELD.has(tagOf(e))) return "";
  const style = getComputedStyle(e);
  if (style.visibility !== "visible" || !inked(e, style)) return "";
  return squash([...nodesOf(shadowOf(e) || e)].filter((node) => kindOf(node) === 3).map((node) => node.data).join(" "));
};
const statesOf = (e, role) => {
  const states = [], on = checkedState(e);
  if (on !== null && (/^(checkbox|radio|switch|option|tab)$/.test(role) || attr(e, "aria-pressed") !== null))
    states.push(on ? "on" : "off");
  if (USED.has(role) && !enabled(e)) states.push("disabled");
  if (USED.has(role) && covered(e)) states.push("covered");
  if (e.readOnly === true) states.push("read-only");
  if (USED.has(role) && document.activeElement === e) states.push("focused");
  if (attr(e, "aria-expanded") !== null) states.push(attr(e, "aria-expanded") === "true" ? "expanded" : "collapsed");
  return states;
};
const described = (e, depth) => {  // what there is to say about an element; null if it is a mere wrapper
  const role = roleOf(e), text = lettersOf(e), drawn = squash(`${pseudo(e, "::before")} ${pseudo(e, "::after")}`);
  const said = {};
  for (const name of SAID) if (attr(e, name)) said[name] = squash(attr(e, name));
  const thing = meets(e, THINGS);
  if (PLAIN.has(role) && !text && !drawn && !thing && !Object.keys(said).length) return null;
  const value = FIELD.has(tagOf(e)) && !isPush(e) ? valueOf(e) : attr(e, "aria-valuenow");
  const options = tagOf(e) === "SELECT" ? [...e.options].slice(0, MANY).map((o) => squash(o.label)) : null;
  return { depth, tag: tagOf(e).toLowerCase(), role, name: role ? squash(nameOf(e, role)) : "", text, drawn, value, options,
    states: statesOf(e, role), said };
};
const snapshot = (most) => {  // at most so many elements; `left` is how many more there were
  freshen();
  const nodes = [];
  let left = 0, hidden = 0;
  const walk = (e, depth) => {
    if (SILENT.has(tagOf(e))) return;
    if (tagOf(e) === "OPTION" || tagOf(e) === "OPTGROUP") return;
    const shown = visible(e);
    if (!shown && !childrenOf(shadowOf(e) || e).length) { hidden++; return; }
    const one = shown ? described(e, depth) : null;
    if (one && nodes.length < most) nodes.push(one); else if (one) left++;
    for (const child of shownChildren(e)) if (kindOf(child) === 1) walk(child, one ? depth + 1 : depth);
  };
  if (document.body) walk(document.body, 0);
  return { title: squash(document.title), address: location.pathname + location.hash, nodes, left, hidden };
};
globalThis.rcca.snapshot = snapshot;
