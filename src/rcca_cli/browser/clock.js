// Runs in the page's own world before its first script. Time stands still until the judge lets it pass; chance is
// seeded; what the page throws is noted where the page cannot reach it. Answers come by events with secret names.
// What runs after the page's first script uses only what was taken here before it, and objects without a prototype:
// `Object.prototype.toJSON`, a setter on `Array.prototype[0]` or another `ErrorEvent` would otherwise be a way in.
(() => {
  const SECRET = "$SECRET", SEED = $SEED, START = $START, FRESH = "$FRESH", FRAME = 1000 / 60;
  const { apply, construct, getOwnPropertyDescriptor: descriptor, defineProperty: define } = Reflect;
  const { floor, ceil, max, min, imul } = Math, { stringify, parse } = JSON;
  const top = window === window.top;

  let state = SEED;
  const random = () => {  // mulberry32
    state = (state + 0x6D2B79F5) | 0;
    let t = imul(state ^ (state >>> 15), 1 | state);
    t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  Math.random = function random_() { return random(); };
  Crypto.prototype.getRandomValues = function getRandomValues(array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = floor(random() * 256);
    return array;
  };
  Crypto.prototype.randomUUID = function randomUUID() {
    const hex = () => floor(random() * 65536).toString(16).padStart(4, "0");
    return `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-a${hex().slice(1)}-${hex()}${hex()}${hex()}`;
  };
  if (self.ServiceWorkerContainer)  // none: it would outlive the page
    ServiceWorkerContainer.prototype.register = function register() { return new Promise(() => {}); };
  delete Navigator.prototype.userAgentData;  // it would tell a headless browser, and not every browser has it
  const rewrites = {};  // what starts the document anew
  for (const name of ["open", "write", "writeln"]) rewrites[name] = Document.prototype[name];
  if (!top) {  // a frame keeps real time
    for (const [name, real] of Object.entries(rewrites))
      Document.prototype[name] = function (...args) {  // of its own document only: ours has another one, below
        return this === document ? apply(real, this, args) : undefined;
      };
    for (const name of ["indexedDB", "caches"]) define(window, name, { value: undefined });  // see `kept` below
    return;
  }

  // A new case starts with nothing stored. Not cleared before the navigation: the page that leaves may store again.
  const entry = performance.getEntriesByType("navigation")[0];
  if (document.referrer === FRESH && entry && entry.type === "navigate") {
    try {
      localStorage.clear(); sessionStorage.clear(); window.name = "";
      for (const cookie of document.cookie.split("; "))
        for (const where of ["", "; domain=" + location.hostname])
          document.cookie = `${cookie.split("=")[0]}=; max-age=0; secure; path=/${where}`;
    } catch { /* no storage here */ }
  }
  // Whether the page has touched what could outlive it, however its source spells that.
  let kept = false;
  const past = Object.getOwnPropertyNames(History.prototype).filter((name) => name !== "constructor");
  // Whether it has entries behind the blank page and this, or is elsewhere, so that the next load would make one.
  const pages = descriptor(History.prototype, "length").get.bind(history);
  const moved = () => pages() > 2 || location.pathname + location.search + location.hash !== "/";
  for (const [owner, name] of [
    [window, "indexedDB"], [window, "caches"], [window, "navigation"], [window, "cookieStore"], [window, "Worker"],
    [window, "SharedWorker"], [StorageManager.prototype, "getDirectory"], [Document.prototype, "cookie"],
    [Element.prototype, "requestPointerLock"], ...past.map((name) => [History.prototype, name]),
  ]) {
    const was = descriptor(owner, name);
    if (!was) continue;
    let value = was.value;
    const get = function () { kept = true; return was.get ? apply(was.get, this || window, []) : value; };
    const set = function (given) { kept = true; if (!was.get) value = given; else if (was.set) apply(was.set, this || window, [given]); };
    define(owner, name, { get, set, enumerable: was.enumerable, configurable: true });
  }
  define(Document.prototype, "referrer", { get: () => "", configurable: true });
  define(Navigator.prototype, "onLine", { get: () => true, configurable: true });  // it lives without a network

  const createTask = console.createTask && console.createTask.bind(console);
  for (const name of Object.keys(console))
    if (name !== "createTask" && typeof console[name] === "function") console[name] = () => {};
  window.open = function open() { return null; };
  window.print = function print() {};
  for (const name of ["moveBy", "moveTo", "resizeBy", "resizeTo"]) window[name] = { [name]() {} }[name];  // as in any tab

  // Time ---------------------------------------------------------------------------------------------------------
  let now = 0, next = 1, order = 0, nesting = 0, ran = 0;
  const timers = new Map();
  const heap = [];  // of the timers, earliest first; may hold cleared ones
  const before = (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order);
  const push = (one) => {
    let i = heap.length;
    for (; i > 0 && before(one, heap[(i - 1) >> 1]); i = (i - 1) >> 1) heap[i] = heap[(i - 1) >> 1];
    heap[i] = one;
  };
  const pop = () => {
    const last = heap[heap.length - 1];
    heap.length--;
    let i = 0;
    for (let child = 1; child < heap.length; child = 2 * i + 1) {
      if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child++;
      if (!before(heap[child], last)) break;
      heap[i] = heap[child];
      i = child;
    }
    if (heap.length) heap[i] = last;
  };
  const add = (run, at, every) => {
    const task = createTask ? createTask("timer") : null;  // so that a stack shows who set the timer
    const one = { id: next, run: task ? () => task.run(run) : run, at, every, order: order++, nesting: nesting + 1 };
    timers.set(next, one);
    push(one);
    return next++;
  };
  const delay = (ms) => { ms = +ms; return max(nesting > 4 ? 4 : 0, ms > 0 ? min(ms, 2147483647) : 0); };
  const callable = (code) => typeof code === "function" ? code : () => (0, eval)(String(code));
  const timer = (code, args) => { const f = callable(code); return () => apply(f, window, args); };
  window.setTimeout = function setTimeout(code, ms, ...args) { return add(timer(code, args), now + delay(ms)); };
  window.setInterval = function setInterval(code, ms, ...args) {
    const every = max(delay(ms), 4);
    return add(timer(code, args), now + every, every);
  };
  window.clearTimeout = function clearTimeout(id) { timers.delete(+id); };
  window.clearInterval = function clearInterval(id) { timers.delete(+id); };
  let frame = FRAME;  // how long a frame lasts; longer during long waits
  window.requestAnimationFrame = function requestAnimationFrame(callback) {
    const at = (floor(now / frame + 1e-6) + 1) * frame;
    return add(() => apply(callback, window, [now]), at);
  };
  window.cancelAnimationFrame = function cancelAnimationFrame(id) { timers.delete(+id); };
  window.requestIdleCallback = function requestIdleCallback(callback) {
    return add(() => apply(callback, window, [{ didTimeout: false, timeRemaining: () => 50 }]), now + 1);
  };
  window.cancelIdleCallback = function cancelIdleCallback(id) { timers.delete(+id); };
  const RealDate = Date, format = descriptor(Intl.DateTimeFormat.prototype, "format");
  const today = () => START + floor(now);
  RealDate.now = function now() { return today(); };
  window.Date = new Proxy(RealDate, {
    construct: (target, args, self) => construct(target, args.length ? args : [today()], self),
    apply: (target) => new target(today()).toString(),
  });
  RealDate.prototype.constructor = window.Date;
  define(Intl.DateTimeFormat.prototype, "format", {
    get() { const f = apply(format.get, this, []); return (date) => f(date === undefined ? today() : date); },
    configurable: true,
  });
  Performance.prototype.now = function now_() { return now; };
  define(Performance.prototype, "timeOrigin", { get: () => START, configurable: true });

  // A database opens in its own time, on a busy machine in seconds: the judge is told while one does.
  let opening = 0;
  const realOpen = IDBFactory.prototype.open, opened = () => { opening--; };
  IDBFactory.prototype.open = function (...args) {
    const request = apply(realOpen, this, args);
    opening++;
    apply(listen, request, ["success", opened]);
    apply(listen, request, ["error", opened]);
    return request;
  };

  // What went wrong ------------------------------------------------------------------------------------------------
  const MOST = 20, Text = String, { slice } = Text.prototype, Fault = Error;
  const own = (object, key, value) => define(object, key, { __proto__: null, value, enumerable: true });
  const list = () => { const made = []; define(made, "toJSON", { __proto__: null, value: null }); return made; };
  let thrown = list(), lost = 0;
  const reader = (kind, name) => { const { get } = descriptor(kind.prototype, name); return (event) => apply(get, event, []); };
  const cut = (text, length) => apply(slice, Text(text), [0, length]);
  const note = (kind, message, line, column, error) => {
    if (thrown.length >= MOST) { lost++; return; }
    let stack = null;
    try { stack = error && typeof error.stack === "string" ? cut(error.stack, 4000) : null; } catch { /* a trap */ }
    try { message = cut(message, 500); } catch { message = "an error that cannot be shown"; }
    own(thrown, thrown.length, { __proto__: null, kind, message, line: line || 0, column: column || 0, stack });
  };
  const listen = EventTarget.prototype.addEventListener, send = EventTarget.prototype.dispatchEvent;
  const messageOf = reader(ErrorEvent, "message"), errorOf = reader(ErrorEvent, "error");
  const lineOf = reader(ErrorEvent, "lineno"), columnOf = reader(ErrorEvent, "colno");
  const reasonOf = reader(PromiseRejectionEvent, "reason");
  const onError = (event) => {
    let message;
    try { message = messageOf(event); } catch { return; }  // a file that did not load
    note("error", message, lineOf(event), columnOf(event), errorOf(event));
  };
  const onRejection = (event) => {
    let words = "rejected", reason;
    try {
      reason = reasonOf(event);
      words = reason instanceof Fault ? `${reason.name}: ${reason.message}` : Text(reason);
    } catch { /* a trap */ }
    note("rejection", "Uncaught (in promise) " + words, 0, 0, reason);
  };

  // Letting time pass: each callback is a task of its own, so that promises settle between them ---------------------
  const Custom = CustomEvent, detail = descriptor(CustomEvent.prototype, "detail").get;
  const channel = new MessageChannel(), post = channel.port2.postMessage.bind(channel.port2);
  let job = null;
  const first = (until) => {  // the next one due, still in the heap
    while (heap.length && timers.get(heap[0].id) !== heap[0]) pop();
    return heap.length && heap[0].at <= until ? heap[0] : null;
  };
  const finish = () => {
    now = max(now, job.until);
    const answer = { __proto__: null, errors: thrown, lost, ran: ran - job.ran, starved: job.left <= 0, now, kept, moved: moved(), waiting: timers.size, opening };
    thrown = list(); lost = 0; job = null; frame = FRAME;
    apply(send, window, [new Custom(SECRET + "<", { __proto__: null, detail: stringify(answer) })]);
  };
  channel.port1.onmessage = () => {
    if (!job) return;
    const one = job.left > 0 ? first(job.until) : null;
    if (!one) {
      if (job.turns-- > 0) post(0); else finish();
      return;
    }
    job.turns = 2;
    job.left--;
    ran++;
    now = max(now, one.at);
    pop();
    if (one.every) { one.at = now + one.every; one.order = order++; push(one); } else timers.delete(one.id);
    nesting = one.nesting;
    try { one.run(); } finally { nesting = 0; post(0); }
  };
  const onRequest = (event) => {
    apply(send, window, [new Custom(SECRET + "!")]);
    const { ms, most } = parse(apply(detail, event, []));
    frame = max(FRAME, ms / 600);
    job = { until: now + ms, left: most, turns: 2, ran };
    post(0);
  };
  const arm = () => {  // once more is the same as once
    apply(listen, window, ["error", onError, true]);
    apply(listen, window, ["unhandledrejection", onRejection, true]);
    apply(listen, window, [SECRET + ">", onRequest]);
  };
  arm();
  // A document that is written anew loses all its listeners, ours too; they are back before anything is written.
  const readyState = descriptor(Document.prototype, "readyState").get;
  for (const [name, real] of Object.entries(rewrites))
    Document.prototype[name] = function (...args) {
      if (name === "open" && args.length > 2) return null;  // a window
      if (this !== document) return apply(real, this, args);
      if (name !== "open" && apply(readyState, document, []) === "complete") { apply(rewrites.open, document, []); arm(); }
      const answer = apply(real, document, args);
      arm();
      return answer;
    };
})();
