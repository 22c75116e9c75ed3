"""Claims of the NALU and NPU papers that the other sources only name (000 section 6.3, 002 appendix D.1).

Their settings are not known in full: the verdicts are about ours, which stand at the head of every study.
"""

from __future__ import annotations

from nalm.studies.claims import Claim, Place
from nalm.studies.epidemic import EPIDEMIC
from nalm.studies.grid_world import GRID_WORLD
from nalm.studies.programs import EVALUATION
from nalm.studies.rules import Beats, full_on, some_of
from nalm.studies.words import WORDS
from nalm.tasks.epidemic import EPIDEMICS
from nalm.tasks.programs import PROGRAMS

RIGHT, IN_TIME, EXACT = (study.thresholds[0][0] for study in (EVALUATION, GRID_WORLD, EPIDEMIC))
NEARLY_IN_TIME, ROUGHLY, WITHIN_TEN = (study.thresholds[1][0] for study in (GRID_WORLD, EPIDEMIC, WORDS))
WITHIN_FIFTY = WORDS.thresholds[2][0]
LATE = ("due at 15", "due at 17", "due at 19")
LONGER = tuple((name, digits) for name in PROGRAMS for digits in ("three digits", "four digits"))


def words(model: str) -> Place:
    return Place(WORDS.name, model, "words", "to 999")


def program(model: str, name: str, digits: str) -> Place:
    return Place(EVALUATION.name, model, name, digits)


def agent(model: str, due: str) -> Place:
    return Place(GRID_WORLD.name, model, "arrive in time", due)


def epidemic(model: str, name: str) -> Place:
    return Place(EPIDEMIC.name, model, name, "one week ahead")


CLAIMS = (
    Claim(
        "nalu-s4.3-nalu", "Behind an LSTM, a NALU reads held-out number words better than a linear layer.",
        "Trask et al. 2018, section 4.3",
        Beats(words("LSTM, NALU"), words("LSTM"), threshold=WITHIN_TEN),
    ),
    Claim(
        "nalu-s4.3-nac", "Behind an LSTM, a NAC+ reads held-out number words worse than a linear layer.",
        "Trask et al. 2018, section 4.3",
        Beats(words("LSTM"), words("LSTM, NAC+"), threshold=WITHIN_FIFTY),
    ),
    Claim(
        "nalu-s4.4-training", "LSTMs and NALUs they configure evaluate programs with numbers as in training.",
        "Trask et al. 2018, section 4.4",
        full_on(
            tuple(
                program(model, name, "two digits")
                for model in ("LSTM", "NALU configured by an LSTM")
                for name in PROGRAMS
            ),
            2 * len(PROGRAMS),
            RIGHT,
        ),
    ),
    Claim(
        "nalu-s4.4-extrapolation", "With longer numbers, a NALU that an LSTM configures beats the LSTM.",
        "Trask et al. 2018, section 4.4",
        Beats(
            tuple(program("NALU configured by an LSTM", *place) for place in LONGER),
            tuple(program("LSTM", *place) for place in LONGER),
        ),
    ),
    Claim(
        "nalu-s4.5-training", "Agents with and without a NAC+ learn to arrive at the times of training.",
        "Trask et al. 2018, section 4.5",
        full_on((agent("perceptron", "due at 12"), agent("perceptron, NAC+", "due at 12")), 2, IN_TIME),
    ),
    Claim(
        "nalu-s4.5-later", "An agent whose time goes through a NAC+ arrives at later times more often.",
        "Trask et al. 2018, section 4.5",
        Beats(
            tuple(agent("perceptron, NAC+", due) for due in LATE),
            tuple(agent("perceptron", due) for due in LATE),
            threshold=NEARLY_IN_TIME,
        ),
    ),
    Claim(
        "npu-s4.1-discovery", "A NAU behind an NPU discovers the equations of a fractional epidemic.",
        "002 appendix D.1, after Heim et al. 2020",
        some_of((epidemic("NAU, Real NPU, hidden 3", "fractional SIR"),), 1, EXACT),
    ),
    Claim(
        "npu-s4.1-dense", "It carries over to other epidemics more often than a perceptron.",
        "002 appendix D.1, after Heim et al. 2020",
        Beats(
            tuple(epidemic("NAU, Real NPU, hidden 3", name) for name in EPIDEMICS),
            tuple(epidemic("perceptron, hidden 20", name) for name in EPIDEMICS),
            threshold=ROUGHLY,
        ),
    ),
)  # fmt: skip
