"""The suites behind `assistant eval`."""
