"""What `nalm …` does, one module per command; `nalm.cli` lists them and imports one when it is called."""
