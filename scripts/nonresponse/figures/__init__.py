"""The figures of the reliability stage, from its tables to SVG.

A figure is a function from tables to an Altair chart: curves.py (stability, swap), sample_size.py, rankings.py
(heat maps) and intervals.py. Each takes a title, a subtitle and a caption, and draws a page with a sentence alone
where there is nothing to draw. page.write_svg turns a chart into a file; nothing here needs a browser.
"""
