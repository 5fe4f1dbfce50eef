"""What the papers print and conclude, held against the measures.

`python tools/reproduction` writes docs/reproduction.md.

figures.py     every figure of the published tables beside the one that follows from its row
claims.py      what the papers conclude, and what became of it
__main__.py    the page
"""
