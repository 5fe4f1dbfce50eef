"""The report: findings and tables of a campaign, rendered as page, Markdown and LaTeX."""
