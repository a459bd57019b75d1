// What is on a canvas: its pixels, which nothing can forge, and what the page drew (canvas.js), if the pixels bear it out.

const CONTRAST = 24, SPECK = 12, NEAR = 40;  // steps of 256 that can be told apart, pixels that can be seen, steps as well
const PROBES = 400, LISTED = 50;  // pixels looked at in a box, shapes told of
const canvasOf = (e) => tagOf(e) === "CANVAS" ? e : select(e, "canvas")[0] || null;
const noted = (canvas) => {
  let answer = { calls: [], refused: false };
  const hear = (event) => { answer = JSON.parse(event.detail); };
  addEventListener(SECRET + "=", hear, { once: true });
  canvas.dispatchEvent(new CustomEvent(SECRET + "#", { composed: true }));
  removeEventListener(SECRET + "=", hear);
  return answer;
};
const canvasWidth = getter(HTMLCanvasElement, "width"), canvasHeight = getter(HTMLCanvasElement, "height");
const pixelsOf = (canvas) => {  // as they show on the page's own ground; null if they cannot be read
  const width = canvasWidth(canvas), height = canvasHeight(canvas);
  if (!width || !height) return null;
  try {
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.fillStyle = groundOf(canvas) || "white";
    copy.fillRect(0, 0, width, height);
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(0, 0, width, height);
  } catch { return null; }
};
const apart = (data, i, j) => Math.max(...[0, 1, 2].map((k) => Math.abs(data[i + k] - data[j + k])));
const digest = ({ data, width, height }) => {  // of every pixel: two FNV-1a sums
  const words = new Uint32Array(data.buffer);
  let one = 0x811C9DC5, two = 0x01000193;
  for (let i = 0; i < words.length; i++) {
    one = Math.imul(one ^ words[i], 0x01000193);
    two = Math.imul(two ^ (words[i] >>> 8) ^ i, 0x01000193);
  }
  return `${width}x${height} ${(one >>> 0).toString(16)}${(two >>> 0).toString(16)}`;
};
const inBox = ({ width, height }, [left, top, right, bottom], margin) => {  // places of some pixels of a box and around it
  const x0 = Math.max(0, Math.floor(left - margin)), x1 = Math.min(width - 1, Math.ceil(right + margin));
  const y0 = Math.max(0, Math.floor(top - margin)), y1 = Math.min(height - 1, Math.ceil(bottom + margin));
  const step = Math.max(1, Math.floor(Math.sqrt(Math.max(0, (x1 - x0 + 1) * (y1 - y0 + 1)) / PROBES))), places = [];
  for (let y = y0; y <= y1; y += step) for (let x = x0; x <= x1; x += step) places.push(4 * (y * width + x));
  return places;
};
const crossing = (pixels, { box: [left, top, right, bottom] }) => [0.25, 0.5, 0.75].flatMap((part) => {  // as a line must
  const x = left + part * (right - left), y = top + part * (bottom - top);
  return [...inBox(pixels, [left, y, right, y], 0), ...inBox(pixels, [x, top, x, bottom], 0)];
});
const differing = (pixels, places) => places.some((i) => apart(pixels.data, i, places[0]) >= CONTRAST);
const manyColours = (pixels) => {  // whether something can be told from the colour that most of the canvas has
  const { data } = pixels, counts = new Map();
  for (const i of inBox(pixels, [0, 0, pixels.width, pixels.height], 0)) {
    const colour = data.slice(i, i + 3).join();
    counts.set(colour, [(counts.get(colour)?.[0] || 0) + 1, i]);
  }
  const [, ground] = [...counts.values()].sort((one, other) => other[0] - one[0])[0];
  let others = 0;
  for (let i = 0; i < data.length && others < SPECK; i += 4) if (apart(data, i, ground) >= CONTRAST) others++;
  return others >= SPECK;
};
const textBox = ({ box: [x, y], text }) => {
  Object.assign(brush(), { font: text.font, textAlign: text.align, textBaseline: text.baseline });
  const m = brush().measureText(text.words);
  return [x - m.actualBoundingBoxLeft * text.scale, y - m.actualBoundingBoxAscent * text.scale,
    x + m.actualBoundingBoxRight * text.scale, y + m.actualBoundingBoxDescent * text.scale];
};
const within = (box, outer) =>
  box[0] >= outer[0] - 0.5 && box[1] >= outer[1] - 0.5 && box[2] <= outer[2] + 0.5 && box[3] <= outer[3] + 0.5;
const rgb = (value) => {
  brush().clearRect(0, 0, 1, 1); brush().fillStyle = value; brush().fillRect(0, 0, 1, 1);
  return brush().getImageData(0, 0, 1, 1).data;
};
const bornOut = (call, pixels, several) => {  // whether the pixels show it
  if (call.shape === "text" || call.shape === "image" || !call.solid)
    return differing(pixels, inBox(pixels, call.box, 2)) || (call.shape === "line" && differing(pixels, crossing(pixels, call)));
  const wanted = rgb(call.colour), { data } = pixels;
  const near = (i) => [0, 1, 2].every((k) => Math.abs(data[i + k] - wanted[k]) <= NEAR);
  return several && (inBox(pixels, call.box, 0).some(near) || (!call.filled && crossing(pixels, call).some(near)));
};
const drawnOn = (canvas) => {  // what is drawn and can be seen, in the order of drawing
  const { calls } = noted(canvas), pixels = calls.length ? pixelsOf(canvas) : null;
  if (!pixels) return [];
  for (const call of calls) if (call.shape === "text") call.box = textBox(call);
  const covers = calls.map((call, at) => ({ call, at })).filter(({ call }) =>
    call.shape === "clear" || (call.shape === "rect" && call.solid && call.filled));
  const several = differing(pixels, inBox(pixels, [0, 0, pixels.width, pixels.height], 0)) || manyColours(pixels);
  return calls.filter((call, at) => call.shape !== "clear"
    && !covers.some((cover) => cover.at > at && within(call.box, cover.call.box)) && bornOut(call, pixels, several));
};
const drawnText = (canvas) =>
  drawnOn(canvas).filter((call) => call.shape === "text").map((call) => call.text.words).join(" ");
const shapesOn = (canvas, { shape, colour: wanted }) => {  // each once, though it was filled and outlined
  const found = new Map();
  for (const call of drawnOn(canvas)) {
    if (shape !== "any" && call.shape !== shape) continue;
    if (wanted && !(call.colour && colour(call.colour) === colour(wanted))) continue;
    const [left, top, right, bottom] = call.box;
    found.set(`${call.shape} ${call.box.map(Math.round)}`, { x: (left + right) / 2, y: (top + bottom) / 2 });
  }
  return { count: found.size, places: [...found.values()].slice(0, LISTED) };
};
const canvasFacts = (e, q) => {
  const canvas = canvasOf(e), facts = { drawn: null, pixels: null, painted: null, unreadable: null };
  if (!canvas || !(q.shape || q.pixels)) return facts;
  // Whatever the page says, it is the machine's fault only if we get none either.
  if (noted(canvas).refused && !document.createElement("canvas").getContext("webgl"))
    facts.unreadable = "the page draws with WebGL, which the browser on this machine does not have";
  if (q.shape) facts.drawn = shapesOn(canvas, q);
  const pixels = q.pixels ? pixelsOf(canvas) : null;
  return pixels ? Object.assign(facts, { pixels: digest(pixels), painted: manyColours(pixels) }) : facts;
};
