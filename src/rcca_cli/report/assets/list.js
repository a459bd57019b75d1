// The index: every rollout of the file, by group, filtered and in pages.

const PAGE = 60;  // rollouts on one page of the list
let page = 0, found = [];

const wanted = name => byId("filter").elements[name].value;
const number = text => text.trim() === "" ? null : Number(text);

function matches(entry) {
  const text = wanted("text").trim().toLowerCase();
  if (text && !`${entry.id}\n${entry.title}\n${entry.from}`.toLowerCase().includes(text)) return false;
  if (wanted("level") && (entry.level || "not judged") !== wanted("level")) return false;
  if (wanted("failure") && !entry.failures.includes(wanted("failure"))) return false;
  if (wanted("class") && entry.class !== wanted("class")) return false;
  return matchesReward(entry) && matchesItem(entry);
}

function matchesReward(entry) {
  const [least, most] = [number(wanted("least")), number(wanted("most"))];
  if (least === null && most === null) return true;
  return entry.reward !== null && (least === null || entry.reward >= least) && (most === null || entry.reward <= most);
}

function matchesItem(entry) {
  const name = wanted("requirement").trim(), state = wanted("state");
  if (!name && !state) return true;
  return entry.items.some((item, at) => (!name || item === name) && (!state || (entry.verdicts[at] || "") === state));
}

function filterList() {
  found = entries.filter(matches);
  page = 0;
  const all = found.length === entries.length;
  byId("count").textContent = all ? counted(entries.length, "rollout") : `${found.length} of ${counted(entries.length, "rollout")}`;
  byId("clear").hidden = all;
  drawList();
}

function drawList(current = shownEntry) {
  const rows = [];
  let group = null;
  for (const entry of found.slice(page * PAGE, (page + 1) * PAGE)) {
    if (entry.group !== group) rows.push(groupHeading(entry));
    group = entry.group;
    rows.push(entryLink(entry, entry === current));
  }
  byId("entries").replaceChildren(...(rows.length ? rows : [make("p", "empty", entries.length ? "No rollout matches." : "No rollouts in this report.")]));
  const pages = Math.ceil(found.length / PAGE);
  byId("pager").hidden = pages < 2;
  byId("where").textContent = `${page + 1} of ${pages}`;
  byId("before").disabled = page === 0;
  byId("after").disabled = page >= pages - 1;
}

function groupHeading(entry) {
  const link = make("a", "compare", "compare");
  link.href = groupAddress(entry);
  link.setAttribute("aria-label", "Compare the group " + visible(entry.group));
  const lonely = groupOf(entry.group).length < 2;
  return make("div", "group", "", [make("h2", "", entry.title || entry.group), make("code", "", entry.group), lonely ? null : link]);
}

function entryLink(entry, current) {
  const link = make("a", "entry");
  link.href = addressOf(entry);
  if (current) link.setAttribute("aria-current", "true");
  link.append(make("span", "name", shortName(entry)), signs(entry), make("span", "reward", signed(entry.reward)));
  if (entry.from) link.append(make("span", "from", entry.from));
  if (entry.level !== "functional") link.append(make("span", "level", entry.level || "not judged"));
  return link;
}

// A sign for each verdict, or how many pass where they are too many to be seen at a glance.
function signs(entry) {
  const passed = [...entry.verdicts].filter(one => one === "+").length;
  const words = entry.verdicts ? `${passed} of ${entry.items.length} pass` : "not judged";
  const many = entry.verdicts.length > 9;
  const strip = make("span", "signs", many ? words : "", many ? [] : [...entry.verdicts].map(one => make("span", VERDICTS[one][1], VERDICTS[one][0])));
  strip.setAttribute("role", "img");
  strip.setAttribute("aria-label", words);
  return strip;
}

function turnPage(by) {
  page += by;
  drawList();
  byId("list").scrollTop = 0;
}

// The page on which an entry is, if the filter lets it through.
function reveal(entry) {
  const at = found.indexOf(entry);
  if (at >= 0) page = Math.floor(at / PAGE);
  drawList(entry);
  document.querySelector("#entries [aria-current]")?.scrollIntoView({ block: "nearest" });
}

function startList() {
  const values = key => [...new Set(entries.flatMap(key))].filter(Boolean).sort();
  const fill = (name, options) => put(byId(name), options.map(value => { const option = make("option", "", value); option.value = value; return option; }));
  fill("level", values(entry => [entry.level || "not judged"]));
  fill("failure", values(entry => entry.failures));
  fill("class", values(entry => [entry.class]));
  fill("names", values(entry => entry.items));
  byId("filter").addEventListener("input", filterList);
  byId("filter").addEventListener("reset", () => setTimeout(filterList));
  byId("filter").addEventListener("submit", event => event.preventDefault());
  byId("before").addEventListener("click", () => turnPage(-1));
  byId("after").addEventListener("click", () => turnPage(1));
  filterList();
}
