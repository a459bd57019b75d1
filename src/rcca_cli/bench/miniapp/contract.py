"""What a model is asked for beside the task: the form of the answer and the rules for the app.

The form is MiniAppBench's (a level-4 heading that names the file, then one fenced block), and the request stands at the
end of a fixed prompt, as there; the words are ours. Theirs allows some CDNs, ours none: no page reaches a network here.
"""

CONTRACT = """\
Build this as one page for a browser. Answer with the line

#### `index.html`

and one ```html block with the whole document, its CSS and JavaScript in it. It is interactive: what people change \
changes what they see; folding and tabs are not enough. Semantic HTML with labels, for desktop and phone. It runs by \
itself: nothing from a network, no AI calls, memory in localStorage or sessionStorage, an example where it opens files.

The request:

"""


def prompt(query: str) -> list[dict[str, str]]:
    """The one turn of a task: the contract, then the query."""
    return [{"role": "user", "content": CONTRACT + query}]
