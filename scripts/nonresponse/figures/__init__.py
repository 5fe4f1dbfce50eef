"""What figures are made of: functions from tables, title and caption to Vega-Lite 6, plain dictionaries, and to SVG."""
