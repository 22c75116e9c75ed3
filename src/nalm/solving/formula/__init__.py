"""The formula behind data."""
