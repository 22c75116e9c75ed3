"""Numerical tools that all solvers share."""
