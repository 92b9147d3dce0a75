"""How judgments are told apart, weighed by their votes, recalled and exported."""
