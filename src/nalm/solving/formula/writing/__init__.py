"""Formulas as people would write them."""
