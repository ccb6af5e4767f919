"""Requests of `oddsbound design` (docs/design.md), read as strictly as by the program; only those without `form`,
whose certificates design_certificates.py checks."""
import itertools
from fractions import Fraction

from divergence_notions import BY_NAME as DIVERGENCES
from joined import joined_lists
from oddsbound_check.claims import Claims
from oddsbound_check.exact import INFINITE
from oddsbound_check.families import without_rows
from oddsbound_check.numbers import Numbers
from oddsbound_check.prior_sets import Sets
from oddsbound_check.priors import Priors
from oddsbound_check.reading import Files, Refused, array, boolean, distinct, every, fields, integer, is_text, mapping, require, text, version_1, within
from oddsbound_check.spec import Reader, Spec
from oddsbound_check.surds import Surd

KEYS = ("name", "description", "parameters", "domain", "prior", "prior_sets", "outputs", "release", "reads", "constraints", "losses",
        "symmetries", "objective", "form", "denominator", "exact", "curve")
LOSSES = ("zero_one", "hamming", "absolute", "squared")
FOUND = ("release", "outputs", "losses", "symmetries", "curve", "exact")  # excluded if outputs are found
NOT_DESIGNED = (*DIVERGENCES, "renyi_bcdp", "probabilistic_dp", "f_dp", "utility_optimized_ldp", "information", "maximal_leakage", "post_processing_of")
MOST_DENOMINATOR = 10**9
MOST_ON_CURVE = 10**12


class People(Reader):
    """The people of a request, read like those of a spec; the rest is not checked."""

    def __init__(self, path):  # pylint: disable=super-init-not-called
        self.path, self.trail, self.files = path, (), Files(path, {})
        self.json = self.files.document(path)
        self.numbers = Numbers(self.json.get("parameters", {}))
        self.priors = Priors(self.numbers, self.files)

    def spec(self):
        """A spec without a mechanism."""
        self.domain, self.prior = self.domain_and_prior()
        self.domain.listed()
        return Spec(self, self.domain, self.prior, without_rows(self.domain))


class Request(People):
    def read(self):
        fields(self.json, "the request for a mechanism", ("oddsbound_design", "name", "domain", "constraints", "objective"), KEYS)
        version_1(self.json, "oddsbound_design")
        within("name", text, self.json["name"], "'name'")
        require("form" not in self.json, "a request with 'form' has a certificate of another kind", "form")
        self.spec()
        if self.prior is not None:
            require(all(isinstance(p, Fraction) for p in self.prior.weights.values()), "a mechanism is designed for rational probabilities", "prior")
        counted = self.prior is not None and self.json["prior"]["type"] in ("counts", "csv")
        sets = Sets(self.priors, self.domain, self.prior, counted)
        if "prior_sets" in self.json:
            within("prior_sets", sets.read_named, self.json["prior_sets"])
        self.read_outputs()
        if "reads" in self.json:
            within("reads", self.domain.coordinates, self.json["reads"])
        claims = Claims(self.numbers, self.domain, self.prior is not None, sets, None)
        within("constraints", self.constraints, self.json["constraints"], claims)
        within("objective", self.objective, self.json["objective"])
        within("losses", every, within("losses", array, self.json.get("losses", []), "limits on losses"), self.loss_limit)
        within("symmetries", every, within("symmetries", array, self.json.get("symmetries", []), "symmetries"), self.symmetry)
        if "curve" in self.json:
            within("curve", self.curve, self.json["curve"])
        if within("exact", boolean, self.json.get("exact", False), "'exact'"):
            require("denominator" not in self.json, "nothing stands for e^level where that is to be 'exact'", "denominator")
        if "denominator" in self.json:
            within("denominator", integer, self.json["denominator"], "a denominator", 1, MOST_DENOMINATOR)

    def read_outputs(self):
        self.is_listed = "outputs" in self.json
        if self.is_listed:
            require("release" not in self.json, "'release' and 'outputs' both say what comes out", "release")
            self.labels = within("outputs", every, within("outputs", array, self.json["outputs"], "output labels"), text, "an output label")
            require(within("outputs", distinct, self.labels, "an output"), "expected an output at least", "outputs")
            return
        places = sorted(within("release", self.domain.coordinates, self.json["release"])) if "release" in self.json else range(len(self.domain.names))
        self.released = [self.domain.names[i] for i in places]
        self.labels = joined_lists(list(itertools.product(*(self.domain.values[i] for i in places))), ",")

    def constraints(self, value, claims):
        claims.read_all(value)
        for k, claim in enumerate(value):
            require(claim["notion"] not in NOT_DESIGNED and not (claim["notion"] == "pointwise_maximal_leakage" and "delta" in claim), f"a mechanism cannot be designed for a claim about {claim['notion']}", k)
            require(not claim.get("tight") and claim.get("expect", "holds") == "holds", "what is asked for is to hold: it is not 'tight' or 'refuted'", k)
            require("delta" not in claim or isinstance(self.numbers.number(claim["delta"]), Fraction), "a mechanism is designed for a rational delta", k)
            require(not any(isinstance(level, Surd) for level in self.levels_in(claim.get("epsilon", "0"))), "a level with a root in it", k)
            stated = claim.get("for_all")
            stated = self.json["prior_sets"][stated] if is_text(stated) else stated
            require(stated is None or stated["type"] != "sample", "what a sample allows depends on the mechanism", k)

    def levels_in(self, value):
        if isinstance(value, (dict, list)):
            return [level for own in (value.values() if isinstance(value, dict) else value) for level in self.levels_in(own)]
        return [self.numbers.level(value, roots=True)]

    def objective(self, value):
        fields(value, "an objective", (), ("expected", "largest", "most", "estimate"))
        if "most" not in value and "estimate" not in value:
            self.loss(value)
            return
        require(len(value) == 1, "found several objectives, expected one")
        for key in FOUND:
            require(key not in self.json, f"'{key}' does not go with this objective, for which the outputs are found")
        for k, claim in enumerate(self.json["constraints"]):
            is_limit = any(level is not INFINITE for level in self.levels_in(claim["epsilon"]))
            require("for_all" not in claim or not is_limit, f"constraint {k}: with this objective limits are under one prior")
            adds_up = claim["notion"] == "bayes_leakage" or self.numbers.number(claim.get("delta", "0")) != 0
            require(not adds_up or not is_limit, f"constraint {k}: what adds up over outputs is no limit on each of them, which this objective needs")
        kind = value.get("estimate", value.get("most"))
        if "most" in value and isinstance(kind, dict):
            rows = within(("most", "largest_of"), array, fields(kind, "a utility", ("largest_of",))["largest_of"], "rows of numbers")
            require(rows, "expected a row at least", "most", "largest_of")
            for k, row in enumerate(rows):
                within(("most", "largest_of", k), self.row, row, self.domain.inputs, self.numbers.rational)
            return
        require(is_text(kind) and kind == ("frequencies" if "estimate" in value else "mutual_information"), "an objective that is not known")
        require(self.prior is not None, "this objective needs a prior")

    @staticmethod
    def row(value, count, read):
        require(len(array(value, "numbers")) == count, f"found {len(value)} numbers, expected {count}")
        every(value, read)

    def at_least_0(self, value):
        require(self.numbers.rational(value) >= 0, f"found {value[:60]}, expected a rational number that is not negative")

    def loss(self, value):
        require(("expected" in value) != ("largest" in value), "a loss is either the 'expected' one, or the 'largest' one of all inputs")
        key = "expected" if "expected" in value else "largest"
        require(key == "largest" or self.prior is not None, "an expected loss needs a prior")
        within(key, self.table, value[key])

    def table(self, value):
        if isinstance(value, list):
            require(len(value) == self.domain.inputs, f"found {len(value)} rows, expected one for each of the {self.domain.inputs} inputs")
            for k, row in enumerate(value):
                within(k, self.row, row, len(self.labels), self.at_least_0)
            return
        require(is_text(value) and value in LOSSES, "expected the name of a loss, or a table of losses")
        require(value != "hamming" or not self.is_listed, "'hamming' compares attributes: it goes with 'release'")
        if value in ("absolute", "squared"):
            require(self.is_listed or len(self.released) == 1, "a loss by distance is between the values of one attribute")
            names = range(len(self.domain.names)) if self.is_listed else [self.domain.places[self.released[0]]]
            inputs = joined_lists(list(itertools.product(*(self.domain.values[i] for i in names))), ",")
            every([*inputs, *self.labels], Numbers().number)

    def loss_limit(self, value):
        fields(value, "a limit on a loss", ("at_most",), ("expected", "largest"))
        self.loss(value)
        within("at_most", self.at_least_0, value["at_most"])

    def symmetry(self, value):
        fields(value, "a symmetry", ("values",), ("outputs",))
        for name, own in within("values", mapping, value["values"], "attributes, each with a list").items():
            i = within(("values", name), self.domain.coordinate, name)
            within(("values", name), self.permutation, own, list(self.domain.values[i]))
        require(("outputs" in value) == self.is_listed, "'outputs' say where outputs go that are no values, and only these")
        if self.is_listed:
            within("outputs", self.permutation, value["outputs"], self.labels)

    @staticmethod
    def permutation(value, names):
        every(array(value, "names"), text, "a name")
        require(sorted(value) == sorted(names), "not all of them, each once")

    def curve(self, value):
        fields(value, "a curve", ("constraints", "from", "to"))
        constraints = self.json["constraints"]
        require(not any("for_all" in claim for claim in constraints), "a curve does not go with constraints over sets of priors")
        numbers = within("constraints", every, within("constraints", array, value["constraints"], "numbers"), integer, "a number", 1, len(constraints))
        require(within("constraints", distinct, numbers, "a constraint"), "expected the number of a constraint at least", "constraints")
        for number in numbers:
            require(INFINITE not in self.levels_in(constraints[number - 1]["epsilon"]), "a constraint sets no limit somewhere", "constraints")
            require(constraints[number - 1]["notion"] != "bayes_leakage", "a constraint of another kind", "constraints")
        low, high = (within(key, self.numbers.level, value[key]) for key in ("from", "to"))
        require(all(isinstance(level, Fraction) for level in (low, high)), "expected the logarithm of a rational number")
        require(low < high <= MOST_ON_CURVE, "expected more than 'from', and log(10^12) at most", "to")


def check(path):
    """Raises Refused unless oddsbound reads this file as a request."""
    try:
        Request(path).read()
    except Refused:
        raise
    except (ArithmeticError, AssertionError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        raise Refused(f"{type(error).__name__}: {error}") from error
