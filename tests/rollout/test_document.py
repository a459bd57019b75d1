import doctest

from rcca_cli.judge import artifact
from rcca_cli.rollout import document
from rcca_cli.rollout.stage import Options, open_backend, run
from tests.rollout.tasks import lines, task

REQUEST = (
    'Please write one self-contained HTML page titled "Push-up Tracker". At first it reads "Reps: 4". '
    'There is a button "+2" that counts up by 2.'
)


def test_a_document_ends_with_its_own_tag_and_not_in_the_reasoning():
    assert doctest.testmod(document).failed == 0
    draft = "<think><!DOCTYPE html><html></html></think>"
    page = "<!DOCTYPE html><html><!-- </html> --><p>`</html >`</html >"
    assert document.end(draft + page + " tail", len(draft)) == len(draft) + page.index("</html >") + 8
    assert document.end("no page: </html>") is None
    assert document.end("<!DOCTYPE html><html><script>'</html>'") is None


def test_stopping_at_the_document_is_cutting_the_answer_there():
    found = {}
    for stops in (False, True):
        options = Options(group_size=4, stop_at_document=stops)
        found[stops] = [one["rollout"] for one in run(lines(task("a", REQUEST)), options, open_backend(options))]
    for whole, cut in zip(found[False], found[True], strict=True):
        end = document.end(whole["text"])
        assert (end is None) == (whole["finish_reason"] == "length")
        assert cut["tokens"] == whole["tokens"][: len(cut["tokens"])]
        assert cut["text"] == whole["text"][: len(cut["text"])]
        assert cut["text"].rstrip().endswith("</html>")
        assert len(cut["text"]) < len(whole["text"])
        assert (cut["finish_reason"], cut["sampling"]["stop"]) == ("stop", "document")
        assert artifact.find(cut["text"]).artifact["truncated"] is False


def test_a_draft_in_the_reasoning_is_never_the_artifact():
    draft = "Let me try.\n```html\n<!DOCTYPE html><html><body>draft</body></html>\n```\n"
    page = "<!DOCTYPE html><html><body>page</body></html>"
    # The template has opened the block, and the answer was cut off in it: nothing in the text says so.
    assert artifact.find(draft).artifact is not None
    cut = artifact.find(draft, "length", len(draft))
    assert (cut.artifact, "never leaves" in cut.diagnosis) == (None, True)
    whole = draft + "</think>\n" + page
    found = artifact.find(whole, "stop", whole.index(page)).artifact
    assert (found["start"], found["blocks"]) == (whole.index(page), 1)
    empty = artifact.find(draft + "</think>", "stop", len(draft + "</think>"))
    assert (empty.artifact, empty.diagnosis) == (None, "the answer is empty")
