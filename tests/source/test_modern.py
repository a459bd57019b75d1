"""The language as models write it: what a browser runs, both parsers take."""

import pytest

from rcca_cli.source import Offsets, javascript
from rcca_cli.source.grammar import Captures

SCRIPTS = [
    "a?.b?.[c]?.(d) ?? e",
    "a ??= b; c ||= d; e &&= f",
    "class A { x = 1; static y = 2; #z = 3; static #w; handle = () => this.#z; #m() {} static { A.y++ } }",
    "class B extends A { get v() { return super.v } static async *g() { yield* h() } has(o) { return #p in o } #p }",
    "try { a() } catch { b() } finally { c() }",
    "async function f() { for await (const x of g()) await x }",
    "const { a, b: { c = 1 } = {}, ...rest } = d, [e, , ...f] = g",
    "f(...a, ...b,); h = { ...i, [j]: k, l() {}, async m() {}, *n() {}, get o() { return 1 } }",
    "x = 1_000n ** 2n; y = 0b11 + 0o7 + 0xff + .5e3",
    "import('./x.js').then(({ default: d }) => d)",
    "s = `<li class=\"${a ? `b ${c}` : ''}\">${d.map(e => `<b>${e}</b>`).join('')}</li>`",
    "t = html`<p>${u}</p>`; String.raw`\\n`",
    "r = /(?<year>\\d{4})-(?<!x)y/dgimsuy; v = /[\\p{L}--[a-z]]/v",
    "label: for (const [k, v] of Object.entries(o)) { if (!v) continue label; else break label }",
    "switch (k) { case 'a': { let x; break } default: y() }",
    "let x = async ({ a = 1, ...b } = {}, [c] = []) => ({ a, b, c })",
    "(function () { 'use strict' })(); (() => {})(); !async function () {}()",
    "<!-- an old comment\nvar let_ = 1, of = 2, async = 3; async(); of\n--> too",
    "'\u2028 in a string'; let 变量 = 'é', ñ = '😀', 𝒳 = 1",
    "if (a) function b() {}\nelse c\n++d",
    "function A() { return new.target } a = b\n/c/g.exec(d)",
    "new (foo().bar)().baz; delete a?.b; void 0; typeof a === 'b'",
    "var a = b ? (c, d) => e : f => ({ g })",
]
MODULES = [
    "import a, { b as c, default as d } from 'x'; import * as e from 'y'; import 'z'; export { c as default, e }",
    "import data from './d.json' with { type: 'json' }; export * as ns from 'w'; export * from 'v'",
    "const a = await fetch('x'); for await (const b of a) c(b); export const { d, e } = a",
    "export default class { static x = import.meta.url }",
    "export default async function () {}\nexport let a = 1",
]
HANDLERS = ["return go(event)", "this.x = 1; document.getElementById('a')?.click()", "if (a) { b() } else c()"]
PIECES = [
    (code, kind) for kind, codes in (("script", SCRIPTS), ("module", MODULES), ("handler", HANDLERS)) for code in codes
]


@pytest.mark.parametrize(("code", "kind"), PIECES)
def test_what_a_browser_runs_is_understood(code, kind):
    assert javascript.fault(code, kind) is None
    written = code.join(javascript.HANDLER) if kind == "handler" else code
    assert Captures("javascript", "(comment) @comment", written, 0, len(written), Offsets(written)).whole


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("let a; let a", "script"),
        ("const a;", "script"),
        ("return 1", "script"),
        ("await x", "script"),
        ("a ?? b || c", "script"),
        ("class A { constructor() {} constructor() {} }", "script"),
        ("x = <b>no</b>", "script"),
        ("function (", "module"),
        ("if (a", "handler"),
    ],
)
def test_what_a_browser_refuses_is_a_fault(code, kind):
    assert javascript.fault(code, kind) is not None
