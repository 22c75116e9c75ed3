"""How much rows say about log|y|."""

import numpy as np

from nalm.solving.formula.certainty import certainties


def test_the_smallest_rows_count_for_exact_data_only() -> None:
    y = np.array([0.001, -1.0, 2.0, -100.0])
    exact, noisy, noisier = certainties(y)
    assert exact[0] > noisy[0] == noisier[0] == 0
    assert exact[3] == noisy[3] == 1
    assert noisier.tolist() == [0, 1, 1, 1]
