// Runs in the page's own world behind clock.js, under the same rules. Notes what the page draws on each 2D canvas since
// it was last cleared, for eyes/canvas.js to ask for. Nothing but `getContext` is changed until a page asks for a
// context. What is noted is what the page did call: only by drawing a thing can it have it noted.
(() => {
  if (window !== window.top) return;
  const SECRET = "$SECRET", MOST = 2000, PARTS = 500, LETTERS = 200, HALF = Math.PI;
  const { apply, getOwnPropertyDescriptor: descriptor, defineProperty: define, setPrototypeOf } = Reflect;
  const { min, max, abs } = Math, { stringify } = JSON, Text = String, { slice } = Text.prototype;
  const listen = EventTarget.prototype.addEventListener, send = EventTarget.prototype.dispatchEvent;
  const { composedPath } = Event.prototype, Custom = CustomEvent;
  const { get: look, set: keep } = WeakMap.prototype, sheets = new WeakMap(), paths = new WeakMap();
  const refused = new WeakMap();  // canvases that asked for WebGL and got none
  const of = (map, key) => apply(look, map, [key]);
  const list = () => { const made = []; setPrototypeOf(made, null); return made; };
  const reader = (kind, name) => { const { get } = descriptor(kind.prototype, name); return (one) => apply(get, one, []); };
  const a = reader(DOMMatrixReadOnly, "a"), b = reader(DOMMatrixReadOnly, "b"), c = reader(DOMMatrixReadOnly, "c");
  const d = reader(DOMMatrixReadOnly, "d"), e = reader(DOMMatrixReadOnly, "e"), f = reader(DOMMatrixReadOnly, "f");
  const plain = reader(DOMMatrixReadOnly, "isIdentity");
  const about = (kind, drawing) => ({  // a kind of canvas, with how to ask it and its context; taken before the page runs
    __proto__: null, kind, drawing, width: reader(kind, "width"), height: reader(kind, "height"),
    transform: drawing.prototype.getTransform, fill: reader(drawing, "fillStyle"), stroke: reader(drawing, "strokeStyle"),
    font: reader(drawing, "font"), alpha: reader(drawing, "globalAlpha"), align: reader(drawing, "textAlign"),
    baseline: reader(drawing, "textBaseline"),
  });
  const shown = about(HTMLCanvasElement, CanvasRenderingContext2D);
  const hidden = about(OffscreenCanvas, OffscreenCanvasRenderingContext2D);

  // Boxes: [left, top, right, bottom], carried to the pixels of the canvas by a transformation. ------------------------
  const grow = (box, x, y) => {
    box[0] = min(box[0], x); box[1] = min(box[1], y); box[2] = max(box[2], x); box[3] = max(box[3], y);
  };
  const nowhere = () => { const box = list(); box[0] = box[1] = Infinity; box[2] = box[3] = -Infinity; return box; };
  const carry = (box, m, x, y) => grow(box, m ? a(m) * x + c(m) * y + e(m) : +x, m ? b(m) * x + d(m) * y + f(m) : +y);
  const boxed = (m, x, y, w, h) => {
    const box = nowhere();
    carry(box, m, x, y); carry(box, m, +x + +w, y); carry(box, m, x, +y + +h); carry(box, m, +x + +w, +y + +h);
    return box;
  };

  // What is noted ----------------------------------------------------------------------------------------------------
  const wipe = (sheet) => { sheet.calls = list(); sheet.dropped = 0; };
  const add = (sheet, call) => {  // a ring: the oldest give way
    const { calls } = sheet;
    if (calls.length < MOST) calls[calls.length] = call;
    else { calls[sheet.dropped % MOST] = call; sheet.dropped++; }
  };
  const whole = (sheet, box) =>
    box[0] < 1 && box[1] < 1 && box[2] > sheet.width(sheet.canvas) - 1 && box[3] > sheet.height(sheet.canvas) - 1;
  const call = (sheet, shape, box, style, text) => {
    const paint = style && sheet[style](sheet.context), alpha = sheet.alpha(sheet.context);
    if (alpha === 0) return;
    const colour = typeof paint === "string" ? paint : null, solid = alpha === 1 && !!colour && colour[0] === "#";
    if (shape === "rect" && style === "fill" && solid && whole(sheet, box)) wipe(sheet);
    add(sheet, { __proto__: null, shape, box, colour, solid, filled: style === "fill", text: text || null });
  };
  const clear = (sheet, box) => {
    if (whole(sheet, box)) wipe(sheet);
    else add(sheet, { __proto__: null, shape: "clear", box, colour: null, solid: true, filled: true, text: null });
  };
  const letters = (sheet, style, m, text, x, y) => {
    const { context } = sheet, box = nowhere();
    carry(box, m, x, y);
    call(sheet, "text", box, style, {
      __proto__: null, words: apply(slice, Text(text), [0, LETTERS]), font: sheet.font(context), align: sheet.align(context),
      baseline: sheet.baseline(context), scale: m ? max(abs(a(m)), abs(b(m))) : 1,
    });
  };
  const picture = (sheet, m, image, given) => {
    const x = given.length > 5 ? 5 : 1, own = of(sheets, image), sized = given.length > 3;
    const width = sized ? given[x + 2] : image.width, height = sized ? given[x + 3] : image.height;
    if (!own) return call(sheet, "image", boxed(m, given[x], given[x + 1], width, height));
    const u = width / own.width(own.canvas), v = height / own.height(own.canvas);  // a buffer of the page's own
    for (let i = 0; i < own.calls.length; i++) {
      const one = own.calls[(own.dropped + i) % MOST], { box } = one;
      const at = boxed(m, given[x] + box[0] * u, given[x + 1] + box[1] * v, (box[2] - box[0]) * u, (box[3] - box[1]) * v);
      if (one.solid && one.filled && whole(sheet, at)) wipe(sheet);
      if (one.shape !== "clear") add(sheet, { __proto__: null, ...one, box: at });
    }
  };

  // Paths: circles, rectangles, and runs of lines ---------------------------------------------------------------------
  const pathOf = (one) => {
    const sheet = of(sheets, one);
    if (sheet) return sheet.path;
    if (!of(paths, one)) apply(keep, paths, [one, list()]);
    return of(paths, one);
  };
  const part = (path, shape, box) => {
    const made = { __proto__: null, shape, box, points: 0 };
    if (path.length < PARTS) path[path.length] = made;
    return made;
  };
  const run = (path) => {
    const last = path.length ? path[path.length - 1] : null;
    return last && last.shape === "line" ? last : part(path, "line", nowhere());
  };
  const point = (path, m, x, y) => { const one = run(path); carry(one.box, m, x, y); one.points++; };
  const round = (path, m, x, y, rx, ry, from, to) => {
    const box = boxed(m, x - rx, y - ry, 2 * rx, 2 * ry);
    if (abs(to - from) >= HALF) part(path, "circle", box);
    else { point(path, null, box[0], box[1]); point(path, null, box[2], box[3]); }
  };
  const STEPS = {
    __proto__: null,
    moveTo: (path, m, { 0: x, 1: y }) => { part(path, "line", nowhere()); point(path, m, x, y); },
    lineTo: (path, m, { 0: x, 1: y }) => point(path, m, x, y),
    quadraticCurveTo: (path, m, { 2: x, 3: y }) => point(path, m, x, y),
    bezierCurveTo: (path, m, { 4: x, 5: y }) => point(path, m, x, y),
    arcTo: (path, m, { 0: x, 1: y, 2: u, 3: v }) => { point(path, m, x, y); point(path, m, u, v); },
    arc: (path, m, { 0: x, 1: y, 2: r, 3: from, 4: to }) => round(path, m, x, y, r, r, from, to),
    ellipse: (path, m, { 0: x, 1: y, 2: rx, 3: ry, 5: from, 6: to }) => round(path, m, x, y, rx, ry, from, to),
    rect: (path, m, { 0: x, 1: y, 2: w, 3: h }) => part(path, "rect", boxed(m, x, y, w, h)),
    roundRect: (path, m, { 0: x, 1: y, 2: w, 3: h }) => part(path, "rect", boxed(m, x, y, w, h)),
  };
  const trace = (sheet, style, m, other) => {
    const path = other ? of(paths, other) : sheet.path;
    for (let i = 0; path && i < path.length; i++) {
      const { shape, box, points } = path[i];
      if (shape === "line" && points < (style === "fill" ? 3 : 2)) continue;
      const at = other ? boxed(m, box[0], box[1], box[2] - box[0], box[3] - box[1]) : box;
      call(sheet, shape === "line" && style === "fill" ? "polygon" : shape, at, style);
    }
  };

  // The wrapping -------------------------------------------------------------------------------------------------------
  const wrap = (kind, name, note) => {
    const real = kind.prototype[name];
    if (!real) return;
    const value = { [name](...given) {
      const answer = apply(real, this, given);
      try { note(this, given); } catch { /* arguments that are none: nothing was drawn */ }
      return answer;
    } }[name];
    define(kind.prototype, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  };
  const CALLS = {
    __proto__: null,
    fillRect: (sheet, m, { 0: x, 1: y, 2: w, 3: h }) => call(sheet, "rect", boxed(m, x, y, w, h), "fill"),
    strokeRect: (sheet, m, { 0: x, 1: y, 2: w, 3: h }) => call(sheet, "rect", boxed(m, x, y, w, h), "stroke"),
    clearRect: (sheet, m, { 0: x, 1: y, 2: w, 3: h }) => clear(sheet, boxed(m, x, y, w, h)),
    fillText: (sheet, m, { 0: text, 1: x, 2: y }) => letters(sheet, "fill", m, text, x, y),
    strokeText: (sheet, m, { 0: text, 1: x, 2: y }) => letters(sheet, "stroke", m, text, x, y),
    drawImage: (sheet, m, given) => picture(sheet, m, given[0], given),
    putImageData: (sheet, m, { 0: data, 1: x, 2: y }) => call(sheet, "image", boxed(null, x, y, data.width, data.height)),
    beginPath: (sheet) => { sheet.path = list(); },
    fill: (sheet, m, { 0: path }) => trace(sheet, "fill", m, typeof path === "object" ? path : null),
    stroke: (sheet, m, { 0: path }) => trace(sheet, "stroke", m, path),
    reset: (sheet) => { wipe(sheet); sheet.path = list(); },
  };
  const watch = (about) => {
    const { drawing } = about, at = (context) => { const m = apply(about.transform, context, []); return plain(m) ? null : m; };
    for (const name in CALLS) wrap(drawing, name, (context, given) => CALLS[name](of(sheets, context), at(context), given));
    for (const name in STEPS) wrap(drawing, name, (context, given) => STEPS[name](pathOf(context), at(context), given));
    for (const name in { __proto__: null, width: 1, height: 1 }) {  // a new size empties a canvas
      const { get, set: real } = descriptor(about.kind.prototype, name);
      const set = function (value) { apply(real, this, [value]); const sheet = of(sheets, this); if (sheet) wipe(sheet); };
      define(about.kind.prototype, name, { __proto__: null, get, set, enumerable: true, configurable: true });
    }
  };
  let watched = false;
  const watchAll = () => {
    watched = true;
    watch(shown); watch(hidden);
    for (const name in STEPS) wrap(Path2D, name, (path, given) => STEPS[name](pathOf(path), null, given));
  };
  const open = (canvas, context, about) => {
    if (of(sheets, context)) return;
    const sheet = { __proto__: null, ...about, canvas, context, calls: list(), dropped: 0, path: list() };
    apply(keep, sheets, [canvas, sheet]); apply(keep, sheets, [context, sheet]);
  };
  const onAsk = (event) => {
    const canvas = apply(composedPath, event, [])[0], sheet = of(sheets, canvas), calls = list();
    for (let i = 0; sheet && i < sheet.calls.length; i++) calls[i] = sheet.calls[(sheet.dropped + i) % MOST];
    const detail = stringify({ __proto__: null, calls, refused: !!of(refused, canvas) });
    apply(send, window, [new Custom(SECRET + "=", { __proto__: null, detail })]);
  };
  const arm = () => apply(listen, window, [SECRET + "#", onAsk, true]);
  for (const about of [shown, hidden]) {
    const real = about.kind.prototype.getContext;
    about.kind.prototype.getContext = function getContext(...given) {
      const drawing = given[0] === "2d";
      if (drawing && !watched) watchAll();
      // What a WebGL canvas shows can be read only as long as its buffer is kept.
      if (!drawing && given[0] !== "bitmaprenderer") given[1] = { ...given[1], preserveDrawingBuffer: true };
      const context = apply(real, this, given);
      arm();  // a document written anew has lost its listeners
      if (context && drawing) open(this, context, about);
      if (!context && !drawing) apply(keep, refused, [this, true]);
      return context;
    };
  }
})();
