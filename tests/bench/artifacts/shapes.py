"""The 24 shapes of answers by which extraction is told apart, each with what becomes of it in both modes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """`official` and `fixed` are words that the rendered page must hold, None where nothing is rendered.

    `lost` must not be in the official page; `files` are those that must be served beside the fixed one.
    """

    number: int
    answer: str
    official: tuple[str, ...] | None
    lost: tuple[str, ...]
    status: str
    fixed: tuple[str, ...] | None
    files: tuple[str, ...] = ()


def html(body, head=""):
    return f"<!DOCTYPE html>\n<html>\n<head>{head}</head>\n<body>{body}</body>\n</html>\n"


def block(language, code, fence="```"):
    return f"{fence}{language}\n{code}{fence}\n"


CSS, JS = "p { color: rgb(1, 2, 3) }\n", "document.title = 'ran';\n"
BOTH = html('<p>Text</p><script src="script.js"></script>', '<link rel="stylesheet" href="styles.css">')
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><circle cx="40" cy="40" r="30"/></svg>\n'
TICKS = html("<pre></pre><script>const doc = `\n```js\nlet a = 1;\n```\n`;\ndocument.title = 'whole';</script>")
MODULES = html("<p>App</p>", '<script type="module" src="js/main.js"></script>')
SFC = "<template><p>{{ n }}</p></template>\n<script setup>\nconst n = 1\n</script>\n"
JSX = "export default function App() { return <p>One</p> }\n"
HREF = '<link href="style.css" rel="stylesheet">'

SHAPES = [
    Shape(1, block("html", html("<p>One</p>")), ("<p>One</p>", "<!DOCTYPE"), (), "ok", ("<p>One</p>", "<!DOCTYPE")),
    Shape(
        2,
        "A draft:\n" + block("html", html("<p>Draft</p>")) + "The final page:\n" + block("html", html("<p>Final</p>")),
        ("<p>Draft</p>",), ("Final",), "ok", ("<p>Final</p>",),
    ),
    Shape(3, block("svg", SVG), None, (), "wrapped_svg", ("<circle", "<!DOCTYPE html>")),
    Shape(4, block("xml", '<?xml version="1.0"?>\n' + SVG), None, (), "wrapped_svg", ("<circle", "<!DOCTYPE html>")),
    Shape(5, block("html", "<HTML><BODY><P>Loud</P></BODY></HTML>\n"), None, (), "ok", ("<P>Loud</P>",)),
    Shape(
        6, "```html\n<!DOCTYPE html>\n<html><body><p>Cut</p><script>let a = 1; function f() {", None, (),
        "truncated", ("<p>Cut</p>", "</script>", "</html>"),
    ),
    Shape(7, f"```html\n<!DOCTYPE html>\n<html><body>{SVG}<p>Cut", None, (), "truncated", ("<circle", "<p>Cut", "</html>")),  # noqa: E501
    Shape(8, block("html", "<div><p>Part</p></div>\n"), None, (), "fragment", ("<p>Part</p>", "<!DOCTYPE html>")),
    Shape(
        9, block("html", BOTH) + block("css", CSS) + block("javascript", JS),
        (CSS, JS, "</script></script>"), (), "ok", ("styles.css", "script.js"), ("styles.css", "script.js"),
    ),
    Shape(
        10, block("html", html("<p>A</p>", HREF)) + "\n" + block("css", CSS),
        ("<style>/* styles.css", HREF), (CSS,), "ok", (HREF,), ("style.css",),
    ),
    Shape(
        11, block("html", html('<script src="./script.js"></script>')) + "**script.js**\n" + block("javascript", JS),
        ('src="./script.js"',), (JS,), "ok", ("./script.js",), ("script.js",),
    ),
    Shape(
        12, block("html", html('<script src="script.js"></script>')) + block("js", JS),
        ('src="script.js"',), (JS,), "ok", ("script.js",), ("script.js",),
    ),
    Shape(
        13, block("html", html("<p>A</p>")) + block("css", CSS) + block("javascript", JS),
        ("<style>/* styles.css", "<script>/* script.js"), (CSS, JS), "ok", (CSS, JS),
    ),
    Shape(14, block("html", TICKS), ("const doc",), ("whole",), "ok", ("whole", "</html>")),
    Shape(
        15, "I put all of it into one `<html>` element.\n" + block("html", html("<p>One</p>")),
        ("<p>One</p>", "<!DOCTYPE"), ("I put",), "ok", ("<p>One</p>",),
    ),
    Shape(
        16,
        block("html", html("<p>A</p>", '<link rel="stylesheet" href="styles.css">'))
        + "1. The sheet:\n   ```css\n   p { color: rgb(1, 2, 3) }\n   ```\n",
        ('href="styles.css"',), ("rgb(1, 2, 3)",), "ok", ("styles.css",), ("styles.css",),
    ),
    Shape(
        17,
        "**index.html**\n" + block("html", html('<a href="about.html">About</a>'))
        + "**about.html**\n" + block("html", html('<h1>About us</h1><a href="index.html">Home</a>')),
        ('href="about.html"',), ("About us",), "multi_page", ('href="about.html"',), ("about.html",),
    ),
    Shape(18, block("vue", SFC), None, (), "unsupported_stack", None),
    Shape(19, block("jsx", JSX), None, (), "unsupported_stack", None),
    Shape(
        20, "<think>First:\n" + block("html", html("<p>Draft</p>")) + "</think>\n" + block("html", html("<p>Final</p>")),  # noqa: E501
        ("<p>Final</p>",), ("Draft",), "ok", ("<p>Final</p>",),
    ),
    Shape(
        21, block("html filename=index.html", html("<p>Named</p>")),
        ("<p>Named</p>",), ("<!DOCTYPE",), "ok", ("<p>Named</p>", "<!DOCTYPE"),
    ),
    Shape(
        22,
        block("html", html("<p>A</p>", '<link rel="stylesheet" href="styles.css">'))
        + block("css", 'p::before { content: "\\201c\\n" }\n'),
        ('content: "\\201c\\n"',), (), "ok", ("styles.css",), ("styles.css",),
    ),
    Shape(
        23, block("html", html("<p>A</p>", '<link rel="stylesheet" href="x.css">')) + block("css title=x", CSS),
        ("<p>A</p>", 'href="x.css"'), ("<!DOCTYPE", CSS), "ok", ("x.css",), ("x.css",),
    ),
    Shape(
        24,
        block("html", MODULES) + "`js/main.js`\n" + block("javascript", "import { a } from './a.js';\na();\n")
        + "`js/a.js`\n" + block("javascript", "export const a = () => { document.title = 'a'; };\n"),
        ("<script>import { a }",), ("export const",), "ok", ("js/main.js",), ("js/main.js", "js/a.js"),
    ),
]  # fmt: skip
