"""A good app without its behaviour: it looks the same when it has loaded, and then nothing answers.

Listeners are dropped, but for those of loading; no timer runs out; of the animation frames only the first come. What
the browser does by itself (typing, ticking, choosing, unfolding) still works, as in any page that was only styled.
"""

import re

FRAMES = 2  # as many as it takes to draw a first picture
PREAMBLE = """<script>
{
  const loading = new Set(['DOMContentLoaded', 'load', 'pageshow', 'readystatechange']);
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (loading.has(type)) listen.call(this, type, ...rest);
  };
  for (const kind of [HTMLElement.prototype, SVGElement.prototype, Document.prototype, window])
    for (const name of Object.getOwnPropertyNames(kind))
      if (name.startsWith('on') && !loading.has(name.slice(2)))
        Object.defineProperty(kind, name, { get: () => null, set() {}, configurable: true });
  const draw = window.requestAnimationFrame.bind(window);
  let frames = FRAMES;
  window.requestAnimationFrame = picture => (frames-- > 0 ? draw(picture) : 0);
  window.setTimeout = window.setInterval = () => 0;
}
</script>
""".replace("FRAMES", str(FRAMES))
HANDLER = re.compile(r"""\son(?!load)[a-z]+=("[^"]*"|'[^']*')""")


def dead(page: str) -> str:
    """The page with all that would answer a user taken out.

    >>> dead('<head></head><button class="big" onclick="go()">Go</button>').endswith('<button class="big">Go</button>')
    True
    """
    start = re.search(r"<head\b[^>]*>|<body\b[^>]*>|<html\b[^>]*>|", page, re.IGNORECASE)
    assert start is not None  # the last alternative is empty
    return page[: start.end()] + PREAMBLE + HANDLER.sub("", page[start.end() :])
