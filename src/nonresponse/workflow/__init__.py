"""What the Snakefile imports: campaigns and their paths, digests, resources, and what a person sees
of a run.

Snakemake reads this at each start, and so does each of its jobs on a cluster: it imports neither
Polars nor NumPy.
"""
