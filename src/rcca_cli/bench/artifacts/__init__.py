"""Bench `artifacts`: ArtifactsBench's rows in, its output fields out, by its own protocol or a repaired one."""
