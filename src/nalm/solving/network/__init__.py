"""Exact weights of a network of units, from data."""
