"""Number words, by hand and as a whole."""

import numpy as np
import pytest

from nalm.tasks.word_task import LARGEST, SPLIT, VOCABULARY, WordsTask, encoded, number_words, split


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (19, "nineteen"),
        (40, "forty"),
        (99, "ninety nine"),
        (100, "one hundred"),
        (201, "two hundred and one"),
        (515, "five hundred and fifteen"),
        (1000, "one thousand"),
        (1001, "one thousand and one"),
        (999_000, "nine hundred and ninety nine thousand"),
        (
            999_999,
            "nine hundred and ninety nine thousand nine hundred and ninety nine",
        ),
    ],
)
def test_numbers_in_words(number: int, words: str) -> None:
    assert " ".join(number_words(number)) == words


def test_what_has_no_words_here() -> None:
    for number in (-1, 1_000_000):
        with pytest.raises(ValueError, match="from 0 to 999,999"):
            number_words(number)


@pytest.mark.parametrize("largest", LARGEST)
def test_nothing_tested_on_is_trained_on(largest: int) -> None:
    training, validation, test = parts = split(largest)
    assert tuple(map(len, parts)) == SPLIT[largest]
    assert len(np.unique(np.concatenate(parts))) == sum(SPLIT[largest])
    assert set(range(20)) <= set(training.tolist())
    known = {word for number in training for word in number_words(int(number))}
    tested = {word for number in (*validation, *test) for word in number_words(int(number))}
    assert tested <= known
    assert max(map(max, parts)) <= largest


def test_longest_number_fits_and_can_be_read_back() -> None:
    for largest, length in LARGEST.items():
        row = encoded(np.array([largest]), length)[0]
        assert " ".join(VOCABULARY[int(place)] for place in row) == " ".join(number_words(largest))


def test_a_size_without_data_is_refused() -> None:
    with pytest.raises(ValueError, match="there are 999, 999999"):
        WordsTask(500)
