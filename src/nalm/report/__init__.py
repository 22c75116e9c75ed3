"""What the store says: tables and figures."""
