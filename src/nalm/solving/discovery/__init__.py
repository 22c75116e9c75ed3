"""Finding the formula behind data, one stage per module; `search.find_formula` runs them."""
