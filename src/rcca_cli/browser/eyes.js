// Runs in a world of its own, where nothing the page has changed is seen: finds targets, reads what a user would see,
// says where to click. `$SECRET` names the events by which it asks the page's clock to run.
(() => {
  const SECRET = "$SECRET";
  const OPEN = /^(auto|scroll)$/, CLIP = /^(hidden|clip)$/;
  const squash = (s) => s.replace(/\s+/g, " ").trim().replace(/’/g, "'").replace(/[−–]/g, "-");
  const fold = (s) => squash(s).toLowerCase();

  // Words ------------------------------------------------------------------------------------------------------------
  const isWord = (c) => /[\p{L}\p{N}_]/u.test(c);
  const holds = (text, part) => {
    const inner = isWord(part[0]), outer = isWord(part[part.length - 1]);
    const bare = !/[\p{L}\p{N}]/u.test(part);  // "+" is not in "+1"
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      const before = text[at - 1] || " ", after = text[at + part.length] || " ";
      if (bare ? before === " " && after === " " : !(inner && isWord(before)) && !(outer && isWord(after))) return true;
    }
    return false;
  };
  const fits = (text, words, exact) => exact ? squash(text) === squash(words) : holds(fold(text), fold(words));

  // What can be seen -----------------------------------------------------------------------------------------------------
  const parentOf = (e) => e.assignedSlot || e.parentElement || (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
  const box = (e) => {
    const r = e.getBoundingClientRect();
    return { left: r.left, top: r.top, right: r.right, bottom: r.bottom };
  };
  const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const empty = (b) => b.right - b.left <= 0 || b.bottom - b.top <= 0;
  const visible = (e) => {
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false;
    let b = box(e);
    if (empty(b)) {  // an empty wrapper shows what overflows it
      return getComputedStyle(e).overflow === "visible" && [...e.children].some(visible);
    }
    let fixed = getComputedStyle(e).position;
    for (let up = parentOf(e); up && up !== document.documentElement && fixed !== "fixed"; up = parentOf(up)) {
      const style = getComputedStyle(up);
      if (fixed === "absolute" && style.position === "static" && style.transform === "none") continue;
      fixed = style.position;
      if (up === document.body) continue;
      const x = style.overflowX, y = style.overflowY;
      if (x === "visible" && y === "visible") continue;
      const clip = box(up);
      if (empty(clip)) return false;
      if (CLIP.test(x) && !(b.left < clip.right && clip.left < b.right)) return false;
      if (CLIP.test(y) && !(b.top < clip.bottom && clip.top < b.bottom)) return false;
      if (OPEN.test(x) || OPEN.test(y)) b = clip;
    }
    return b.right + scrollX > 0 && b.bottom + scrollY > 0;
  };
  const BLOCK = /^(block|flex|grid|table|list-item|table-row|table-cell|table-caption|flow-root|table-row-group|table-header-group)/;
  const SILENT = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "TITLE", "META", "LINK"]);
  const shownText = (root) => {
    const parts = [];
    const walk = (node) => {
      if (node.nodeType === 3) { parts.push(node.data); return; }
      if (node.nodeType !== 1 || SILENT.has(node.tagName)) return;
      const style = getComputedStyle(node);
      if (style.display === "none" || style.opacity === "0") return;
      const clipped = CLIP.test(style.overflowX) || CLIP.test(style.overflowY);
      if (clipped && style.display !== "inline" && empty(box(node))) return;
      if (node !== root && style.position !== "static" && !visible(node) && !node.querySelector("*")) return;
      const block = BLOCK.test(style.display);
      if (block) parts.push("\n");
      const hidden = style.visibility !== "visible";
      if (node.tagName === "BR") parts.push("\n");
      else if (node.tagName === "SELECT") { if (!hidden) parts.push([...node.selectedOptions].map((o) => o.label).join(", ")); }
      else if (node.tagName === "TEXTAREA") { /* its value is not page text */ }
      else if (node.tagName === "INPUT") { if (!hidden && /^(button|submit|reset)$/.test(node.type)) parts.push(node.value); }
      else for (const child of (node.shadowRoot || node).childNodes) if (!(hidden && child.nodeType === 3)) walk(child);
      if (block) parts.push("\n");
    };
    if (root && (root === document.body || visible(root) || root.tagName === "OPTION")) walk(root);
    return parts.join("").replace(/\s+/g, " ").trim();
  };

  // Roles and names ------------------------------------------------------------------------------------------------------
  const INPUT = { button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio",
    range: "slider", number: "spinbutton", search: "searchbox", text: "textbox", email: "textbox", tel: "textbox",
    url: "textbox", password: "textbox" };
  const TAG = { A: "link", AREA: "link", ARTICLE: "article", ASIDE: "complementary", BUTTON: "button", DATALIST: "listbox",
    DD: "definition", DETAILS: "group", DIALOG: "dialog", DT: "term", FIELDSET: "group", FIGURE: "figure", FOOTER: "contentinfo",
    FORM: "form", H1: "heading", H2: "heading", H3: "heading", H4: "heading", H5: "heading", H6: "heading", HEADER: "banner",
    HR: "separator", IMG: "img", LI: "listitem", MAIN: "main", MENU: "list", METER: "meter", NAV: "navigation", OL: "list",
    OPTGROUP: "group", OPTION: "option", OUTPUT: "status", P: "paragraph", PROGRESS: "progressbar", SECTION: "region",
    SUMMARY: "button", SVG: "img", TABLE: "table", TBODY: "rowgroup", TD: "cell", TEXTAREA: "textbox", TFOOT: "rowgroup",
    TH: "columnheader", THEAD: "rowgroup", TR: "row", UL: "list" };
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
  const UNNAMED = new Set(["list", "table", "dialog", "alertdialog", "region", "main", "navigation", "form", "group", "article",
    "rowgroup", "grid", "textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton", "img", "progressbar", "meter",
    "radiogroup", "tablist", "tabpanel", "toolbar", "menu", "banner", "complementary", "contentinfo", "figure"]);
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
  const pseudo = (e, which) => { const c = getComputedStyle(e, which).content; return /^"/.test(c) ? c.slice(1, -1) : ""; };
  const byIds = (e, attribute) => (e.getAttribute(attribute) || "").split(/\s+/).filter(Boolean)
    .map((id) => e.getRootNode().getElementById?.(id)).filter(Boolean).map((x) => content(x)).join(" ");
  const labelOf = (e) => byIds(e, "aria-labelledby") || (e.getAttribute("aria-label") || "").trim()
    || [...(e.labels || [])].map((label) => content(label)).join(" ").trim();
  const nameOf = (e, role) => {
    const given = labelOf(e);
    if (given) return given;
    const first = (tag) => { const x = [...e.children].find((c) => c.tagName === tag); return x ? content(x) : ""; };
    let own = "";
    if (e.tagName === "INPUT" && /^(button|submit|reset)$/.test(e.type)) own = e.value || (e.type === "button" ? "" : e.type);
    else if (e.tagName === "IMG" || e.type === "image") own = e.alt;
    else if (e.tagName === "FIELDSET") own = first("LEGEND");
    else if (e.tagName === "TABLE") own = first("CAPTION");
    else if (e.tagName === "FIGURE") own = first("FIGCAPTION");
    else if (e.tagName.toLowerCase() === "svg") own = e.querySelector("title")?.textContent || "";
    else if (e.tagName === "OPTION") own = e.label;
    else if (!UNNAMED.has(role)) own = content(e);
    return own.trim() || (e.getAttribute("title") || "").trim() || (e.getAttribute("placeholder") || "").trim();
  };

  // Targets --------------------------------------------------------------------------------------------------------------
  const all = (root, selector) => {
    const found = [...root.querySelectorAll(selector)];
    for (const host of root.querySelectorAll("*"))
      if (host.shadowRoot) found.push(...all(host.shadowRoot, selector));
    return found;
  };
  const FIELDS = "input,select,textarea,button,output,meter,progress,[role],[contenteditable],[aria-label],[aria-labelledby]";
  const innermost = (root, words, exact) => {
    const found = [];
    const has = (e) => {
      if (SILENT.has(e.tagName)) return false;
      if (e.tagName === "INPUT") return /^(button|submit|reset)$/.test(e.type) && fits(e.value, words, exact);
      if (!fold(e.textContent).includes(fold(words)) && !e.shadowRoot) return false;
      if (e.tagName === "SELECT" || e.tagName === "TEXTAREA") return false;
      return true;
    };
    const walk = (e) => {
      let inner = false;
      for (const child of (e.shadowRoot || e).children) if (has(child) && walk(child)) inner = true;
      for (const child of e.shadowRoot ? [] : e.querySelectorAll(":scope > input")) if (!inner && has(child)) inner = true;
      if (inner) return true;
      const text = visible(e) ? shownText(e) : e.textContent;
      if (e.tagName === "INPUT" || fits(text, words, exact)) { found.push(e); return true; }
      return false;
    };
    if (root.nodeType === 9) root = root.body;
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
    placeholder: (root, a) => all(root, "[placeholder]").filter((e) => fits(e.getAttribute("placeholder"), a.placeholder, a.exact)),
    testid: (root, a) => all(root, `[data-testid="${CSS.escape(a.testid)}"]`),
    css: (root, a) => { try { return all(root, a.css); } catch { return []; } },
  };
  const likeness = (e, a) => {
    const words = a.name ?? a.label ?? a.text ?? a.placeholder;
    if (words === undefined) return 0;
    const own = a.name !== undefined ? nameOf(e, roleOf(e)) : a.label !== undefined ? labelOf(e)
      : a.text !== undefined ? e.textContent : e.getAttribute("placeholder");
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

  // Reading --------------------------------------------------------------------------------------------------------------
  const brush = new OffscreenCanvas(1, 1).getContext("2d");
  const colour = (value) => {
    brush.fillStyle = "#010203"; brush.fillStyle = value; const once = brush.fillStyle;
    brush.fillStyle = "#030201"; brush.fillStyle = value;
    return once === brush.fillStyle ? once : null;  // null: no colour
  };
  const WEIGHT = { bold: "700", normal: "400" };
  const sameStyle = (property, found, wanted) => {
    const f = found.trim().toLowerCase().replace(/\s+/g, " "), w = String(wanted).trim().toLowerCase().replace(/\s+/g, " ");
    if (f === w || (property === "font-weight" && f === WEIGHT[w])) return true;
    if (property === "text-decoration" && f.split(" ").includes(w)) return true;
    const a = colour(f), b = colour(w);
    return a !== null && a === b;
  };
  const enabled = (e) => !e.matches(":disabled") && !e.closest('[aria-disabled="true"]');
  const checkedState = (e) => {
    if (e.tagName === "INPUT" && /^(checkbox|radio)$/.test(e.type)) return e.checked;
    if (e.tagName === "OPTION") return e.selected;
    for (const name of ["aria-checked", "aria-pressed", "aria-selected"])
      if (e.hasAttribute(name)) return e.getAttribute(name) === "true";
    const inner = e.tagName === "LABEL" ? e.control : e.querySelector("input[type=checkbox],input[type=radio]");
    return inner ? inner.checked : null;
  };
  const valueOf = (e) => {
    if (e.tagName === "SELECT") return [...e.selectedOptions].map((o) => o.label).join(", ");
    if ("value" in e && e.tagName !== "LI" && e.tagName !== "BUTTON") return String(e.value);
    if (e.isContentEditable) return e.innerText;
    return e.getAttribute("aria-valuenow");
  };
  const look = (q) => {
    const { element: e, list, shown, alternative } = find(document, q.target);
    const seen = { found: list.length, visible: shown.length, alternative, text: null, value: null, enabled: false,
      checked: null, focused: false, attribute: null, style: null, same: [], x: 0, y: 0, width: 0, height: 0 };
    if (!e) return seen;
    const r = e.getBoundingClientRect();
    Object.assign(seen, { x: r.x, y: r.y, width: r.width, height: r.height, value: valueOf(e), enabled: enabled(e),
      checked: checkedState(e), focused: document.activeElement === e || (document.activeElement !== document.body && e.contains(document.activeElement)) });
    if (q.text) seen.text = e.tagName === "INPUT" || e.tagName === "TEXTAREA" ? e.value : e.tagName === "SELECT" ? valueOf(e) : shownText(e);
    if (q.attribute) seen.attribute = e.getAttribute(q.attribute);
    if (q.property) {
      seen.style = getComputedStyle(e).getPropertyValue(q.property);
      seen.same = (q.values || []).map((w) => sameStyle(q.property, seen.style, w));
    }
    return seen;
  };
  const blank = () => {
    if (!document.body) return true;
    if (shownText(document.body)) return false;
    return ![...document.body.querySelectorAll("canvas,svg,img,video,input,button,select,textarea,progress,meter,iframe")].some(visible)
      && ![...document.body.querySelectorAll("*")].some((e) => {
        const s = getComputedStyle(e);
        return !SILENT.has(e.tagName) && (s.backgroundImage !== "none" || (s.backgroundColor !== "rgba(0, 0, 0, 0)")) && visible(e);
      });
  };

  // Acting ---------------------------------------------------------------------------------------------------------------
  let last = null;  // the element acted on, for the questions of a replay
  const tagged = (e) => `<${e.tagName.toLowerCase()}${e.id ? ` id="${e.id}"` : ""}${e.classList.length ? ` class="${[...e.classList].join(" ")}"` : ""}>`;
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot) { const inner = hit.shadowRoot.elementFromPoint(x, y); if (!inner || inner === hit) break; hit = inner; }
    return hit;
  };
  const inside = (hit, e) => { for (let up = hit; up; up = parentOf(up)) if (up === e) return true; return false; };
  const pointOn = (e) => {
    const seen = () => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight && r.right <= innerWidth; };
    if (!seen()) e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const rects = [...e.getClientRects()].filter((r) => r.width > 0 && r.height > 0);
    let cover = null;
    for (const r of rects.slice(0, 3)) {
      const x0 = Math.max(r.left, 0), x1 = Math.min(r.right, innerWidth), y0 = Math.max(r.top, 0), y1 = Math.min(r.bottom, innerHeight);
      for (const [u, v] of [[0.5, 0.5], [0.5, 0.15], [0.5, 0.85], [0.1, 0.5], [0.9, 0.5]]) {
        const x = x0 + (x1 - x0) * u, y = y0 + (y1 - y0) * v, hit = hitAt(x, y);
        if (hit && (inside(hit, e) || (hit.closest("label") && hit.closest("label").control === e))) return { x, y };
        cover ||= hit;
      }
    }
    return { cover };
  };
  const aim = (target, purpose) => {
    const { element, alternative } = find(document, target);
    const answer = { problem: null, detail: null, alternative, x: 0, y: 0, tag: "", type: "", on: null, value: "" };
    const fail = (problem, detail) => Object.assign(answer, { problem, detail: detail || null });
    if (!element) return fail("absent");
    let e = last = element;
    Object.assign(answer, { tag: e.tagName, type: e.type || "", on: checkedState(e), value: valueOf(e) || "" });
    if (purpose === "select" && e.tagName === "LABEL" && e.control) e = last = e.control;
    if (purpose === "type" && !e.matches("input,textarea,[contenteditable]") ) {
      const inner = e.tagName === "LABEL" && e.control ? e.control : e.querySelector("input,textarea,[contenteditable]");
      if (!inner) return fail("unfit");
      e = last = inner;
    }
    if (!visible(e)) {
      const label = [...(e.labels || [])].find(visible);
      if (!label || purpose === "type") return fail("hidden");
      e = label;
    }
    if (purpose !== "hover" && !enabled(e)) return fail("disabled");
    if (purpose === "type") {
      if (e.readOnly) return fail("disabled");
      e.scrollIntoView({ block: "nearest", behavior: "instant" });
      e.focus();
      if (document.activeElement !== e && !e.contains(document.activeElement)) return fail("covered", "something that keeps the focus");
      if (e.select) e.select(); else getSelection().selectAllChildren(e);
      return Object.assign(answer, { tag: e.tagName, type: e.type || "", value: valueOf(e) || "" });
    }
    if (purpose === "focus") { e.focus(); return answer; }
    if (purpose === "select" || purpose === "set") return answer;
    const point = pointOn(e);
    if (!("x" in point)) return fail("covered", point.cover ? tagged(point.cover) : "the edge of the page");
    return Object.assign(answer, point);
  };
  const fire = (e) => {
    e.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    e.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const choose = (option) => {
    const options = [...last.options];
    const one = options.find((o) => fold(o.label) === fold(option)) || options.find((o) => o.value === option)
      || options.find((o) => fits(o.label, option));
    if (!one) return false;
    last.focus();
    if (last.multiple) one.selected = true; else last.value = one.value, last.selectedIndex = one.index;
    fire(last);
    return true;
  };
  const put = (value) => {
    if (!("value" in last)) return false;
    last.focus();
    last.value = value;
    fire(last);
    return true;
  };

  // Rest -----------------------------------------------------------------------------------------------------------------
  let leaving = false, submitted = false;
  navigation.addEventListener("navigate", (e) => { if (!e.destination.sameDocument && !e.downloadRequest) leaving = true; });
  addEventListener("submit", () => { submitted = true; }, true);
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const paint = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); setTimeout(done, 500); });
  const calm = () => {
    for (const animation of document.getAnimations())
      try { Number.isFinite(animation.effect.getComputedTiming().endTime) ? animation.finish() : animation.cancel(); } catch { /* odd timing */ }
  };
  const pump = (ms) => new Promise((done) => {
    let heard = false;
    addEventListener(SECRET + "!", () => { heard = true; }, { once: true });
    addEventListener(SECRET + "<", (event) => done(JSON.parse(event.detail)), { once: true });
    dispatchEvent(new CustomEvent(SECRET + ">", { detail: JSON.stringify({ ms, most: 20000 }) }));
    if (!heard) done({ errors: [], lost: 0, ran: 0, starved: true, now: 0 });  // document.open() ends all listeners
  });
  const turn = async (o) => {
    let rest = null;
    if (submitted) { await pause(10); submitted = false; }
    if (o.rest !== undefined) rest = await pump(o.rest);
    calm();
    if (o.patient && document.querySelector('meta[http-equiv="refresh" i]')) await pause(200);
    if (o.patient) { await paint(); if (o.rest !== undefined) rest.errors.push(...(await pump(0)).errors); calm(); }
    const out = { rest, leaving };
    if (leaving) return out;
    if (o.look) out.look = o.look.map(look);
    if (o.aim !== undefined) out.aim = aim(o.aim, o.purpose);
    if (o.choose !== undefined) out.done = choose(o.choose);
    if (o.put !== undefined) out.done = put(o.put);
    if (o.blank) out.blank = blank();
    return out;
  };
  const ATTRIBUTES = ["id", "class", "name", "type", "href", "role", "placeholder"];
  const plainly = (e) => Object.fromEntries(ATTRIBUTES.filter((a) => e.hasAttribute(a)).map((a) => [a, e.getAttribute(a)]));
  const about = () => {
    const place = (globalThis.parsed || []).indexOf(last);  // skeleton.js
    return { place: place < 0 ? null : place, tag: last.tagName.toLowerCase(), attributes: plainly(last) };
  };
  const skeleton = () => (globalThis.parsed || []).map((e) => [e.tagName.toLowerCase(), e.id]);
  const see = (target) => { last = find(document, target).element; return last !== null; };
  globalThis.rcca = { turn, about, skeleton, see, last: () => last, stay: () => { leaving = false; } };
})();
