"""A mirror with small made-up packages."""

import json

MODULE = 'import { word } from "./word.js";\nexport const greet = name => `${word} ${name}`;\n'
TINY = {
    "package.json": json.dumps(
        {
            "name": "tiny-lib",
            "version": "1.2.3",
            "main": "./lib/tiny.js",
            "module": "esm/index.js",
            "unpkg": "dist/tiny.min.js",
            "exports": {".": {"import": "./esm/index.js", "require": "./lib/tiny.js"}},
        }
    ),
    "lib/tiny.js": "window.tinyLib = { version: '1.2.3', from: 'main' };\n",
    "dist/tiny.min.js": "window.tinyLib={version:'1.2.3',from:'unpkg'};",
    "dist/tiny.css": "h1 { color: rgb(1, 2, 3) }\n",
    "esm/index.js": MODULE,
    "esm/word.js": 'export const word = "Hello";\n',
    "esm/needy.js": 'import other from "other-package";\nexport default other;\n',
}


def put(folder, package, files):
    """Write a package's files, as its archive unpacks."""
    for name, text in files.items():
        place = folder / package / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def mirror_in(folder):
    """A folder with two versions of tiny-lib, and a package with a scope."""
    put(folder, "tiny-lib@1.2.3", TINY)
    put(folder, "tiny-lib@1.10.0", {"index.js": "window.tinyLib = { version: '1.10.0', from: 'index' };"})
    put(folder, "@made/up@0.4.1", {"package.json": '{"main": "up"}', "up.js": "window.up = 'up';"})
    return folder


# A URL of each kind that `mirror_in` has not, and why.
LACKS = {
    "https://unpkg.com/d3@7": "package",
    "https://cdn.jsdelivr.net/npm/d3@7/+esm": "package",
    "https://cdn.jsdelivr.net/gh/some/one@1/x.js": "package",
    "https://unpkg.com/tiny-lib@1.2.3/dist/tiny.mni.js": "file",
    "https://cdn.jsdelivr.net/npm/tiny-lib@1.2.3/no.js": "file",
    "https://cdn.jsdelivr.net/npm/tiny-lib@1.2.3/esm/needy.js/+esm": "bundle",
    "https://esm.sh/tiny-lib@1.10.0": "bundle",
    "https://cdnjs.cloudflare.com/ajax/libs/tiny-lib/1.2.3/all.js": "layout",
}
