"""The papers the units come from."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A publication: what a unit's docstring, `nalm units` and `nalm.citation` refer to."""

    key: str
    authors: str
    title: str
    venue: str
    year: int
    url: str

    def __str__(self) -> str:
        names = [author.split(",")[0] for author in self.authors.split(" and ")]
        return f"{' & '.join(names) if len(names) < 3 else names[0] + ' et al.'} {self.year}"

    @property
    def bibtex(self) -> str:
        """This publication as a BibTeX entry."""
        fields = {
            "author": self.authors,
            "title": "{" + self.title + "}",
            "howpublished": self.venue,
            "year": str(self.year),
            "url": self.url,
        }
        body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
        return f"@misc{{{self.key},\n{body}\n}}"


KFAC_PAPER = Source(
    "martens2015kfac",
    "Martens, James and Grosse, Roger",
    "Optimizing Neural Networks with Kronecker-factored Approximate Curvature",
    "ICML",
    2015,
    "https://arxiv.org/abs/1503.05671",
)
NALU_PAPER = Source(
    "trask2018nalu",
    "Trask, Andrew and Hill, Felix and Reed, Scott E. and Rae, Jack and Dyer, Chris and Blunsom, Phil",
    "Neural Arithmetic Logic Units",
    "NeurIPS",
    2018,
    "https://arxiv.org/abs/1808.00508",
)
GNALU_PAPER = Source(
    "rana2019calcnet",
    "Rana, Ashish and Malhi, Avleen and Främling, Kary",
    "Exploring Numerical Calculations with CalcNet",
    "ICTAI",
    2019,
    "https://doi.org/10.1109/ICTAI.2019.00192",
)
NLRL_PAPER = Source(
    "reimann2019nlrl",
    "Reimann, Jan Niclas and Schwung, Andreas",
    "Neural Logic Rule Layers",
    "CoRR",
    2019,
    "https://doi.org/10.13140/RG.2.2.10091.59687",
)
NAU_PAPER = Source(
    "madsen2020nau",
    "Madsen, Andreas and Johansen, Alexander Rosenberg",
    "Neural Arithmetic Units",
    "ICLR",
    2020,
    "https://arxiv.org/abs/2001.05016",
)
INALU_PAPER = Source(
    "schloer2020inalu",
    "Schlör, Daniel and Ring, Markus and Hotho, Andreas",
    "iNALU: Improved Neural Arithmetic Logic Unit",
    "Frontiers in Artificial Intelligence 3:71",
    2020,
    "https://doi.org/10.3389/frai.2020.00071",
)
NPU_PAPER = Source(
    "heim2020npu",
    "Heim, Niklas and Pevný, Tomáš and Šmídl, Václav",
    "Neural Power Units",
    "NeurIPS",
    2020,
    "https://arxiv.org/abs/2006.01681",
)
NSR_PAPER = Source(
    "faber2020nsr",
    "Faber, Lukas and Wattenhofer, Roger",
    "Neural Status Registers",
    "CoRR",
    2020,
    "https://arxiv.org/abs/2004.07085",
)
MCFC_PAPER = Source(
    "hoedt2021mclstm",
    "Hoedt, Pieter-Jan and Kratzert, Frederik and Klotz, Daniel and Halmich, Christina"
    " and Holzleitner, Markus and Nearing, Grey and Hochreiter, Sepp and Klambauer, Günter",
    "MC-LSTM: Mass-Conserving LSTM",
    "ICML",
    2021,
    "https://arxiv.org/abs/2101.05186",
)
DIVISION_PAPER = Source(
    "mistry2022division",
    "Mistry, Bhumika and Farrahi, Katayoun and Hare, Jonathon",
    "Exploring the Learning Mechanisms of Neural Division Modules",
    "TMLR",
    2022,
    "https://openreview.net/forum?id=HjelcW6wio",
)
STOCHASTIC_PAPER = Source(
    "mistry2022stochastic",
    "Mistry, Bhumika and Farrahi, Katayoun and Hare, Jonathon",
    "Improving the Robustness of Neural Multiplication Units with Reversible Stochasticity",
    "CoRR",
    2022,
    "https://arxiv.org/abs/2211.05624",
)
THESIS = Source(
    "mistry2023thesis",
    "Mistry, Bhumika",
    "An Investigation into Neural Arithmetic Logic Modules",
    "PhD thesis, University of Southampton",
    2023,
    "https://orcid.org/0000-0003-4555-0121",
)
QUADRATIC_PAPER = Source(
    "fan2018quadratic",
    "Fan, Fenglei and Cong, Wenxiang and Wang, Ge",
    "Generalized Backpropagation Algorithm for Training Second-Order Neural Networks",
    "International Journal for Numerical Methods in Biomedical Engineering 34(5)",
    2018,
    "https://doi.org/10.1002/cnm.2956",
)
LSTM_PAPER = Source(
    "hochreiter1997lstm",
    "Hochreiter, Sepp and Schmidhuber, Jürgen",
    "Long Short-Term Memory",
    "Neural Computation 9(8)",
    1997,
    "https://doi.org/10.1162/neco.1997.9.8.1735",
)
EQL_PAPER = Source(
    "sahoo2018eql",
    "Sahoo, Subham S. and Lampert, Christoph H. and Martius, Georg",
    "Learning Equations for Extrapolation and Control",
    "ICML",
    2018,
    "https://arxiv.org/abs/1806.07259",
)
