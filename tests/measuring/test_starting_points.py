"""From where the NMU and the sNMU find the solution."""

from nalm.measuring.starting_points import SAMPLE, journeys, only_sample


def test_a_start_at_the_solution_stays_there_and_one_at_zero_does_not_reach_it() -> None:
    found = journeys("NMU", step=0.5, iterations=300)
    by_start = dict(zip(map(tuple, found.starts.tolist()), found.success.tolist(), strict=True))
    assert by_start[1.0, 1.0]
    assert not by_start[0.0, 0.0]
    assert 0 < found.rate < 1
    assert only_sample().tolist()[0] == [SAMPLE[0], float(only_sample()[0, 1])]
