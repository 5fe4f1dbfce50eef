"""The sections of the report: `make` of a module writes a page of a campaign, `section` is that of
an analysis."""
