"""What goes to standard error beside records."""

from rcca_cli import console


def test_a_long_note_is_broken_between_words_and_no_word_is(capsys):
    console.paragraph("word " * 30 + "a-name/that-is/" + "x" * 90)
    lines = capsys.readouterr().err.splitlines()
    assert [len(line) for line in lines] == [79, 69, 105]  # sixteen words, fourteen, and what does not fit
