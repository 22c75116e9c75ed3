"""How many programs there are."""

from __future__ import annotations

from functools import cache
from math import comb

from nalm.networks.program import OPERATIONS


def program_space(steps: int, inputs: int, *, operands: int | None = None) -> int:
    """The number of programs of up to `steps` lines in which every line is used by a later one.

    A line is an operation and a set of slots, at most `operands` of them. Unused lines are left out: they
    would count one program many times. Formally, without a limit on operands and with S = 4·2^inputs,

        N(T, n) = Σ_{k ≤ T} S^k · Π_{j < k} (2^j − 1)

    as S is a line's choice of operation and inputs, and the product counts which line reads which.

    Example:
        >>> program_space(2, 4)
        4160
        >>> [program_space(steps, 8) for steps in (1, 2, 3, 4, 5)]
        [1024, 1049600, 3222275072, 23092966458368, 354681563621884928]
        >>> program_space(3, 8, operands=2)
        306212
    """
    if steps < 1 or inputs < 1:
        raise ValueError(f"steps and inputs must be at least 1, got {steps} and {inputs}")
    return sum(_programs(length, inputs, operands) for length in range(1, steps + 1))


def lines_at(slots: int, operands: int | None = None) -> int:
    """How many different lines can be written on so many slots.

    Example:
        >>> lines_at(4), lines_at(4, operands=2)
        (64, 44)
    """
    most = slots if operands is None else min(operands, slots)
    return len(OPERATIONS) * sum(comb(slots, size) for size in range(most + 1))


def _programs(length: int, inputs: int, operands: int | None) -> int:
    """Programs of exactly `length` lines, counted line by line with the number of lines not read so far."""

    @cache
    def completions(number: int, unread: int) -> int:
        if number == length:
            return int(unread == 1)  # only the output itself is read by no line
        slots = inputs + number
        most = slots if operands is None else min(operands, slots)
        return sum(
            len(OPERATIONS)
            * comb(unread, read)
            * comb(slots - unread, size - read)
            * completions(number + 1, unread - read + 1)
            for size in range(most + 1)
            for read in range(min(unread, size) + 1)
        )

    return completions(0, 0)
