"""The words all solvers answer in: a status that says how far an answer may be trusted, and why."""

from __future__ import annotations

from enum import Enum


class Status(Enum):
    """Whether an answer is the one behind the data, and if not, why not; its value in words.

    Networks may be not identifiable, not discrete, not representable or not converged; formulas may be noisy,
    rounded, approximations or interpolations, or fail on some rows; programs may be not exact. The others are
    shared.
    Who is verified is decided in `nalm.solving.verify`.
    """

    VERIFIED = "it reproduces data that it was not fitted on, and the data determine all of it"
    NOISY = "the simplest formula that leaves only noise; with noise, laws that differ by less fit as well"
    ROUNDED = (
        "it agrees with the data to the digits they are rounded to; "
        "so few digits cannot tell it from formulas that differ by less"
    )
    APPROXIMATION = (
        "an approximation; what it leaves still depends on the inputs, so y is no short formula of sums, "
        "products, quotients and half-integer powers of these inputs"
    )
    INTERPOLATION = (
        "it fits to rounding, but some of its constants hardly matter, as in a series that was cut off; "
        "it need not hold outside the data"
    )
    UNEXPLAINED = "nothing found explains y much better than its mean"
    TOO_FEW_ROWS = "too few rows to fit a formula on some and judge it on others"
    DISAGREEING_ROWS = "exact on the rows searched, but other rows disagree"
    NOT_IDENTIFIABLE = (
        "the data do not determine the weights: too few or dependent samples, "
        "too narrow a range, or too much noise"
    )
    NOT_DISCRETE = (
        "real weights fit, discrete ones do not: the network computes this only with weights in between"
    )
    NOT_REPRESENTABLE = "no weights of this network fit the data"
    NOT_EXACT = "nothing that was tried reproduces the data to rounding; this comes closest"
    DID_NOT_CONVERGE = "the fits from different starts stopped at different errors: a better one may exist"
    OUT_OF_TIME = "the time limit was reached before the search was over: raise max_time"


class Answer:
    """What the answers of all solvers have in common: they are frozen dataclasses with a status.

    Verified is evidence, not proof.
    """

    status: Status

    @property
    def verified(self) -> bool:
        """Whether the answer is right on data it was not fitted on, to their precision, and determined."""
        return self.status is Status.VERIFIED

    @property
    def reason(self) -> str:
        """The status in words."""
        return self.status.value

    def verdict(self) -> str:
        """The status in a line: verified, or why not."""
        return "verified" if self.verified else f"not verified ({self.status.name}): {self.reason}"
