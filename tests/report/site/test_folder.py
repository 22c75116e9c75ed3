"""Data on pages cannot end the script they stand in, and pages escape what they are given."""

import json

import numpy as np
import pytest

from nalm.report.site.folder import Folder, encoded, plain, short


@pytest.mark.parametrize("name", ["</script>", "<!--", "]]>", "&lt;", "\u2028", 'a"b\\'])
def test_names_are_data(name: str) -> None:
    text = encoded([name])
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == [name]


def test_numbers_are_short_and_finite() -> None:
    assert plain({"a": np.float32(0.1), "b": [np.inf, np.int64(3), True]}) == {"a": 0.1, "b": [None, 3, True]}
    assert short(123456789.0) == 123460000
    assert short(-1.0) == -1


def test_pages_escape(tmp_path) -> None:
    folder = Folder(tmp_path, [("<Pages>", "index.html")])
    folder.page("deep/page.html", "units.html", units=[])
    text = (tmp_path / "deep" / "page.html").read_text()
    assert "&lt;Pages&gt;" in text
    assert "<Pages>" not in text
    assert 'href="../assets/site.css"' in text
    assert "default-src &#39;none&#39;" in text
