"""What a model is asked for beside the task: the form of the answer and the rules for the app.

The form is MiniAppBench's (a level-4 heading that names the file, then one fenced block), and the request stands at the
end of a fixed prompt, as there; the words are ours. Theirs allows some CDNs, ours none: no page reaches a network here.
"""

CONTRACT = """\
Build the small web app that is asked for below, as one page that opens directly in a browser.

The answer: a line

#### `index.html`

and under it one block that begins with ```html and holds the complete document (<!DOCTYPE html>, html, head, body), \
with its CSS and JavaScript in it.

The app:
- It is interactive: what people change, type, choose, drag or press changes what the page shows, by the rules of what \
the app is about. Folding, tabs and paging alone are not enough.
- Its elements say what they are (semantic HTML, a label for each control), and it fits a desktop and a phone.
- It runs by itself: no server, no data, font or library from the network, no call of an AI model. What it remembers \
is in localStorage or sessionStorage; sound and drawing are the browser's own.
- Where it opens a file of the user's (FileReader), it has an example of its own, so that it can be tried without one.

The request:

"""


def prompt(query: str) -> list[dict[str, str]]:
    """The one turn of a task: the contract, then the query."""
    return [{"role": "user", "content": CONTRACT + query}]
