"""Plain words and the code they are usually about: who says "faint" means `color`, who says "reload" `localStorage`.

Left what people say, right what stands in code; both are compared by their stems (words.py). Add a line for what you
hear and miss here.
"""

from functools import cache

from rcca_cli.units.words import words

HINTS = {
    "contrast readable legible pale faint dim bright": "color background opacity",
    "colour color tint grey gray white black red green blue yellow": "color background fill",
    "font letters typeface small tiny large": "font size weight",
    "overlap covers behind": "position absolute index",
    "overflow clipped cut truncated": "overflow hidden ellipsis",
    "align aligned center centre centered": "align justify center margin",
    "spacing space gap cramped padding margin": "margin padding gap",
    "border outline frame rounded corner": "border radius outline",
    "shadow": "box shadow",
    "dark light theme": "dark light theme background color",
    "mobile narrow responsive screen viewport": "media width grid flex",
    "animation animate smooth transition fade": "transition animation animate keyframes request frame",
    "hover": "hover mouseover mouseenter",
    "cursor pointer": "cursor pointer",
    "reload refresh persist saved remember storage stored": "local storage set item json persist save load",
    "drag drop dragging": "drag drop dragover dragstart draggable prevent default",
    "keyboard key arrow enter escape": "key keydown keyup code",
    "timer countdown clock seconds tick speed interval": "interval timeout tick timer second clear",
    "delay wait late": "timeout delay",
    "pad padded zero leading digit": "pad start fixed",
    "concatenate string added number": "number parse int float reduce",
    "sum total average add up": "sum total reduce average",
    "case sensitive uppercase lowercase": "lower upper case includes",
    "search find filter match": "filter includes search match index",
    "sort order ascending descending": "sort reverse compare",
    "random shuffle": "random shuffle floor",
    "delete remove": "remove delete splice filter",
    "append create new": "push append create unshift insert",
    "clear emptied restart reset": "reset clear",
    "round decimal cents": "round fixed floor ceil",
    "disabled enabled grey greyed": "disabled",
    "blank whitespace empty spaces": "trim length empty split",
    "count counter number words characters": "count length",
    "increment increase decrement decrease": "count",
    "invalid validation required negative": "valid invalid required min max",
    "focus": "focus blur",
    "scroll": "scroll",
    "sound audio play mute": "audio play sound oscillator",
    "undo redo history": "undo redo history pop push",
    "modal overlay dialog popup": "overlay modal dialog show open",
    "appear visible hidden shown display": "hidden show display visible toggle",
    "copy clipboard": "clipboard copy",
    "download export": "download export blob href",
    "upload import file": "file reader files upload",
    "draw canvas line stroke": "ctx context stroke fill line begin path",
    "duplicate duplicates same": "includes some find has",
    "submit form": "submit form prevent default",
    "type typing typed editor": "input keydown",
    "toggle switch": "toggle",
    "date day month year calendar": "date day month year",
    "percent percentage progress": "percent progress width",
    "select selected choice option": "select selected option change",
    "chart graph bar axis": "chart bar axis scale height width",
    "collision collide bounce wall": "collide hit bounce width height",
    "score points": "score point",
    "win won winner wins": "win winner won",
    "turn player": "turn player current",
}


@cache
def _table() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for said, written in HINTS.items():
        for word in words(said):
            table[word] = table.get(word, frozenset()) | words(written)
    return table


def hinted(said: frozenset[str]) -> frozenset[str]:
    """The stems of code that some stems of prose hint at, those said outright left out.

    >>> sorted(hinted(words("The contrast is too low")))
    ['background', 'color', 'opacit']
    """
    return frozenset(word for one in said for word in _table().get(one, ())) - said
