"""Figures: functions from tables, title and caption to Vega-Lite 6, as plain dictionaries, and from these to SVG."""
