"""The red team."""
