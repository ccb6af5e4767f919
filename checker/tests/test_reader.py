"""The reader of specs: small values computed by hand, and refusals with their places."""
import json
import os
import tempfile
import unittest
from fractions import Fraction

from oddsbound_check.exact import INFINITE, Exact
from oddsbound_check.mechanism import Tuple, flat, readings
from oddsbound_check.reading import Refused, csv_rows
from oddsbound_check.spec import read_spec

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
COIN = {"type": "matrix", "outputs": ["h", "t"], "rows": [["3/4", "1/4"], ["1/4", "3/4"]]}
TWO = [{"name": "a", "values": ["x", "y"]}, {"name": "b", "values": ["u", "v"]}]


class ReaderTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def read(self, values=None, **parts):
        spec = {"oddsbound": 1, "name": "s", "domain": [{"name": "a", "values": ["x", "y"]}], "mechanism": COIN, **parts}
        return read_spec(self.write("spec.json", spec), values)

    def refused(self, why, **parts):
        with self.assertRaises(Refused) as caught:
            self.read(**parts)
        self.assertIn(why, str(caught.exception))


class Json(ReaderTest):
    def test_ambiguous_files_are_refused(self):
        for content in ('{"oddsbound": 1, "oddsbound": 1}', "{", "[NaN]", '{"a": 1e999}', "[" * 5000, '"\\ud800"', "\ufeff\ufeff{}"):
            with self.assertRaises(Refused):
                read_spec(self.write("bad.json", content))

    def test_refusals_name_their_place(self):
        self.refused("/mechanism/rows/0: the sum is 1/2, not 1", mechanism={**COIN, "rows": [["1/4", "1/4"], ["1/4", "3/4"]]})
        self.refused("/claims/0/epsilon", claims=[{"notion": "ldp", "epsilon": "log(1/2)"}])
        self.refused("unknown key 'prio'", prio={})
        self.refused("/parameters/p: parameters refer to one another in a cycle", parameters={"p": "q", "q": "p"})

    def test_csv(self):
        self.assertEqual(list(csv_rows('a,"b,""c"\r\n\n1,2')), [(1, ["a", 'b,"c']), (3, ["1", "2"])])
        self.assertEqual(list(csv_rows('a,b;"c;d"\n1;', ";")), [(1, ["a,b", "c;d"]), (2, ["1", ""])])
        self.assertEqual(list(csv_rows('a;b\t"c\td"', "\t")), [(1, ["a;b", "c\td"])])
        for content in ('"open', '"a"b', "a\rb"):
            with self.assertRaises(Refused):
                list(csv_rows(content))

    def test_what_separates_the_cells_of_a_matrix(self):
        def rows_of(text):
            path = self.write("rows.csv", text)
            return self.read(mechanism={"type": "matrix", "outputs": 2, "file": os.path.basename(path)}).rows
        expected = rows_of("1/4,3/4\n1/2,1/2\n")
        for separator in ";\t":
            self.assertEqual(rows_of(f'1/4{separator}"3/4"\n1/2{separator}1/2\n'), expected)
        for wrong in ("1/4;3/4;0\n1/2;1/2;0\n", "1/4;3/4\n1/2,1/2\n"):
            with self.assertRaises(Refused):
                rows_of(wrong)


class Mechanisms(ReaderTest):
    def rows(self, mechanism, **parts):
        return self.read(mechanism=mechanism, **parts).rows

    def test_randomized_response(self):
        spec = self.read(mechanism={"type": "k_randomized_response", "epsilon": "log(3)"})
        self.assertEqual(spec.rows, [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]])
        self.assertEqual(spec.outputs, ["x", "y"])

    def test_levels_that_are_no_logarithms(self):
        (p, _), _ = self.rows({"type": "k_randomized_response", "epsilon": "1"})
        self.assertEqual(p, Exact.exp(1) / (Exact.exp(1) + 1))

    def test_families(self):
        for mechanism, row in (({"type": "truncated_geometric", "epsilon": "log(2)"}, [Fraction(2, 3), THIRD]),
                               ({"type": "hadamard_response", "epsilon": "log(3)"}, [Fraction(3, 8), Fraction(1, 8)] * 2),
                               ({"type": "rappor", "f": "1/2", "p": "1/4", "q": "3/4"}, [Fraction(15, 64), Fraction(9, 64), Fraction(25, 64), Fraction(15, 64)]),
                               ({"type": "optimal_binary", "epsilon_12": "inf", "epsilon_21": "log(2)"}, [HALF, HALF])):
            self.assertEqual(self.rows(mechanism)[0], row, mechanism["type"])

    def test_products_are_not_enumerated(self):
        spec = self.read(domain=TWO, mechanism={"type": "repeat", "times": 1000, "mechanism": {"type": "per_coordinate", "mechanisms": {"*": COIN}}})
        self.assertEqual((spec.input_count, spec.output_count, len(spec.parts)), (4, 2 ** 2000, 2000))
        self.assertEqual(spec.parts[3].places, (1,))
        self.assertTrue(spec.parts[1].is_like(spec.parts[3]))

    def test_labels_and_rows_of_products(self):
        spec = self.read(domain=TWO, mechanism={"type": "compose", "mechanisms": [{"type": "on", "coordinates": ["b"], "mechanism": COIN}, {"type": "cases", "outputs": 2, "cases": [
            {"when": {"a": "x"}, "then": {"0": "1"}}, {"when": {}, "then": {"1": "1"}}]}]})
        self.assertEqual(spec.outputs, ["(h,0)", "(h,1)", "(t,0)", "(t,1)"])
        self.assertEqual(spec.rows[1], [Fraction(1, 4), 0, Fraction(3, 4), 0])  # (x, v)
        self.assertIsInstance(spec.channel.tree, Tuple)
        self.assertEqual(readings(spec.channel.tree, "(t,1)"), [((1, 1), "")])
        self.assertEqual([part.places for part in flat(spec.channel.tree)], [(1,), (0, 1)])

    def test_memoized_counts_reports(self):
        spec = self.read(mechanism={"type": "memoized", "times": 2, "permanent": {"type": "matrix", "outputs": 2, "rows": [["1", "0"], ["0", "1"]]},
                                    "report": {"type": "matrix", "outputs": ["h", "t"], "rows": [["1/3", "2/3"], ["1", "0"]]}})
        self.assertEqual(spec.outputs, ["{h:2,t:0}", "{h:1,t:1}", "{h:0,t:2}"])
        self.assertEqual(spec.rows, [[Fraction(1, 9), Fraction(4, 9), Fraction(4, 9)], [1, 0, 0]])

    def test_equal_labels_are_merged(self):
        mixture = {"type": "mixture", "weights": ["1/2", "1/2"], "mechanisms": [COIN, {**COIN, "outputs": ["t", "h"]}]}
        self.assertEqual(self.rows(mixture), [[HALF, HALF], [HALF, HALF]])
        self.assertEqual(self.rows({"type": "post_process", "mechanism": COIN, "map": {"h": "z", "t": "z"}}), [[1], [1]])
        self.refused("the output 't' is not mapped", mechanism={"type": "post_process", "mechanism": COIN, "map": {"h": "z"}})

    def test_files(self):
        self.write("other.json", {"oddsbound": 1, "name": "o", "domain": [{"name": "z", "values": ["x", "y"]}], "mechanism": COIN})
        spec = self.read(mechanism={"type": "file", "file": "other.json"})
        self.assertEqual(spec.rows[0], [Fraction(3, 4), Fraction(1, 4)])
        self.assertEqual([os.path.basename(path) for path in spec.opened], ["other.json"])
        self.refused("in a cycle", mechanism={"type": "file", "file": "spec.json"})

    def test_releases(self):
        self.write("r.json", {"oddsbound_release": 1, "name": "r", "attributes": [{"name": "a", "values": ["x", "y"]}],
                              "steps": [{"type": "counts", "where": [{"is": {"a": "y"}}], "noise": {"laplace": "1"}}]})
        spec = self.read(domain=[{"name": "1.a", "values": ["x", "y"]}], mechanism={"type": "release", "file": "r.json", "records": 1, "window": 0})
        a = Exact.exp(-1)
        self.assertEqual(spec.outputs, ["0", "1"])
        self.assertEqual(spec.rows[0], [1 / (1 + a), a / (1 + a)])
        spec = self.read(domain=[{"name": "1.a", "values": ["x", "y"]}], mechanism={"type": "release", "file": "r.json", "records": 1})
        self.assertEqual(len(spec.outputs), 82)  # -40 to 41: 40 scales beyond 0 and all people


class Priors(ReaderTest):
    def test_kinds(self):
        for prior, expected in (({"type": "uniform"}, [1, 1, 1, 1]), ({"type": "counts", "counts": [2, 0, 1, 1]}, [2, 0, 1, 1]),
                                ({"type": "diagonal", "marginal": ["1/4", "3/4"]}, [1, 0, 0, 3]),
                                ({"type": "product", "marginals": {"a": ["1/2", "1/2"], "b": ["1/4", "3/4"]}}, [1, 3, 1, 3]),
                                ({"type": "network", "nodes": [{"coordinate": "b", "parents": ["a"], "table": [["1", "0"], ["1/2", "1/2"]]},
                                                               {"coordinate": "a", "table": [["1/2", "1/2"]]}]}, [2, 0, 1, 1])):
            spec = self.read(domain=TWO, mechanism={"type": "on", "coordinates": ["a"], "mechanism": COIN}, prior=prior)
            self.assertEqual(spec.prior, [Fraction(weight, sum(expected)) for weight in expected], prior["type"])

    def test_table(self):
        self.write("t.csv", "a,n\n10,3\nz,1\n2,4\n,5\n")
        prior = {"type": "csv", "file": "t.csv", "count": "n", "missing": "drop"}
        spec = self.read(domain=[{"name": "a", "values": "from prior"}], prior=prior, mechanism={"type": "k_randomized_response", "epsilon": "0"})
        self.assertEqual(list(spec.domain[0][1]), ["2", "10", "z"])
        self.assertEqual(spec.own_prior.rows(), {(0,): 4, (1,): 3, (2,): 1})
        self.write("s.csv", "a;n\n1,5;3\n2;4\n")
        released = {"type": "k_randomized_response", "epsilon": "0"}
        semicolons = {"type": "csv", "file": "s.csv", "count": "n", "separator": ";"}
        spec = self.read(domain=[{"name": "a", "values": "from prior"}], prior=semicolons, mechanism=released)
        self.assertEqual(list(spec.domain[0][1]), ["2", "1,5"])
        for separator in ("|", "", 7):
            self.refused("/prior/separator", domain=[{"name": "a", "values": "from prior"}], prior={**semicolons, "separator": separator}, mechanism=released)
        self.refused("have a missing cell", domain=[{"name": "a", "values": "from prior"}], prior={"type": "csv", "file": "t.csv"},
                     mechanism={"type": "k_randomized_response", "epsilon": "0"})

    def test_claims_that_need_a_prior(self):
        self.refused("needs a prior", claims=[{"notion": "bcdp", "epsilon": "1"}])
        self.refused("refers to the spec's prior", claims=[{"notion": "bcdp", "epsilon": "1", "for_all": {"type": "weights", "factor": 2}}])

    def test_sets(self):
        spec = self.read(prior_sets={"any": {"type": "all"}}, claims=[{"notion": "bcdp", "epsilon": "inf", "for_all": "any"}])
        self.assertEqual(spec.claims[0].for_all.kind, "all")
        self.assertIs(spec.reader.numbers.level("inf"), INFINITE)
        self.refused("no prior meets the lower bounds", claims=[{"notion": "bcdp", "epsilon": "1", "for_all": {"type": "intervals", "lower": ["2/3", "2/3"], "upper": ["1", "1"]}}])
        table = {"of": ["a"], "prior": {"type": "counts", "counts": [1, 2]}}
        self.refused("it contradicts another table", prior_sets={"t": {"type": "marginals", "tables": [table, {**table, "prior": {"type": "uniform"}}]}})


class Symbols(ReaderTest):
    COIN = {"type": "matrix", "outputs": 2, "rows": [["p", "1-p"], ["1-p", "p"]]}

    def test_functions(self):
        spec = self.read(symbols={"p": {"ge": "1/2", "le": "1"}}, mechanism=self.COIN)
        p, q = spec.rows[0]
        self.assertTrue((p - q).is_never_negative() and not (p - q).is_positive() and (p - q + Exact.exp(-1)).is_positive())
        self.assertFalse((q - Fraction(1, 4)).is_never_negative())
        self.assertEqual(spec.free, ["p"])

    def test_values(self):
        spec = self.read({"p": "3/4"}, symbols={"p": {"ge": "1/2", "le": "1"}}, mechanism=self.COIN)
        self.assertEqual(spec.rows[0], [Fraction(3, 4), Fraction(1, 4)])
        self.assertEqual((spec.free, spec.fixed), ([], {"p": "3/4"}))

    def test_conditions_hold_for_all_values(self):
        self.refused("is negative", symbols={"p": {"ge": "0", "le": "2"}}, mechanism=self.COIN)
        self.refused("division by a number", symbols={"p": {"ge": "0", "le": "1"}}, mechanism={**self.COIN, "rows": [["p/p", "0"], ["0", "1"]]})


class Functions(ReaderTest):
    def rows(self, mechanism):
        spec = self.read(mechanism=mechanism)
        return [dict(zip(spec.outputs, row)) for row in spec.rows]

    def of_three(self, function):
        bit = {"type": "matrix", "outputs": ["0", "1"], "rows": [["3/4", "1/4"], ["1/4", "3/4"]]}
        return self.rows({"type": "function", "mechanism": {"type": "repeat", "mechanism": bit, "times": 3}, "function": function})[0]

    def test_functions_of_three_bits(self):
        def of(*numbers):
            return {str(k): Fraction(n, 64) for k, n in enumerate(numbers)}
        self.assertEqual(self.of_three("sum"), of(27, 27, 9, 1))
        self.assertEqual(self.of_three({"count": "0"}), of(1, 9, 27, 27))
        self.assertEqual(self.of_three("max"), of(27, 37))
        self.assertEqual(self.of_three("min"), of(63, 1))
        self.assertEqual(self.of_three("argmax"), of(43, 12, 9))
        self.assertEqual(self.of_three({"at_least": "2", "of": "sum"}), {"false": Fraction(54, 64), "true": Fraction(10, 64)})
        self.assertEqual(self.of_three({"one_of": ["0", "3"], "of": "sum"}), {"false": Fraction(36, 64), "true": Fraction(28, 64)})
        self.assertEqual(self.of_three({"one_of": ["(0,0,1)"]}), {"false": Fraction(55, 64), "true": Fraction(9, 64)})

    def test_labels_that_are_no_numbers(self):
        for label in ("a", "", "1.", "1/0", "+1", "1e3", "1/2/3", "0.25/2", "1234567890123456", "\u0663"):
            mechanism = {"type": "matrix", "outputs": ["0", label], "rows": [["1", "0"], ["0", "1"]]}
            self.refused("the output", mechanism={"type": "function", "mechanism": mechanism, "function": "sum"})

    def test_a_cascade_matches_inputs_by_label(self):
        second = {"type": "matrix", "outputs": ["u", "v"], "rows": [["1/2", "1/2"], ["1", "0"], ["0", "1"]]}
        cascade = {"type": "cascade", "first": COIN, "second": second, "inputs": ["t", "never", "h"]}
        self.assertEqual(self.rows(cascade), [{"u": Fraction(1, 8), "v": Fraction(7, 8)}, {"u": Fraction(3, 8), "v": Fraction(5, 8)}])
        self.refused("'h' of the first mechanism is no input of the second", mechanism={**cascade, "inputs": ["t", "never", "g"]})

    def test_the_outputs_of_a_cascade_are_those_of_the_second_mechanism(self):
        def report(answer, labels):
            return {"type": "on", "coordinates": [answer], "mechanism": {"type": "matrix", "outputs": labels, "rows": [["1", "0"], ["0", "1"]]}}

        def compose(*mechanisms):
            return {"type": "compose", "mechanisms": list(mechanisms)}
        first, second = report("answer1", ["p", "q"]), report("answer2", ["u", "v"])
        # Two coins for one input: heads with 1/4 in the first and 3/4 in the second.
        coins = compose({"type": "matrix", "outputs": ["h", "t"], "rows": [["1/4", "3/4"]] * 2}, {"type": "matrix", "outputs": ["h", "t"], "rows": [["3/4", "1/4"]] * 2})
        for own, expected in ((compose(second, first), {"(u,p)": 3, "(u,q)": 9, "(v,p)": 1, "(v,q)": 3}),
                              (compose(first, second), {"(p,u)": 3, "(p,v)": 1, "(q,u)": 9, "(q,v)": 3}),
                              (compose(compose(second, first)), {"((u,p))": 3, "((u,q))": 9, "((v,p))": 1, "((v,q))": 3})):
            found = self.rows({"type": "cascade", "first": coins, "second": own})[0]
            self.assertEqual(found, {label: Fraction(n, 16) for label, n in expected.items()})
            self.assertEqual(list(found), list(expected))

    def test_a_public_seed_is_read_as_the_first_coordinate(self):
        cases = {"type": "cases", "outputs": ["u", "v"], "cases": [{"when": {"seed": "1", "a": "y"}, "then": {"u": "1"}},
                                                                   {"when": {}, "then": {"u": "1/2", "v": "1/2"}}]}
        quarter = Fraction(1, 4)
        self.assertEqual(self.rows({"type": "public", "seeds": 2, "mechanism": cases}),
                         [{"(0,u)": quarter, "(0,v)": quarter, "(1,u)": quarter, "(1,v)": quarter}, {"(0,u)": quarter, "(0,v)": quarter, "(1,u)": HALF, "(1,v)": 0}])
        self.refused("name 'seed'", domain=[{"name": "seed", "size": 2}], mechanism={"type": "public", "seeds": 2, "mechanism": COIN})

    def test_steps_leave_out_the_most_protected_coordinates(self):
        pair = [{"name": "a", "values": ["x", "y", "z"]}, {"name": "b", "values": ["u", "v"]}]
        steps = {"type": "bcdp_steps", "delta": {"a": "log(9)", "b": "log(4)"}, "epsilon": "log(9)", "q": "1/10", "zeta": "1/2",
                 "mechanism": {"type": "k_randomized_response"}}
        # c is log(4/(1 + 8/10)) for b and log(9) for a: levels log(20/9) on (b, a) and log(81/20) on a.
        parts = [{"type": "on", "coordinates": names, "mechanism": {"type": "k_randomized_response", "epsilon": level}}
                 for names, level in ((["b", "a"], "log(20/9)"), (["a"], "log(81/20)"))]
        found, by_hand = (self.read(domain=pair, mechanism=own).channel for own in (steps, {"type": "compose", "mechanisms": parts}))
        self.assertEqual((found.labels, found.rows), (by_hand.labels, by_hand.rows))
        self.assertEqual(self.read(domain=pair, mechanism={**steps, "delta": "0"}).channel.rows, [[1]] * 6)
        for change, what in (({"zeta": "best"}, "expected a number"), ({"q": "2"}, "q"), ({"copies": 2}, "unknown key"), ({"mechanism": None}, "mechanism"),
                             ({"mechanism": {"type": "rappor", "f": 0, "p": 0, "q": 1}}, "unknown type"),
                             ({"mechanism": {"type": "k_randomized_response", "epsilon": 1}}, "unknown key")):
            self.refused(what, domain=pair, mechanism={**steps, **change})

    def test_families_with_rational_probabilities(self):
        groups = [{"name": "n", "size": 4}]
        kept = self.read(domain=groups, mechanism={"type": "optimal_partition_selection", "epsilon": "log(2)", "delta": "1/10"}).channel.rows
        # 2 p + 1/10 until 1 - (9/10 - p) / 2 is less: 0, 1/10, 3/10, 7/10 (by both).
        self.assertEqual([row[1] for row in kept], [0, Fraction(1, 10), Fraction(3, 10), Fraction(7, 10)])
        bits = self.rows({"type": "d_bit_flip", "epsilon": "log(9)", "bits": 1})
        self.assertEqual(bits[0], {"x:0": Fraction(1, 8), "x:1": Fraction(3, 8), "y:0": Fraction(3, 8), "y:1": Fraction(1, 8)})
        report = self.rows({"type": "longitudinal_grr", "epsilon": "log(3)", "first": "log(2)"})
        self.assertEqual(report, [{"x": 2 * THIRD, "y": THIRD}, {"x": THIRD, "y": 2 * THIRD}])
        self.refused("expected at most epsilon", mechanism={"type": "longitudinal_grr", "epsilon": "log(2)", "first": "log(3)"})

    def test_sums_of_scores_and_noise_are_compared_on_all_integers(self):
        numbers = [{"name": "a", "values": ["0"]}, {"name": "b", "values": ["0"]}]
        a = Exact.exp(Fraction(-1))
        # A tie goes to the first: P(n = n') = (1 - a)^2 / (1 + a)^2 * (1 + a^2) / (1 - a^2).
        tie = (1 - a) * (1 + a * a) / (1 + a) ** 3
        first, second = self.read(domain=numbers, mechanism={"type": "report_noisy_max", "scale": 1}).channel.rows[0]
        self.assertTrue(first == (1 + tie) / 2 and second == (1 - tie) / 2)
        # One query at the threshold: it is reached if the query's noise is at least that of the threshold.
        one = self.read(domain=numbers[:1], mechanism={"type": "above_threshold", "threshold": 0, "threshold_scale": 1, "query_scale": 1}).channel.rows[0]
        self.assertTrue(one[0] == (1 - tie) / 2 and one[1] == (1 + tie) / 2)


if __name__ == "__main__":
    unittest.main()
