"""Decides whether no prior of a set has a quotient above a bound at one output between two labels: by the closed forms
of the set, or with data of a certificate. Exact.

The forms of a prior are (n, m, k, l): P(output, from), the mass of `from`, P(output, to), the mass of `to`. Its
quotient n l / (m k) is at most L if and only if L m k - n l >= 0; for mixtures that is a quadratic form of the
weights.
"""
from fractions import Fraction
from itertools import combinations

from ..certificate import items
from ..notions import all_inputs, prior_rows
from ..report import Rejected, require
from .members import marginal, normalized


class Question:
    """One level of a claim: the comparison, the set, and the claimed exponential. labels: {label: numbers of inputs};
    elsewhere labels are called by their numbers. at_once: how many levels are claimed together."""

    def __init__(self, spec, stated, coordinate, labels_of, bound, at_once):
        self.spec, self.stated, self.coordinate = spec, stated, coordinate
        self.bound, self.at_once, self.kind, self.inputs = bound, at_once, stated.kind, all_inputs(spec)
        found: dict[object, list[int]] = {}
        for k, x in enumerate(self.inputs):
            for label in labels_of(x):
                found.setdefault(label, []).append(k)
        self.labels, self.groups = list(found), list(found.values())

    def column(self, label, y):
        return [self.spec.rows[x][y] for x in self.groups[label]]

    def masses(self, prior, label):
        return [prior[x] for x in self.groups[label]]

    def forms(self, prior, y, a, b):
        m, l = self.masses(prior, a), self.masses(prior, b)
        return dot(m, self.column(a, y)), total(m), dot(l, self.column(b, y)), total(l)

    def by_extremes(self, y, a, b):
        return max(self.column(a, y)) <= self.bound * min(self.column(b, y))


def total(numbers):
    return sum(numbers, Fraction(0))


def dot(a, b):
    return total(x * y for x, y in zip(a, b))


def short_of(bound, first, second):
    return bound * (first[1] * second[2]) - first[0] * second[3]


def mixed(bound, first, second):
    return short_of(bound, first, second) + short_of(bound, second, first)


def point_holds(bound, forms):
    return short_of(bound, forms, forms) >= 0


def squares_hold(bound, first, second):
    term = mixed(bound, first, second)
    return term * term <= short_of(bound, first, first) * short_of(bound, second, second) * 4


def line_holds(bound, begin, end):
    if not (point_holds(bound, begin) and point_holds(bound, end)):
        return False
    return mixed(bound, begin, end) >= 0 or squares_hold(bound, begin, end)


# Closed forms.

def of_all(q, y, a, b):
    return q.by_extremes(y, a, b)


def of_correlation(q, y, a, b):
    """TV(P, Q) <= s iff P = (1 - s) W + s A and Q = (1 - s) W + s B. The worst A and B are extremes; then the
    worst W is one record."""
    s = q.stated.at_most[q.spec.places[q.coordinate]]
    f, g = q.column(a, y), q.column(b, y)
    return all((1 - s) * p + s * max(f) <= q.bound * ((1 - s) * r + s * min(g)) for p, r in zip(f, g))


def of_contaminated(q, y, a, b):
    """Wrong mass is worst where the output is most likely given `from`, and least likely given `to`: a line."""
    share, prior = q.stated.number, q.spec.prior
    f, g = q.column(a, y), q.column(b, y)
    if q.stated.within_support:
        f = [p for p, mass in zip(f, q.masses(prior, a)) if mass != 0]
        g = [p for p, mass in zip(g, q.masses(prior, b)) if mass != 0]
        if not f or not g:
            return True
    n, m, k, l = ((1 - share) * form for form in q.forms(prior, y, a, b))
    return line_holds(q.bound, (n, m, k + share * min(g), l + share), (n + share * max(f), m + share, k, l))


def removals(masses, column, smallest_first):
    """The mass taken from a label, and the probability with it, after each of its cells."""
    points = [(Fraction(0), Fraction(0))]
    for entry, mass in sorted(zip(column, masses), key=lambda cell: cell[0], reverse=not smallest_first):
        if mass != 0:
            points.append((points[-1][0] + mass, points[-1][1] + mass * entry))
    return points


def along(points, mass):
    """Linear interpolation between the points."""
    for (m0, p0), (m1, p1) in zip(points, points[1:]):
        if m0 <= mass <= m1:
            return p0 + (p1 - p0) * (mass - m0) / (m1 - m0)
    require(mass == points[-1][0], "mass beyond what a label has")
    return points[-1][1]


def of_total_variation(q, y, a, b):
    """Mass s is added to `from` and x taken from it; r - s and r - x for `to`. All forms are linear in (s, x) between
    the masses at which a new cell is used; so the edges of these strips suffice."""
    r, prior = q.stated.number, q.spec.prior
    f, g = q.column(a, y), q.column(b, y)
    n, m, k, l = q.forms(prior, y, a, b)
    if r != 0 and m + l <= r:
        return q.by_extremes(y, a, b)
    low, high = removals(q.masses(prior, a), f, True), removals(q.masses(prior, b), g, False)
    first, last = max(Fraction(0), r - l), min(r, m)

    def at(s, x):
        return (n + s * max(f) - along(low, x), m + s - x, k + (r - s) * min(g) - along(high, r - x), l - s + x)
    cuts = sorted({first, last, *(x for x, _ in low if first < x < last), *(r - x for x, _ in high if first < r - x < last)})
    return all(line_holds(q.bound, at(Fraction(0), x), at(r, x)) for x in cuts) and all(
        line_holds(q.bound, at(s, x), at(s, z)) for s in (Fraction(0), r) for x, z in zip(cuts, cuts[1:]))


def of_weights(q, y, a, b):
    """Labels separately: the most likely inputs have their largest weight, all others their smallest, for some cut
    between them."""
    square, prior = q.stated.number ** 2, q.spec.prior

    def best(label, smallest_first):
        points = removals(q.masses(prior, label), q.column(label, y), smallest_first)
        mass, joint = points[-1]
        return [(joint + (square - 1) * p) / (mass + (square - 1) * m) for m, p in points] if mass != 0 else []
    most, least = best(a, False), best(b, True)
    return not most or not least or max(most) <= q.bound * min(least)


def of_intervals(q, y, a, b):
    """With masses s and t of the labels: all forms are linear between the masses at which a label's next cell is full,
    so the edges of the feasible region suffice. Where s or t is constant, they are linear along the edge: its ends
    suffice."""
    lower, upper = ([rows.get(x, others) for x in q.inputs] for rows, others in q.stated.bounds)

    def filled(label, smallest_first):
        low = q.masses(lower, label)
        room = [high - at for high, at in zip(q.masses(upper, label), low)]
        mass, joint = total(low), dot(low, q.column(label, y))
        return [(m + mass, p + joint) for m, p in removals(room, q.column(label, y), smallest_first)]
    most, least = filled(a, False), filled(b, True)
    others = [x for label, group in enumerate(q.groups) if label not in (a, b) for x in group]
    ends = [1 - total(cells[x] for x in others) for cells in (upper, lower)]

    def at(s, t):
        return along(most, s), s, along(least, t), t
    if not all(point_holds(q.bound, at(s, t)) for s, _ in most for t, _ in least if ends[0] <= s + t <= ends[1]):
        return False
    for end in ends:
        first, last = max(most[0][0], end - least[-1][0]), min(most[-1][0], end - least[0][0])
        if first > last:
            continue
        cuts = sorted({first, last, *(s for s, _ in most if first < s < last), *(end - t for t, _ in least if first < end - t < last)})
        points = [at(s, end - s) for s in cuts]
        if not all(line_holds(q.bound, begin, to) for begin, to in zip(points, points[1:] or points)):
            return False
    return True


FORMS = {"all": of_all, "product": of_correlation, "correlation": of_correlation, "contaminated": of_contaminated,
         "total_variation": of_total_variation, "weights": of_weights, "intervals": of_intervals}


# Lists and mixtures.

def mixed_priors(q):
    """The mixed priors, by number: weights by input."""
    if q.kind != "side_knowledge":
        return dict(enumerate(prior.dense() for prior in q.stated.priors))
    slices, learned = dict[int, list](), q.spec.own_domain.restricted(q.stated.about)
    for k, (x, mass) in enumerate(zip(q.inputs, q.spec.prior)):
        if mass != 0:
            slices.setdefault(learned.line([x[i] for i in q.stated.about]), [Fraction(0)] * len(q.inputs))[k] = mass
    return slices


def by_squares(q, priors, squares, y, a, b):
    forms = {j: q.forms(prior, y, a, b) for j, prior in priors.items()}
    if not all(point_holds(q.bound, form) for form in forms.values()):
        return False
    if q.kind == "any_of":
        require(not squares, "squares of priors that are not mixed")
        return True
    listed = set()
    for pair in squares:
        j, l = sorted(items(pair, "a pair of what is mixed", Fraction))
        require(j in forms and l in forms and j != l and (j, l) not in listed, f"no two of what is mixed, or two named twice: {j}, {l}")
        listed.add((j, l))
    return all(squares_hold(q.bound, forms[j], forms[l]) if (j, l) in listed else mixed(q.bound, forms[j], forms[l]) >= 0
               for j, l in combinations(sorted(forms), 2))


# Marginal tables.

class Tables:
    """The cells of given marginals that are not 0, in the order of the dual values, and the inputs that may have
    mass."""

    def __init__(self, q):
        self.q, self.masses, places = q, list[Fraction](), list[list]()
        for of, table in q.stated.tables:
            table = marginal(of, normalized(prior_rows(q.spec))) if table is None else table
            cells = [cell for cell in sorted(table) if table[cell] != 0]
            number = {cell: len(self.masses) + n for n, cell in enumerate(cells)}
            self.masses += [table[cell] for cell in cells]
            places.append([number.get(tuple(x[i] for i in of)) for x in q.inputs])
        self.cells = {x: own for x, own in enumerate(zip(*places)) if None not in own}

    def priced(self, prices):
        """The sum of the dual values of each input's cells, and the sum of all cells times their masses."""
        require(len(prices) == len(self.masses), f"{len(prices)} prices for {len(self.masses)} cells that are not 0")
        return {x: total(prices[k] for k in cells) for x, cells in self.cells.items()}, dot(prices, self.masses)

    def most(self, label, sign, prices):
        """Shows an upper bound of sign * the mass of a label."""
        of_input, of_all = self.priced(prices)
        own = set(self.q.groups[label])
        for x, price in of_input.items():
            require(price >= (sign if x in own else 0), "prices of a mass are too low at some input")
        return of_all

    def by_prices(self, prices, least_from, most_to, y, a, b):
        factor, rows = least_from / most_to, self.q.spec.rows
        of_input, of_all = self.priced(prices)
        if of_all > 0:
            raise Rejected("what the tables cost is above 0")
        froms, tos = set(self.q.groups[a]), set(self.q.groups[b])
        return all(price >= rows[x][y] if x in froms else self.q.bound * (factor * rows[x][y]) + price >= 0 if x in tos else price >= 0
                   for x, price in of_input.items())
