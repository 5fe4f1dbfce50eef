"""What is found out about a campaign: `make` of each module writes a topic; the records are in dag/topics.py."""
