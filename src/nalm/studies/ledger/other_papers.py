"""Claims of the NALU and NPU papers on tasks that 000 section 6.3 and 002 appendix D.1 name.

Of the NALU paper no more than its abstract is quoted: that networks with NALUs learn to track time, to
translate numerical language, to execute code and to count objects in images, and generalise better outside
the range of their training than conventional architectures. How that is measured is chosen here: the verdicts
are about our settings, which stand at the head of every study.
"""

from __future__ import annotations

from nalm.studies.claims import Claim, Place
from nalm.studies.counting_study import COUNTING
from nalm.studies.epidemic_study import EPIDEMIC
from nalm.studies.grid_world_study import GRID_WORLD
from nalm.studies.program_studies import EVALUATION
from nalm.studies.rules import Beats, full_on, some_of
from nalm.studies.word_studies import WORDS
from nalm.tasks.digits.counting_task import COUNTED
from nalm.tasks.epidemic import EPIDEMICS
from nalm.tasks.programs import PROGRAMS

RIGHT, IN_TIME, EXACT = (study.thresholds[0][0] for study in (EVALUATION, GRID_WORLD, EPIDEMIC))
NEARLY_IN_TIME, ROUGHLY, WITHIN_TEN = (study.thresholds[1][0] for study in (GRID_WORLD, EPIDEMIC, WORDS))
ABSTRACT = "abstract of Trask et al. 2018; the measure is chosen here"
LATE = ("due at 15", "due at 17", "due at 19")
LONGER = tuple((name, digits) for name in PROGRAMS for digits in ("three digits", "four digits"))


def words(model: str) -> Place:
    return Place(WORDS.name, model, "words", "to 999")


def program(model: str, name: str, digits: str) -> Place:
    return Place(EVALUATION.name, model, name, digits)


def agent(model: str, due: str) -> Place:
    return Place(GRID_WORLD.name, model, "arrive in time", due)


def counting(model: str, operation: str, length: int) -> Place:
    return Place(COUNTING.name, model, operation, f"length {length}", 28)


def epidemic(model: str, name: str) -> Place:
    return Place(EPIDEMIC.name, model, name, "one week ahead")


CLAIMS = (
    Claim(
        "nalu-words", "Behind an LSTM, a NALU reads held-out number words better than a linear layer.",
        ABSTRACT,
        Beats(words("LSTM, NALU"), words("LSTM"), threshold=WITHIN_TEN),
    ),
    Claim(
        "nalu-programs-training", "LSTMs and NALUs they configure run programs with numbers as in training.",
        ABSTRACT,
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
        "nalu-programs-longer", "With longer numbers, a NALU that an LSTM configures beats the LSTM.",
        ABSTRACT,
        Beats(
            tuple(program("NALU configured by an LSTM", *place) for place in LONGER),
            tuple(program("LSTM", *place) for place in LONGER),
        ),
    ),
    Claim(
        "nalu-time-training", "Agents with and without a NAC+ learn to arrive at the times of training.",
        ABSTRACT,
        full_on((agent("perceptron", "due at 12"), agent("perceptron, NAC+", "due at 12")), 2, IN_TIME),
    ),
    Claim(
        "nalu-time-later", "An agent whose time goes through a NAC+ arrives at later times more often.",
        ABSTRACT,
        Beats(
            tuple(agent("perceptron, NAC+", due) for due in LATE),
            tuple(agent("perceptron", due) for due in LATE),
            threshold=NEARLY_IN_TIME,
        ),
    ),
    Claim(
        "nalu-counting", "Units of the NALU count digits in longer sequences of pictures than an LSTM does.",
        ABSTRACT,
        Beats(
            tuple(counting("NAC+", operation, 1000) for operation in COUNTED),
            tuple(counting("LSTM", operation, 1000) for operation in COUNTED),
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
