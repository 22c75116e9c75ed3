"""Arrays nobody would think of get an answer or one clear line."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from nalm import ArithmeticRegressor

NUMBERS = st.one_of(
    st.floats(width=64), st.sampled_from([0.0, -0.0, 5e-324, 1e-310, 1.7e308, -1.7e308, np.inf, np.nan])
)
SHAPES = st.tuples(st.integers(0, 6), st.integers(0, 3))


@settings(max_examples=30, deadline=None)
@given(
    X=arrays.arrays(np.float64, SHAPES, elements=NUMBERS),
    y=arrays.arrays(np.float64, st.integers(0, 6), elements=NUMBERS),
    formula=st.sampled_from(["x1", "x1/x2", "sqrt(x1) + 2.5", "exp(x1*x2)", "1"]),
)
def test_any_numbers_are_judged_or_refused(X: np.ndarray, y: np.ndarray, formula: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            judged = ArithmeticRegressor().judge(formula, X, y)
        except ValueError:
            return
    assert judged.rows[1] == len(y)
    assert not judged.verified or np.isfinite(judged.error)


WORDS = st.text(alphabet="ab−", max_size=3)


@settings(max_examples=30, deadline=None)
@given(
    table=st.one_of(
        st.lists(st.lists(st.one_of(WORDS, st.none()), max_size=3), max_size=4),
        WORDS,
        st.integers(),
        st.dictionaries(WORDS, st.integers(), max_size=2),
    )
)
def test_what_is_no_array_is_refused(table: object) -> None:
    with pytest.raises((ValueError, TypeError), match=r"\w"):
        ArithmeticRegressor(max_time=0.1).fit(table, [1.0, 2.0])
