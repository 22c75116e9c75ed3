"""The program of cumulative operations behind data."""
