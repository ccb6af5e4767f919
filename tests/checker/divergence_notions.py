"""The notions that bound a divergence between neighbors, one line each (divergence.py)."""
from concentrated import Concentrated
from gaussian import Gaussian
from kl import MeanLoss
from ratios import Range
from renyi import Renyi

BY_NAME = {notion.name: notion for notion in (
    Concentrated("zcdp"),
    Concentrated("approximate_zcdp"),
    Renyi("renyi_dp"),
    Gaussian("gaussian_dp"),
    Range("bounded_range"),
    MeanLoss("kl_dp"),
)}
