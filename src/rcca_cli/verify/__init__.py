"""Composer `verify`: proof, by the real judge, that the generator's tasks, solutions and bugs are what they say."""
