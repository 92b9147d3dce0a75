"""Browsing and changing each kind of memory by hand."""
