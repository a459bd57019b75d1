"""The red team: hostile and deceptive pages, and what must come of each."""
