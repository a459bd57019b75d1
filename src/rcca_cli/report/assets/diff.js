// Two answers side by side: which lines are the same, which are one's own, each with its credit.

const CELLS = 4e6;  // pairs of lines that may be compared; beyond that the middle counts as different
const CONTEXT = 3;  // equal lines shown around what differs

const textOf = (record, line) => record.chars.slice(record.lines[line], record.lines[line + 1] ?? record.chars.length).join("").trimEnd();

// Pairs [line of a or null, line of b or null], in order: a longest common subsequence.
function alignedLines(a, b) {
  let start = 0, end = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const pairs = [];
  for (let at = 0; at < start; at++) pairs.push([at, at]);
  for (const [x, y] of middle(a.slice(start, a.length - end), b.slice(start, b.length - end))) pairs.push([x === null ? null : x + start, y === null ? null : y + start]);
  for (let at = end; at > 0; at--) pairs.push([a.length - at, b.length - at]);
  return pairs;
}

function middle(a, b) {
  const width = b.length + 1;
  if ((a.length + 1) * width > CELLS) return beside(a.map((_, at) => at), b.map((_, at) => at));
  const best = new Uint32Array((a.length + 1) * width);  // of the lines from here on
  for (let x = a.length - 1; x >= 0; x--)
    for (let y = b.length - 1; y >= 0; y--)
      best[x * width + y] = a[x] === b[y] ? best[(x + 1) * width + y + 1] + 1 : Math.max(best[(x + 1) * width + y], best[x * width + y + 1]);
  const pairs = [], left = [], right = [];
  const flush = () => { for (const pair of beside(left.splice(0), right.splice(0))) pairs.push(pair); };
  let x = 0, y = 0;
  while (x < a.length || y < b.length) {
    if (x < a.length && y < b.length && a[x] === b[y]) { flush(); pairs.push([x++, y++]); }
    else if (y === b.length || x < a.length && best[(x + 1) * width + y] >= best[x * width + y + 1]) left.push(x++);
    else right.push(y++);
  }
  flush();
  return pairs;
}

const beside = (left, right) => Array.from({ length: Math.max(left.length, right.length) }, (_, at) => [left[at] ?? null, right[at] ?? null]);

function drawDiff(a, b) {
  const texts = [a, b].map(record => record.lines.map((_, line) => textOf(record, line)));
  const pairs = alignedLines(...texts);
  const same = pairs.map(([x, y]) => x !== null && y !== null && texts[0][x] === texts[1][y]);
  const near = at => same.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).includes(false);
  const rows = [a, b].map(rowsOf);
  const body = make("div", "pairs");
  let folded = 0;
  const fold = () => { if (folded) body.append(make("div", "fold", `${counted(folded, "equal line")}`)); folded = 0; };
  pairs.forEach(([x, y], at) => {
    if (same[at] && !near(at)) { folded++; return; }
    fold();
    body.append(side(a, rows[0][x], "left", same[at]), side(b, rows[1][y], "right", same[at]));
  });
  fold();
  if (!same.includes(false)) body.prepend(make("p", "empty", "The two answers are the same text."));
  return body;
}

function side(record, element, where, same) {
  const cell = make("div", `lines side ${where}` + (same ? " same" : element ? " own" : " none"), "", [element || null]);
  cell.record = record;
  return cell;
}
