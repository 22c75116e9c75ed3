"""Data sets from elsewhere: fetched once, checked, kept in the user's cache."""

from nalm.data.mnist import Images, load_mnist, mnist_folder

__all__ = ["Images", "load_mnist", "mnist_folder"]
