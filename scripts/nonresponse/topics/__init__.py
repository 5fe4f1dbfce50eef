"""What is found out of a campaign beside its scores: a module each, whose function `make` writes it.

The records, and with them what each reads, is told and writes, stand in nonresponse/dag/topics.py.
"""
