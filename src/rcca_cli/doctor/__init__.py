"""Composers `doctor` and `validate`: what is wrong with this machine, or with these records."""
