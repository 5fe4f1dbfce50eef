"""Verdicts become counts, scores and leaderboards."""
