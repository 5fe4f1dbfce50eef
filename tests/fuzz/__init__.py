"""An attack on counts that anybody can repeat: `python -m fuzz --kind raw 12` shows one campaign
again.

`counted` sets the counts of random configurations and data beside those of a reference. Damaged
files are read by tests/formats/test_damaged.py.
"""
