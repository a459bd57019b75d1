"""Small pictures of what actions changed, each with its caption, as one picture: set by the browser that took them."""

import base64
from collections.abc import Sequence
from html import escape

from rcca_cli.browser import Machine, Still, still

STYLE = (
    "body{margin:8px;font:15px sans-serif;background:#fff;color:#000;width:1264px}"
    "main{display:grid;grid-template-columns:repeat(3,418px);gap:4px}figure{margin:0;border:1px solid #888}"
    "img{width:416px;height:234px;display:block}figcaption{padding:4px;overflow-wrap:anywhere}"
)
HIGHEST, CAPTION = 1200, 90


async def composed(machine: Machine, shots: Sequence[tuple[str, bytes]], pixels: float) -> Still:
    """The strip of (caption, PNG), three in a row, in at most `pixels` in all. Captions may quote the page."""
    figures = "".join(
        f'<figure><img src="data:image/png;base64,{base64.b64encode(png).decode()}">'
        f"<figcaption>{number}. after: {escape(caption[:CAPTION])}</figcaption></figure>"
        for number, (caption, png) in enumerate(shots, 1)
    )
    page = f"<!DOCTYPE html><meta charset=utf-8><style>{STYLE}</style><main>{figures}</main>"
    async with machine.visit(page, 0) as visit:
        await visit.load()
        await visit.turn(patient=True)
        return await still(visit, HIGHEST, pixels)
