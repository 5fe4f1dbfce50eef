"""The figures of the reliability stage, from its tables to SVG.

A figure is a function from tables to a specification in Vega-Lite 6, a plain dictionary: curves.py (stability, swap),
sample_size.py, rankings.py (heat maps), intervals.py and year_curves.py. Each takes a title, a subtitle and a caption,
and draws a page with a sentence alone where there is nothing to draw. vega_lite.py has the words in which
specifications are written, values.py what points say of themselves, page.py what all figures share; page.write_svg
turns one into a file, without a browser.
"""
