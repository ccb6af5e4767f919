"""The certificate of a designed mechanism, or of infeasibility: whether it proves its statement, from the request
alone."""
import copy
import itertools
from fractions import Fraction

from design_limits import Rejected, require
from oddsbound_check.exact import compare
from oddsbound_check.expression import number as parse_number

MOST_MEANINGS = 1 << 14


def is_below(a, b):
    return compare(a, b) < 0


class Proof:
    """Sums of the gains of every entry of the mechanism."""

    def __init__(self, request, certificate):
        self.request, self.certificate = request, certificate
        self.is_conflict = "exceeded_by" in certificate
        require(self.is_conflict != ("at_least" in certificate), "either a loss or a conflict is proved")
        self.gains = {entry: Fraction(0) for orbit in request.orbits for entry in orbit}
        self.paid = Fraction(0)  # what the dual values do not count

    def check(self):
        """Raises Rejected unless it proves its bound."""
        told = parse_number(self.certificate["exceeded_by" if self.is_conflict else "at_least"])
        if not self.is_conflict:
            self.add_objective()
        else:
            require(told > 0, "nothing is exceeded")
        self.add_ceilings()
        prices = {self.request.row_named(one): parse_number(one["price"]) for one in self.certificate["prices"]}
        require(set(prices) == set(self.request.rows) and len(self.certificate["prices"]) == len(prices), "rows")
        meanings = [self.meanings(one) for one in self.certificate["multipliers"]]
        self.add_excess(self.multipliers(meanings, prices))
        for orbit in self.request.orbits:
            missing = self.missing(orbit, prices)
            require(missing is None or not missing > 0, f"the price of {', '.join(orbit[0][0])} is above what it gains")
        require(sum(prices.values()) - self.paid == told, "the prices do not add up")

    def missing(self, orbit, prices):
        return sum((prices[row] - self.gains[row, y] for row, y in orbit), Fraction(0))

    def charge(self, k, of_input, weight):
        for y, loss in enumerate(of_input):
            self.gains[self.request.row_of(self.request.inputs[k]), y] += weight * loss

    def add_objective(self):
        objective, inputs = self.request.objective, self.request.inputs
        weights = [parse_number(w) for w in self.certificate["weights"]] if objective.largest else self.request.prior
        require(len(weights) == len(inputs) and not any(is_below(w, 0) for w in weights) and sum(weights) <= 1, "weights")
        for k, (of_input, weight) in enumerate(zip(objective.table, weights)):
            self.charge(k, of_input, weight)

    def add_ceilings(self):
        """Constraints on a largest loss are one per input of a row, in the order of inputs."""
        seen, total = {}, Fraction(0)
        for one in self.certificate.get("losses", []):
            times, number = parse_number(one["times"]), int(one["loss"])
            require(not is_below(times, 0), "a negative multiplier of a loss")
            require(0 <= number < len(self.request.ceilings), "no such loss")
            loss, at_most = self.request.ceilings[number]
            total, self.paid = total + times, self.paid + times * at_most
            if not loss.largest:
                for k, of_input in enumerate(loss.table):
                    self.charge(k, of_input, times * self.request.prior[k])
                continue
            row = self.request.row_named(one)
            inputs = [k for k, x in enumerate(self.request.inputs) if self.request.row_of(x) == row]
            place = seen.setdefault((number, row), 0)
            require(place < len(inputs), "more largest losses than inputs")
            seen[number, row] += 1
            self.charge(inputs[place], loss.table[inputs[place]], times)
        require(not self.is_conflict or total <= 1, "multipliers of losses add up to more than 1")

    def meanings(self, one):
        """All (pair, bound) that a multiplier may belong to: names do not include what is known."""
        number, times = int(one["limit"]), parse_number(one["times"])
        require(0 <= number < len(self.certificate["limits"]), "no such limit")
        limit = self.certificate["limits"][number]
        require(not is_below(times, 0), "a negative multiplier")
        output = self.request.output_named(one["output"])
        require(output is not None, "no such output, or several")
        pairs, bound = self.request.candidates(limit, (one["from"], one["to"])), parse_number(limit["bound"])
        require(pairs, "sides that are not compared")
        pairs = [pair for pair in pairs if compare(bound, pair.epsilon) >= 0]
        require(pairs, "a bound below e^level")
        return [(number, pair, bound, output, times) for pair in pairs]

    def count(self, multiplier, sign):
        _, pair, bound, y, times = multiplier
        for side, factor in ((pair.from_, sign * times), (pair.to, -sign * times * bound)):
            for k, weight in side.items():
                self.gains[self.request.row_of(self.request.inputs[k]), y] += factor * weight

    def multipliers(self, meanings, prices):
        """Adds each multiplier; if there are several meanings, with some under which no entry of its output gains too
        little."""
        chosen = [of[0] for of in meanings if len(of) == 1]
        for multiplier in chosen:
            self.count(multiplier, 1)
        open_ = [of for of in meanings if len(of) > 1]
        require(not open_ or all(len(orbit) == 1 for orbit in self.request.orbits), "sides are not told apart")
        for y in sorted({of[0][3] for of in open_}):
            of_output = [of for of in open_ if of[0][3] == y]
            for tried, choice in enumerate(itertools.product(*of_output)):
                require(tried < MOST_MEANINGS, "sides are not told apart")
                for multiplier in choice:
                    self.count(multiplier, 1)
                if not any(self.missing([(row, y)], prices) > 0 for row in self.request.rows):
                    chosen += choice
                    break
                for multiplier in choice:
                    self.count(multiplier, -1)
            else:
                require(False, "the price of a row is above what it gains, whatever is known")
        return chosen

    def add_excess(self, multipliers):
        """Delta, as often as the largest multiplier of a pair; for guesses, the largest sum at an output."""
        excess, sums = {}, {}
        for number, pair, bound, y, times in multipliers:
            if pair.together:
                sums[number, y] = sums.get((number, y), 0) + times
                of, times = (number, bound * pair.delta), sums[number, y]
            else:
                at = number, pair.names, pair.key, y
                sums[at] = sums.get(at, 0) + times
                of, times = (number, pair.names, pair.key, pair.delta), sums[at]
            excess[of] = max(excess.get(of, Fraction(0)), times)
        self.paid += sum((of[-1] * times for of, times in excess.items()), Fraction(0))


def check(request, certificate):
    Proof(request, certificate).check()


def moved(holder, key, by):
    holder[key] = str(parse_number(holder[key]) + by)


def tamperings(request, certificate, rng):
    """(change, a certificate that proves nothing any more)."""
    little, bound_key = Fraction(1, 1000), "exceeded_by" if "exceeded_by" in certificate else "at_least"

    def fresh():
        return copy.deepcopy(certificate)
    more = fresh()
    moved(more, bound_key, little)
    yield "a larger bound", copy.deepcopy(more)
    moved(rng.choice(more["prices"]), "price", little)
    yield "a larger price", more
    if "weights" in certificate:
        more = fresh()
        more["weights"][rng.randrange(len(more["weights"]))] = "-1"
        yield "a negative weight", more
        more = fresh()
        moved(more["weights"], rng.randrange(len(more["weights"])), 1 + little)
        yield "a weight above 1", more
    for k, one in enumerate(certificate.get("losses", [])):
        more = fresh()
        more["losses"][k]["times"] = "-1"
        yield "a loss counted negatively", more
        if bound_key == "exceeded_by" or request.ceilings[int(one["loss"])][1] > 0:
            more = fresh()
            moved(more["losses"][k], "times", 2)
            yield "a loss counted more often", more
    if certificate["multipliers"]:
        yield from tampered_multipliers(request, certificate, rng)


def tampered_multipliers(request, certificate, rng):
    k = rng.randrange(len(certificate["multipliers"]))
    one = certificate["multipliers"][k]
    limit = int(one["limit"])

    def fresh():
        more = copy.deepcopy(certificate)
        return more, more["multipliers"][k], more["limits"][limit]
    more, changed, _ = fresh()
    changed["times"] = "-1"
    yield "a negative multiplier", more
    pairs, bound = request.candidates(certificate["limits"][limit], (one["from"], one["to"])), parse_number(certificate["limits"][limit]["bound"])
    if bound > 1 or pairs[0].delta > 0:
        more, changed, _ = fresh()
        changed["times"] = str(parse_number(changed["times"]) + 10**9)
        yield "a large multiplier", more
    more, _, changed = fresh()
    changed["bound"] = "1/2"
    yield "a bound below 1", more
    if all(compare(pair.epsilon, Fraction(1)) > 0 for pair in pairs):
        more, _, changed = fresh()
        changed["bound"] = str(min(pair.epsilon for pair in pairs) - Fraction(1, 10**20))
        yield "a bound below e^level", more
    for key, value in (("constraint", str(len(request.constraints))), ("about", "nothing")):
        more, _, changed = fresh()
        changed[key] = value
        yield f"another {key}", more
    for key, value in (("limit", str(len(certificate["limits"]))), ("output", "nothing"), ("from", "nothing"), ("to", "nothing")):
        more, changed, _ = fresh()
        changed[key] = value
        yield f"another {key}", more
    if "prior" in certificate["limits"][limit]:
        more, _, changed = fresh()
        rng.choice(changed["prior"])["mass"] = "-1"
        yield "a prior with a negative mass", more
        more, _, changed = fresh()
        changed["prior"] = [{"input": one["input"], "mass": "0"} for one in changed["prior"]]
        yield "a prior without mass", more
        more, _, changed = fresh()
        del changed["prior"]
        yield "no prior", more
        for _ in range(5):
            more, _, changed = fresh()
            changed["prior"] = [{"input": list(x), "mass": str(rng.choice((0, 1, 1, 9)))} for x in request.inputs]
            if not request.has_member(changed):
                yield "a prior outside of the set", more


def accepted_tamperings(request, certificate, rng):
    accepted = []
    for what, more in tamperings(request, certificate, rng):
        try:
            check(request, more)
            accepted.append(f"accepted: {what}")
        except Rejected:
            pass
    return accepted
