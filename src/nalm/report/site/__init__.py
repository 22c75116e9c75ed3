"""The record as a site: a folder of pages that opens from the disk, without a network."""
