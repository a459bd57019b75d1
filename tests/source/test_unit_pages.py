"""Whole pages, cut into units by hand."""

import pytest

from rcca_cli.source import units

MODERN = """<!DOCTYPE html>
<!-- a to-do app -->
<title>Tasks &amp; 🎉</title>
<style>
  :root { --gap: 4px; }
  .done::after { content: "✓"; }
  @media (width < 600px) { li { padding: var(--gap) } }
</style>
<style>@keyframes in { from { opacity: 0 } 50% { opacity: .5 } }</style>
<h1>Tasks</h1>
<button id="add" onclick="addTask(&quot;x&quot;)" style="color: red">＋</button>
<svg viewBox="0 0 9 9"><circle r="3"/></svg>
<ul></ul>
<script type="importmap">{ "imports": {} }</script>
<script type="module">
import { html } from "./lib.js";
class Store {
  #items = [];
  static key = `k`;
  get open() { return this.#items.filter((t) => !t?.done); }
  async *[Symbol.asyncIterator]() { for (const t of this.#items) yield t; }
}
const saved = await load() ?? [];
list.innerHTML = saved.map(({ name }) => `<li class="task">${name ?? "—"}</li>`).join("");
document.addEventListener("keydown", ({ key }) => {
  if (key === "Enter") addTask();
});
label: for (;;) { break label; }
export default function addTask(name = "😀") { total ||= 1_000n; }
</script>
<script>
window.$ = (q) => document.querySelector(q);
/* end */
</script>
"""
MODERN_UNITS = [
    ("tag", "<title>"),
    ("text", "Tasks &amp; 🎉"),
    ("tag", "<style>"),
    ("selector", ":root"),
    ("declaration", "--gap: 4px;"),
    ("selector", ".done::after"),
    ("declaration", 'content: "✓";'),
    ("rule", "@media (width < 600px) {"),
    ("selector", "li"),
    ("declaration", "padding: var(--gap)"),
    ("tag", "<style>"),
    ("rule", "@keyframes in {"),
    ("selector", "from {"),
    ("declaration", "opacity: 0"),
    ("selector", "50% {"),
    ("declaration", "opacity: .5"),
    ("tag", "<h1>"),
    ("text", "Tasks"),
    ("tag", '<button id="add" onclick="'),
    ("handler", "addTask(&quot;x&quot;)"),
    ("tag", '" style="'),
    ("declaration", "color: red"),
    ("text", "＋"),
    ("tag", '<svg viewBox="0 0 9 9">'),
    ("tag", '<circle r="3"/>'),
    ("tag", "<ul>"),
    ("tag", '<script type="importmap">'),
    ("text", '{ "imports": {} }'),
    ("tag", '<script type="module">'),
    ("statement", 'import { html } from "./lib.js";'),
    ("statement", "class Store {"),
    ("statement", "#items = []"),
    ("statement", "static key = `k`"),
    ("function", "get open() {"),
    ("statement", "return this.#items.filter((t) =>"),
    ("statement", "!t?.done"),
    ("function", "async *[Symbol.asyncIterator]() {"),
    ("statement", "for (const t of this.#items)"),
    ("statement", "yield t;"),
    ("statement", "const saved = await load() ?? [];"),
    ("statement", "list.innerHTML = saved.map(({ name }) =>"),
    ("statement", '`<li class="task">${name ?? "—"}</li>`'),
    ("statement", ').join("");'),
    ("handler", 'document.addEventListener("keydown", ({ key }) =>'),
    ("statement", 'if (key === "Enter")'),
    ("statement", "addTask();"),
    ("statement", "label:"),
    ("statement", "for (;;) {"),
    ("statement", "break label;"),
    ("statement", "export default"),
    ("function", 'function addTask(name = "😀") {'),
    ("statement", "total ||= 1_000n;"),
    ("tag", "<script>"),
    ("statement", "window.$ = (q) =>"),
    ("statement", "document.querySelector(q)"),
]

BROKEN = """Loose text <b>bold</i> on
<p class=x style="color: red; width
: 3px">a < b && c</p>
</section><!-- ok -->
<style>
.a { color: red; top
.b { left: 0 }
} stray
</style>
<script>
go(() => {
  if (a { b(; }
  // gone on
  const c = ["d", "e
});
function f() {
  return 1;
}
</script>
<div onclick="if (x"><template><i>t</i>
<script>
let cut = `half ${of"""
BROKEN_WORDS = (
    "Loose bold on class color width 3px a b && c .a color top .b left stray go if b( const d e f return "
    "if x t cut half of"
)


def cut(page):
    return [(unit.kind, page[unit.start : unit.end]) for unit in units(page)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_modern_page(end):
    assert cut(MODERN.replace("\n", end)) == MODERN_UNITS


def test_a_byte_order_mark_moves_the_units_of_a_page_by_one():
    assert [unit.start - 1 for unit in units("\ufeff" + MODERN)] == [unit.start for unit in units(MODERN)]


def test_every_word_of_a_broken_page_is_in_a_unit_at_its_place():
    found = units(BROKEN)
    place = 0
    for word in BROKEN_WORDS.split():
        place = BROKEN.index(word, place)
        assert any(unit.start <= place and place + len(word) <= unit.end for unit in found), word
        place += len(word)


def test_what_a_parser_understands_after_a_broken_part_is_not_coarse():
    found = cut(BROKEN)
    assert ("declaration", "left: 0") in found
    assert ("statement", "return 1;") in found
    assert ("handler", "if (x") in found
    assert ("tag", "<i>") in found


def test_a_page_cut_anywhere_keeps_the_units_before_the_cut():
    whole = units(MODERN)
    for size in range(0, len(MODERN), 7):
        kept = {(unit.start, unit.end) for unit in units(MODERN[:size])}
        line = MODERN.rfind("\n", 0, size)
        lost = [unit for unit in whole if unit.end < line and (unit.start, unit.end) not in kept]
        assert len(lost) <= 3, (size, [MODERN[unit.start : unit.end] for unit in lost])
