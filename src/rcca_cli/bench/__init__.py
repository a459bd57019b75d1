"""Composer `bench`: a benchmark's tasks, answered by a model or from a file, judged and counted."""
