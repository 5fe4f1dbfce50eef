"""What is found out of a campaign: a module each, whose `make` writes it; nonresponse/dag/topics.py has the records."""
