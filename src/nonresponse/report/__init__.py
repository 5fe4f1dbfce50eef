"""The report: findings and tables of a campaign as records, and their renderings as page, Markdown
and LaTeX."""
