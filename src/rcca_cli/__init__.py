"""Rubric-to-Code Credit Assignment as composable command-line stages."""

__version__ = "0.1.0"
