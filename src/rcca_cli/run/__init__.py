"""Composer `run`: synth, rollout, judge, align and train in one process, again and again."""
