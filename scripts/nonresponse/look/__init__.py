"""Files that somebody has: what they are, and what of config.yaml reads them (scripts/look.py)."""
