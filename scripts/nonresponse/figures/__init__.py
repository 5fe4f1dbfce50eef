"""What figures are made of, from tables to SVG; what a figure shows is in the module of its analysis or view.

A figure is a function from tables to a specification in Vega-Lite 6, a plain dictionary. It takes a title and a
caption, and draws a page with a sentence alone where there is nothing to draw. vega_lite.py has the words in which
specifications are written, series.py curves with names, page.py what all figures share; page.write_svg turns one into a
file, without a browser.
"""
