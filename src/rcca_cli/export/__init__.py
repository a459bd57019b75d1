"""Doors to other trainers: records with credit in their formats (`stage`), and what goes into their own processes.

`trl.py`, `verl.py`, `verifiers.py`, `prime_rl.py` and `tinker.py` are imported by a trainer's process, or by a script
of the reader's, never by the rest of this package: each needs its trainer.
"""
