"""What is found out of a campaign from its scores and verdicts: a module each, whose function `make` writes it.

The records, and with them what each reads, is told and writes, stand in nonresponse/dag/topics.py.
"""
