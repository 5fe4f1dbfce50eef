"""An attack on counts: `counted` sets the counts of random configurations and data beside those of
a reference. Damaged files are read by tests/formats/test_damaged.py.
"""
