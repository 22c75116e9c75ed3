"""Identifiers and quotations of names."""

import json

from hypothesis import given
from hypothesis import strategies as st

from nalm.solving.export.names import Names, quoted

columns = st.lists(st.text(max_size=20), max_size=5, unique=True)


@given(columns, st.text(max_size=20))
def test_identifiers_are_distinct_and_plain(inputs: list[str], target: str) -> None:
    names = Names(inputs, target, {"x", "a"}, {"b"})
    given_out = [*names.inputs, names.target]
    assert len(set(given_out)) == len(given_out)
    assert not {"x", "a"} & set(given_out)
    assert names.target != "b"
    assert all(name.isascii() and name.isidentifier() and name[0].isalpha() for name in given_out)


@given(st.text())
def test_quotations_keep_the_name_on_one_line(name: str) -> None:
    text = quoted(name)
    assert json.loads(text) == name
    assert text.isascii()
    assert text.isprintable()
    assert not set("*?") & set(text)
