"""A formula in other languages, one module each. Names of columns are data: no file runs what they say."""
