"""What the rules in workflow/rules read, write and hand to the commands: the campaigns, their files, their facts.

Snakemake reads this at each start, and so does each of its jobs: it imports neither Polars nor numpy.
"""
