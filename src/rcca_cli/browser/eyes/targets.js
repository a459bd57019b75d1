// From a target of the check language to elements.

const all = (root, selector) => {
  const found = [...select(root, selector)];
  for (const host of select(root, "*"))
    if (shadowOf(host)) found.push(...all(shadowOf(host), selector));
  return found;
};
let wrong = null;  // what is wrong with a target itself
const FIELDS =
  "input,select,textarea,button,output,meter,progress,[role],[contenteditable],[aria-label],[aria-labelledby]";
const hostsIn = (root) => [...select(root, "*")].filter(shadowOf).flatMap((host) => [host, ...hostsIn(shadowOf(host))]);
const innermost = (root, words, exact) => {
  const found = [], hosts = hostsIn(root);  // an element's text says nothing of what the shadow roots in it hold
  const has = (e) => {
    if (SILENT.has(tagOf(e))) return false;
    if (tagOf(e) === "INPUT") return isPush(e) && fits(e.value, words, exact);
    const holds = shadowOf(e) || hosts.some((host) => contains(e, host));
    if (!holds && !fold(textOf(e)).includes(fold(words))) return false;
    if (tagOf(e) === "SELECT" || tagOf(e) === "TEXTAREA") return false;
    return true;
  };
  const walk = (e) => {
    let inner = false;
    for (const child of childrenOf(shadowOf(e) || e)) if (has(child) && walk(child)) inner = true;
    if (inner) return true;
    const text = visible(e) ? shownText(e) : textOf(e);
    if (tagOf(e) === "INPUT" || fits(text, words, exact)) { found.push(e); return true; }
    return false;
  };
  if (kindOf(root) === 9) root = root.body;
  if (root && has(root)) walk(root);
  return found.filter((e) => e !== document.body || fits(e.innerText, words, exact));
};
const WAYS = {
  role: (root, a) => {
    const wanted = a.role.toLowerCase();
    const kin = wanted === "textbox" ? ["textbox", "searchbox"] : [wanted];
    const selector = [...kin.flatMap((r) => SELECTOR[r] || []), "[role]"].join(",");
    return all(root, selector).filter((e) => kin.includes(roleOf(e)))
      .filter((e) => a.name === undefined || fits(nameOf(e, roleOf(e)), a.name, a.exact));
  },
  label: (root, a) => all(root, FIELDS).filter((e) => { const l = labelOf(e); return l && fits(l, a.label, a.exact); }),
  text: (root, a) => innermost(root, a.text, a.exact),
  placeholder: (root, a) => all(root, "[placeholder]")
    .filter((e) => fits(attr(e, "placeholder"), a.placeholder, a.exact)),
  testid: (root, a) => all(root, `[data-testid="${CSS.escape(a.testid)}"]`),
  css: (root, a) => { try { return all(root, a.css); } catch { wrong = `no CSS selector: ${a.css}`; return []; } },
};
const likeness = (e, a) => {
  const words = a.name ?? a.label ?? a.text ?? a.placeholder;
  if (words === undefined) return 0;
  const own = a.name !== undefined ? nameOf(e, roleOf(e)) : a.label !== undefined ? labelOf(e)
    : a.text !== undefined ? textOf(e) : attr(e, "placeholder");
  return fold(own) === fold(words) ? 1 : 0;
};
const matches = (root, a) => {
  if (a.within) {
    const outer = find(root, a.within);
    if (!outer.element) return [];
    root = outer.element;
  }
  return WAYS[["role", "label", "text", "placeholder", "testid", "css"].find((w) => w in a)](root, a);
};
const find = (root, target) => {
  if (!target) return { element: document.body, list: [document.body], shown: [document.body], alternative: null };
  let best = null;
  for (const [index, a] of target.entries()) {
    let list = matches(root, a), shown = list.filter(visible);
    if (a.nth !== undefined) {
      const from = shown.length ? shown : list, one = from.at(a.nth);
      list = one ? [one] : [];
      shown = list.filter(visible);
    }
    if (!list.length) continue;
    const from = shown.length ? shown : list;
    const element = (a.nth === undefined && from.find((e) => likeness(e, a))) || from[0];
    const answer = { element, list, shown, alternative: index };
    if (shown.length) return answer;
    best ||= answer;
  }
  return best || { element: null, list: [], shown: [], alternative: null };
};
