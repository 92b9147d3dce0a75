"""DuckDB, and the only SQL in the project."""
