"""Reads raw files into tables, and finds all their faults."""
