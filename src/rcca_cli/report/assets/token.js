// The token under the mouse or the keyboard: what credit it has, and from which verdicts, by which sources, how sure.

function coveringOf(record, start, end) {
  const covers = place => place.start < Math.max(end, start + 1) && start < place.end;
  const named = record.items.flatMap(item => item.places.filter(covers).map(place => ({ item, place })));
  const gates = record.gates.filter(gate => gate.start !== null && covers(gate)).map(gate => ({ gate }));
  return [...named.sort((a, b) => weightOf(b.place) - weightOf(a.place)), ...gates];
}

const weightOf = place => Math.abs((place.advantage || 0) * (place.mass || 0));

function reason({ item, place, gate }) {
  if (gate) return make("li", "", "", [sign(VERDICTS[gate.passed ? "+" : "-"]), make("b", "", `gate ${gate.level}`), make("span", "", gate.diagnosis || "")]);
  const verdict = [item.failure && item.passed === false ? item.failure : verdictOf(item)[2]];
  if (item.confidence !== null && item.confidence < 1) verdict.push(`judge sure ${percent(item.confidence)}`);
  const parts = [sign(verdictOf(item)), make("b", "", item.id), make("span", "tag", verdict.join(", "))];
  parts.push(make("span", "", place.mass === null ? `evidence: ${place.what} (${place.why})` : `${place.what}, by ${place.why || "nobody"}`));
  if (place.mass !== null) parts.push(make("span", "numbers", `${percent(place.mass)} of ${place.advantage ? signed(place.advantage) : item.passed ? "the praise" : "the blame"}`));
  if (place.confidence !== null && item.passed === false) parts.push(make("span", "numbers", `fault in its places: ${percent(place.confidence)}`));
  return make("li", "", "", parts);
}

function numbersOf(record, token) {
  const facts = [];
  if (record.advantages && token !== undefined && record.advantages.length === record.spans.length) {
    facts.push(["advantage", signed(record.advantages[token], 3)], ["whole answer", signed(record.advantage, 3)]);
    if (record.weights) facts.push(["weight", record.weights[token].toFixed(3)]);
  }
  return facts.map(([name, value]) => make("span", "fact", name + " ", [make("b", "", value)]));
}

// What the inspector at the foot of the source says about a piece of it.
function inspect(record, element) {
  const token = element.dataset.token === undefined ? undefined : Number(element.dataset.token);
  const start = Number(element.dataset.start ?? record.chars.length);
  const [from, to] = token === undefined ? [start, start + 1] : record.spans[token];
  const text = from < to ? record.chars.slice(from, to).join("").replaceAll("\n", "⏎").replaceAll("\t", "⇥") : "end";
  const name = token === undefined ? "no token" : `token ${token}` + (record.tokens.length ? `, id ${record.tokens[token]}` : "");
  const head = make("p", "", "", [make("code", "", token === undefined ? "" : text), make("span", "fact", name), ...numbersOf(record, token)]);
  const reasons = coveringOf(record, from, to);
  const even = record.advantages && !reasons.length ? "no requirement's credit lies here: it has the whole answer's" : "";
  byId("inspector").replaceChildren(head, reasons.length ? make("ul", "", "", reasons.slice(0, 4).map(reason)) : make("p", "soft", even));
}

function watchTokens(area) {
  const point = event => {
    const element = event.target.closest("[data-start], [data-token]");
    const record = (event.target.closest(".lines") || {}).record;
    if (!element || !record) return;
    area.querySelectorAll(".current").forEach(other => other.classList.remove("current"));
    if (element.dataset.token !== undefined) {
      const own = event.target.closest(".lines").querySelectorAll(`[data-token="${element.dataset.token}"]`);
      own.forEach(one => one.classList.add("current"));
    }
    inspect(record, element);
  };
  area.addEventListener("pointerover", point);
  area.addEventListener("focusin", point);
  area.addEventListener("keydown", event => walk(event, area));
}

// Arrow keys go from token to token, and from line to line.
function walk(event, area) {
  const lines = event.target.closest(".lines");
  if (!lines || event.ctrlKey || event.metaKey || event.altKey) return;
  const here = event.target.closest("[data-start], .end");
  if (event.key === "Enter" && here) return openFirst(lines.record, here);
  const all = [...lines.querySelectorAll("[data-start], .end")];
  const at = all.indexOf(here);
  const beside = way => { let to = at + way; while (all[to] && sameToken(all[to], here)) to += way; return all[to]; };
  const to = { ArrowRight: () => beside(1), ArrowLeft: () => beside(-1), ArrowDown: () => below(all, at, 1), ArrowUp: () => below(all, at, -1) }[event.key];
  if (!to) return;
  event.preventDefault();
  const next = at < 0 ? all[0] : to();
  if (!next) return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

const sameToken = (one, other) => one.dataset.token !== undefined && one.dataset.token === other.dataset.token;

// The piece nearest to the same place on the next line, or the one before.
function below(all, at, way) {
  const box = all[at].getBoundingClientRect();
  let best = null, least = Infinity;
  for (let index = at + way; all[index] && least === Infinity || all[index] && all[index].closest(".row") === best.closest(".row"); index += way) {
    if (all[index].closest(".row") === all[at].closest(".row")) continue;
    const distance = Math.abs(all[index].getBoundingClientRect().left - box.left);
    if (distance < least) [best, least] = [all[index], distance];
  }
  return best;
}

function openFirst(record, element) {
  const start = Number(element.dataset.start ?? record.chars.length);
  const found = coveringOf(record, start, start + 1).find(one => one.item);
  if (found && record === byId("source").record) openItem(found.item.id);
}
