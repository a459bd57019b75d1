"""Runs of a benchmark beside each other: who is better, by how much, and whether that can be said: `bench compare`."""
