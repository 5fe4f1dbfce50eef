"""The sections of the report: `make` writes a page, `make_section` returns that of an analysis."""
