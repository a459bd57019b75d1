// Above the source: what is known of the rollout as a whole.

function drawAbout(record, entry) {
  const fact = (name, value) => value === null || value === undefined ? null : make("span", "fact", name + " ", [make("b", "", value)]);
  const facts = make("div", "facts", "", [
    fact("reward", signed(entry.reward)),
    fact("group’s mean", groupMean(entry)),
    fact("advantage", record.mode ? signed(record.advantage) : null),
    fact("level", entry.level || "not judged"),
    fact("credit", record.mode),
    fact("quotes not found", record.unmatched || null),
    fact("tokens", record.spans.length ? String(record.spans.length) : "text only"),
    fact("ended by", record.finish && record.finish !== "stop" ? record.finish : null),
    fact("model", record.model),
  ]);
  const title = make("div", "title", "", [make("h2", "id", record.id + (entry.from ? ` (${entry.from})` : "")), compareLink(entry)]);
  byId("about").replaceChildren(title, facts, gatesOf(record), requestOf(record));
}

function groupMean(entry) {
  const rewards = groupOf(entry.group).map(one => one.reward).filter(reward => reward !== null);
  return rewards.length > 1 ? signed(rewards.reduce((a, b) => a + b, 0) / rewards.length) : null;
}

function compareLink(entry) {
  const size = groupOf(entry.group).length;
  if (size < 2) return null;
  const link = make("a", "compare", `Compare the group of ${size}`);
  link.href = groupAddress(entry);
  return link;
}

// A gate that failed leads to its place, where that is known.
function gatesOf(record) {
  const list = make("ol", "gates");
  for (const gate of record.gates) {
    const [glyph, state, words] = VERDICTS[gate.passed === null ? "?" : gate.passed ? "+" : "-"];
    const text = `${glyph} ${gate.level}`;
    const placed = gate.passed !== true && gate.start !== null;
    const chip = placed ? button("gate " + state, text + " · " + linesOf(record, gate), () => hold([gate])) : make("span", "gate " + state, text);
    chip.title = `gate ${gate.level}: ${words}`;
    list.append(make("li", "", "", [chip]));
  }
  const why = record.gates.filter(gate => gate.diagnosis && gate.passed !== true).map(gate => make("p", "why", gate.diagnosis));
  return make("div", "", "", [list, ...why]);
}

function requestOf(record) {
  const asked = [record.class, record.difficulty].filter(Boolean).join(", ");
  const summary = make("summary", "", "Request" + (asked ? ` (${asked})` : ""));
  return make("details", "request", "", [summary, make("p", "", record.prompt)]);
}
