// The answers to one task side by side: rewards, a matrix of verdicts, and two of them line by line.

async function drawGroup(members, names) {
  const chosen = chosenPair(members, names);
  const area = byId("group");
  const title = make("h2", "", members[0].title || members[0].group);
  const about = make("p", "soft", `${counted(members.length, "rollout")} of ${members[0].group}; ${counted(differing(members).length, "requirement")} differ between them. Choose two to compare.`);
  area.replaceChildren(title, about, matrix(members, chosen));
  if (chosen.length < 2) return;
  const records = await Promise.all(chosen.map(readRecord));
  for (const record of records) record.scales.weights = Math.max(...records.map(one => largest(one.weights || [])));
  drawLegend(records[0]);
  area.append(heads(records, chosen), drawDiff(...records));
}

// The two that were asked for; else the worst and the best that are known.
function chosenPair(members, names) {
  const asked = names.map(name => members.find(entry => entry.name === name)).filter(Boolean);
  if (asked.length === 2 && asked[0] !== asked[1]) return asked;
  const known = members.filter(entry => entry.reward !== null).sort((a, b) => a.reward - b.reward);
  const pair = known.length > 1 ? [known[0], known[known.length - 1]] : members.slice(0, 2);
  return pair;
}

const verdictAt = (entry, name) => entry.verdicts[entry.items.indexOf(name)] || "";
const itemsOf = members => [...new Set(members.flatMap(entry => entry.items))];
const differing = members => itemsOf(members).filter(name => new Set(members.map(entry => verdictAt(entry, name))).size > 1);
const shortName = entry => entry.id.startsWith(entry.group + "/") ? entry.id.slice(entry.group.length) : entry.id;

const labelOf = entry => shortName(entry) + (entry.from ? ` (${entry.from})` : "");

function matrix(members, chosen) {
  const differs = new Set(differing(members));
  const cell = (name, parts) => make("td", name, "", parts);
  const head = (name, text, parts = []) => { const one = make("th", "", text, parts); one.scope = name; return one; };
  const columns = members.map(entry => cellOf(entry, chosen));
  const rows = [make("tr", "", "", [make("td"), ...members.map(entry => head("col", "", [linkTo(entry, "", labelOf(entry))]))])];
  rows.push(make("tr", "rewards", "", [head("row", "reward"), ...members.map(entry => cell("", [make("b", "", signed(entry.reward))]))]));
  if (members.some(entry => entry.level !== "functional")) rows.push(make("tr", "levels", "", [head("row", "level"), ...members.map(entry => cell("", [make("span", "", entry.level || "not judged")]))]));
  for (const name of itemsOf(members)) {
    const row = make("tr", differs.has(name) ? "differs" : "", "", [head("row", name, [make("span", "tag", differs.has(name) ? "differs" : "")])]);
    put(row, members.map(entry => cell("", [linkTo(entry, name)])));
    rows.push(row);
  }
  rows.push(...["left", "right"].map((where, at) => make("tr", "choice", "", [head("row", where), ...columns.map(column => column(where, at))])));
  const area = make("div", "matrix", "", [make("table", "", "", [make("tbody", "", "", rows)])]);
  area.tabIndex = 0;
  area.addEventListener("scroll", () => tellMore(area));
  new ResizeObserver(() => tellMore(area)).observe(area);
  return area;
}

// A table that goes on beyond its right edge fades out there.
const tellMore = area => area.classList.toggle("goes-on", area.scrollWidth - area.clientWidth - area.scrollLeft > 1);

function linkTo(entry, item, text) {
  const [glyph, state, words] = VERDICTS[verdictAt(entry, item)];
  const link = make("a", text ? "" : "sign " + state, text || glyph);
  link.href = addressOf(entry, ...(item ? [item] : []));
  if (!text) link.setAttribute("aria-label", visible(`${labelOf(entry)} ${item}: ${words}`));
  return link;
}

// A radio button: this rollout on the left, or on the right.
function cellOf(entry, chosen) {
  return (where, at) => {
    const input = make("input");
    input.type = "radio";
    input.name = where;
    input.checked = chosen[at] === entry;
    input.disabled = chosen[1 - at] === entry;
    input.setAttribute("aria-label", visible(`${labelOf(entry)} on the ${where}`));
    input.addEventListener("change", () => {
      const pair = chosen.map((one, place) => place === at ? entry : one);
      location.hash = address("", "group", entry.group, ...pair.map(one => one.name));
    });
    return make("td", "", "", [input]);
  };
}

function heads(records, chosen) {
  return make("div", "pair-heads", "", records.map((record, at) => make("div", "", "", [
    linkTo(chosen[at], "", record.id + (chosen[at].from ? ` (${chosen[at].from})` : "")), make("span", "fact", "reward ", [make("b", "", signed(chosen[at].reward))]),
    make("span", "fact", "advantage ", [make("b", "", signed(record.advantage))]), signs(chosen[at]),
  ])));
}
