"""Boolean functions and comparisons, solved instead of learnt."""
