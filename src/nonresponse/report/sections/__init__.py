"""What is found out about a campaign: `make` of each module writes a topic, for a stage of stages/pages.py."""
