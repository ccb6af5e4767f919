"""Decides whether no rows of a network's tables have a quotient above a bound, with data of a certificate
(docs/certificates.md, "Networks of intervals"). Exact."""
from fractions import Fraction
from math import prod

from ..certificate import exact_number, exact_numbers, fields, items, whole
from ..domain import line
from ..report import require
from ..surds import Surd

MOST_POINTS = 200


def filled(row, values):
    """The maximum expectation of values under a distribution in the intervals."""
    lower, upper = row
    left, most = 1 - sum(lower), Fraction(0)
    for k in sorted(range(len(values)), key=lambda k: values[k], reverse=True):
        added = min(left, upper[k] - lower[k])
        most, left = most + (lower[k] + added) * values[k], left - added
    require(left == 0, "a row that is no distribution")
    return most


def is_possible(row):
    lower, upper = row
    return all(0 <= a <= b for a, b in zip(lower, upper)) and sum(lower) <= 1 <= sum(upper)


def extreme_points(row):
    """All entries but one, which has the rest, are at an end. Ends that leave too little or too much are dropped."""
    lower, upper = row

    def extended(free, point, spent):
        k, left = len(point), 1 - spent
        ahead = [place for place in range(k, len(lower)) if place != free] + [free]
        if not sum(lower[place] for place in ahead) <= left <= sum(upper[place] for place in ahead):
            return
        if k == len(lower):
            yield (*point[:free], left, *point[free + 1:])
        elif k == free:
            yield from extended(free, (*point, None), spent)
        else:
            for end in [lower[k]] + [upper[k]] * (lower[k] != upper[k]):
                yield from extended(free, (*point, end), spent + end)
    for free in range(len(lower)):
        yield from extended(free, (), Fraction(0))


class ByRows:
    def __init__(self, question, _masses):
        self.q, self.sizes = question, question.spec.sizes
        self.places = {x: k for k, x in enumerate(question.inputs)}
        self.label_of: list = [None] * len(self.places)
        for label, group in enumerate(question.groups):
            for x in group:
                self.label_of[x] = label
        self.parents, self.first, self.all = dict[int, list[int]](), dict[int, int](), list[tuple]()
        for i, parents, rows in question.stated.nodes:
            self.parents[i], self.first[i] = parents, len(self.all)
            self.all += rows
        require(all(map(is_possible, self.all)), "a row that is no distribution")
        self.moving = self.ancestors([i for i in range(len(self.sizes)) if self.is_asked(i)])

    def is_asked(self, i):
        """True if labels depend on a coordinate."""
        return any(self.label_of[k] != self.label_of[self.places[x[:i] + (0,) + x[i + 1:]]] for x, k in self.places.items())

    def ancestors(self, coordinates):
        found, left = set(), list(coordinates)
        while left:
            i = left.pop()
            if i not in found:
                found.add(i)
                left += self.parents[i]
        return found

    def row(self, i, x):
        return self.first[i] + line([self.sizes[p] for p in self.parents[i]], [x[p] for p in self.parents[i]])

    def most(self, order, box, leaves, x=()):
        """An upper bound of a sum over inputs: for every assignment of the first few coordinates, the best row
        separately."""
        if len(x) == len(order):
            by_coordinate = [0] * len(order)
            for i, v in zip(order, x):
                by_coordinate[i] = v
            return leaves[self.places[tuple(by_coordinate)]]
        i, known = order[len(x)], dict(zip(order, x))
        return filled(box[self.row(i, known)], [self.most(order, box, leaves, x + (v,)) for v in range(self.sizes[i])])

    def never_above(self, order, box, leaves_of):
        return self.most(order, box, [leaves_of(label, x) for x, label in enumerate(self.label_of)]) <= 0

    def cuts_hold(self, cuts, ask, box):
        """Checks that no mean lies between the two sides: (1 - s) P(from) (A - q) <= s P(to) (B - q)."""
        means, shares = (exact_numbers(cuts[what], what) for what in ("means", "shares"))
        require(means and len(shares) == len(means) - 1, "a share between each two means")
        require(means[0] >= 0 and all(q <= r for q, r in zip(means, means[1:])), "means that do not rise")
        require(all(0 <= s <= 1 for s in shares), "a share is from 0 to 1")
        bound, order, y, a, b = ask
        column = [row[y] for row in self.q.spec.rows]

        def holds(q, s):
            return self.never_above(order, box, lambda label, x: (1 - s) * (column[x] - q) if label == a
                                    else s * (q - bound * column[x]) if label == b else Fraction(0))
        return holds(means[0], Fraction(1)) and holds(means[-1], Fraction(0)) and all(
            holds(q, s) and holds(r, s) for q, r, s in zip(means, means[1:], shares))

    def proof_holds(self, proof, ask, box):
        require(isinstance(proof, dict), "a proof")
        if "means" in proof:
            fields(proof, "a proof", "means", "shares")
            return self.cuts_hold(proof, ask, box)
        parts = items(proof.get("parts"), "parts", dict)
        i = whole(proof.get("coordinate"), len(self.sizes), "coordinate")
        place = self.first[i] + whole(proof.get("row"), prod(self.sizes[p] for p in self.parents[i]), "row")
        if "points" in proof:
            fields(proof, "a proof", "coordinate", "row", "points", "parts")
            require(i not in self.moving, "points of a row that what labels weigh depends on")
            points = [tuple(exact_numbers(point, "a point")) for point in items(proof["points"], "points", list)]
            require(len(parts) == len(points) <= MOST_POINTS, "a part for each point")
            require(all(any(point == other for other in points) for point in extreme_points(box[place])), "points that are missing")
            rows = [(point, point) for point in points]
        else:
            fields(proof, "a proof", "coordinate", "row", "value", "at", "parts")
            value, at = whole(proof["value"], self.sizes[i], "value"), exact_number(proof["at"], "where a row is split")
            require(len(parts) == 2, "two parts of what is split")
            lower, upper = box[place]
            rows = [(lower, upper[:value] + (min(at, upper[value]),) + upper[value + 1:]), (lower[:value] + (max(at, lower[value]),) + lower[value + 1:], upper)]
        return all(not is_possible(row) or self.proof_holds(part, ask, box[:place] + [row] + box[place + 1:]) for row, part in zip(rows, parts))

    def holds(self, entry, y, a, b):
        require(entry is not None, "a proof is missing")
        bound, order, proof = fields(fields(entry, "a proof", "rows")[0], "rows", "bound", "order", "proof")
        bound, order = exact_number(bound, "a bound"), [whole(i, len(self.sizes), "coordinate") for i in items(order, "an order", Fraction)]
        require(0 <= bound and not Surd.of(self.q.bound) < Surd.of(bound), "a bound above that which is claimed")
        require(sorted(order) == list(range(len(self.sizes))), "an order of all coordinates")
        require(all(order.index(parent) < order.index(i) for i in order for parent in self.parents[i]), "a coordinate before its parents")
        return self.proof_holds(proof, (bound, order, y, a, b), self.all)
