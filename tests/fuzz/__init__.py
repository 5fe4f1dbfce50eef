"""An attack on counts and scores that anybody can repeat: `python -m fuzz --campaign 12` shows one again.

`campaigns` goes from files to scores, and `counted` sets the counts of random configurations and data beside those of a
reference. Damaged files are read by tests/formats/test_damaged.py.
"""
