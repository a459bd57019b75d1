// Credit as colour: eight steps of orange (blame) and of blue (praise), one scale for a group. Blame is dotted as well.

const STEPS = 8, CURVE = 0.5;  // below 1, so that small credit can be told from none
let shade = "advantages";

const step = (value, most) => value && most ? Math.min(STEPS, Math.max(1, Math.ceil(STEPS * (Math.abs(value) / most) ** CURVE))) : 0;
const edge = (steps, most) => most * (steps / STEPS) ** (1 / CURVE);  // the largest value of a step

function shadeClass(value, most) {
  const steps = step(value, most);
  if (!steps) return "";
  return `${shade === "weights" ? "weight" : value < 0 ? "blame" : "praise"} k${steps}`;
}

// What tokens can be coloured by, and what the two ends of its scale are called.
const SHADES = {
  advantages: { title: "What a policy gradient multiplies", of: record => record.advantages, ends: ["▼ blame", "praise ▲"] },
  local: { title: "How a token’s credit differs from the whole answer’s", of: record => record.advantage === null || !record.advantages ? null : record.advantages.map(value => value - record.advantage), ends: ["▼ below the whole answer’s", "above ▲"] },
  weights: { title: "How much a token is held responsible, without sign", of: record => record.weights, ends: ["", "weight"] },
  none: { of: () => null },
};

const largest = values => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

// What the tokens of a record are coloured by now, and the end of the scale; null if by nothing.
function shading(record) {
  const values = SHADES[shade].of(record);
  if (!values || values.length !== record.spans.length || shade === "advantages" && earnsNothing(record)) return null;
  return { values, most: record.scales[shade] };
}

// An answer that has nothing to be compared with, or is like all of its group: all its advantages are zero.
const earnsNothing = record => record.advantages && !largest(record.advantages);
const isBlamed = record => record.mode && (earnsNothing(record) || !record.spans.length && !record.items.some(item => item.places.some(place => place.advantage)));

// The places that failed items are blamed on, of an answer that earns nothing; the heaviest blame comes first.
function blamed(record) {
  const failed = isBlamed(record) ? record.items.filter(item => item.passed === false) : [];
  return failed.flatMap(item => item.places).filter(place => place.mass).sort((a, b) => blameOf(a) - blameOf(b));
}

const blameOf = place => -place.mass * (place.confidence ?? 1);

// Of an answer known as text only, the credit of its tokens is not recorded: the places stand for them. So they do where
// nothing is earned: by how much of the blame they have, and how sure that is.
function placeShading(record) {
  if (shade !== "advantages" || !isBlamed(record) && record.spans.length) return null;
  const held = isBlamed(record) ? blamed(record) : record.items.flatMap(item => item.places).filter(place => place.advantage);
  const share = isBlamed(record) ? blameOf : place => place.advantage * place.mass;
  const most = largest(held.map(share));
  const heaviest = at => held.filter(place => at >= place.start && at < place.end).reduce((a, b) => a && Math.abs(share(a)) >= Math.abs(share(b)) ? a : b, null);
  return most ? { most, value: at => { const place = heaviest(at); return place ? share(place) : 0; } } : null;
}

// The legend shows each step in its own colour, with the value at which it ends.
function drawLegend(record) {
  const found = record && (shading(record) || placeShading(record));
  byId("legend").hidden = !found;
  if (!found) return;
  const swatch = (kind, steps) => make("i", `${kind} k${steps}`);
  const steps = Array.from({ length: STEPS }, (_, index) => index + 1);
  const half = edge(STEPS / 2, found.most);
  const scale = shade === "weights"
    ? [make("i", "k0"), ...steps.map(one => swatch("weight", one))]
    : [...steps.map(one => swatch("blame", one)).reverse(), make("i", "k0"), ...steps.map(one => swatch("praise", one))];
  const labels = shade === "weights" ? ["0", half.toFixed(2), found.most.toFixed(2)] : [-found.most, -half, 0, half, found.most].map(value => value ? signed(value) : "0");
  const bar = make("span", "bar", "", [make("span", "swatches", "", scale), make("span", "ticks", "", labels.map(label => make("span", "", label)))]);
  byId("legend").replaceChildren(make("b", "", SHADES[shade].ends[0]), bar, make("b", "", SHADES[shade].ends[1]));
  byId("legend").title = shade === "advantages" && isBlamed(record) ? "No advantage to show: failed requirements’ blame, their places’ share × how sure it is" : "";
  byId("legend").setAttribute("aria-label", `Colours from ${labels[0]} to ${labels[labels.length - 1]}`);
}
