"""Exhaustive search over the programs of the frozen selector: the baseline a learner has to beat."""
