#include "tests/support/families.h"

namespace oddsbound::testing {

namespace {

const std::string kTriple = R"j([{"name": "a", "size": 2}, {"name": "b", "size": 2}, {"name": "c", "size": 2}])j";

}  // namespace

const std::vector<FamilyExample>& finite_examples() {
  static const std::vector<FamilyExample> table = {
      {kFive, R"j({"type": "k_randomized_response", "epsilon": "1"})j"},
      {kPair, R"j({"type": "k_randomized_response", "epsilon": "log(3)"})j"},
      {kTwo, R"j({"type": "optimal_binary", "epsilon_12": "1", "epsilon_21": "log(2)"})j"},
      {kTwo, R"j({"type": "optimal_binary", "epsilon_12": "inf", "epsilon_21": "1"})j"},
      {kFive, R"j({"type": "hadamard_response", "epsilon": "1"})j"},
      {kThree, R"j({"type": "hadamard_response", "epsilon": "log(5)"})j"},
      {kFive, R"j({"type": "high_low_hadamard_response", "sensitive": [["1"], ["4"]], "epsilon": "1"})j"},
      {kFive,
       R"j({"type": "block_hadamard_response", "blocks": [[["0"], ["3"]], [["1"], ["2"], ["4"]]], "epsilon": "1"})j"},
      {kPair, R"j({"type": "block_hadamard_response", "blocks": ["a"], "epsilon": "log(3)"})j"},
      {kFive, R"j({"type": "subset_selection", "epsilon": "1/2"})j"},
      {kFive, R"j({"type": "subset_selection", "epsilon": "log(3)", "size": 3})j"},
      {kThree, R"j({"type": "unary_encoding", "epsilon": "1"})j"},
      {kThree, R"j({"type": "unary_encoding", "epsilon": "1", "variant": "symmetric"})j"},
      {kThree, R"j({"type": "rappor", "f": "1/2", "p": "1/4", "q": "3/4"})j"},
      {kThree, R"j({"type": "rappor", "f": "1/2", "p": "1/4", "q": "3/4", "times": 3})j"},
      {kThree, R"j({"type": "optimized_local_hashing", "epsilon": "1"})j"},
      {kFive, R"j({"type": "optimized_local_hashing", "epsilon": "log(2)", "buckets": 3})j"},
      {R"j([{"name": "s", "size": 6}, {"name": "x", "size": 3}])j",
       R"j({"type": "modular_hash", "prime": 3, "buckets": 2})j"},
      {kThree, R"j({"type": "public", "seeds": 6, "mechanism": {"type": "cascade",
                    "first": {"type": "modular_hash", "prime": 3, "buckets": 2},
                    "second": {"type": "k_randomized_response", "epsilon": "1"}}})j"},
      {kPair, R"j({"type": "public", "seeds": 2, "mechanism": {"type": "cases", "outputs": ["u", "v"], "cases": [
                   {"when": {"seed": "1", "a": "1"}, "then": {"u": "1/4", "v": "3/4"}},
                   {"when": {}, "then": {"u": "1/2", "v": "1/2"}}]}})j"},
      {kPair, R"j({"type": "bcdp_steps", "delta": {"a": "log(9)", "b": "log(4)"}, "epsilon": "log(9)", "q": "1/10",
                   "zeta": "1/2", "mechanism": {"type": "k_randomized_response"}})j"},
      {kTriple, R"j({"type": "bcdp_steps", "delta": {"a": "1", "b": "1", "c": "2"}, "epsilon": "2", "q": "1/5",
                     "zeta": "1/2", "mechanism": {"type": "subset_selection", "size": 1}})j"},
      {kFive, R"j({"type": "truncated_geometric", "epsilon": "1"})j"},
      {kFive, R"j({"type": "truncated_geometric", "epsilon": "log(2)"})j"},
      {kThree, R"j({"type": "discrete_laplace_truncated", "scale": "3/2", "least": -1, "greatest": 4})j"},
      {kThree, R"j({"type": "discrete_laplace_truncated", "scale": 1})j"},
      {kThree, R"j({"type": "discrete_laplace_clamped", "scale": "3/2", "least": -1, "greatest": 4})j"},
      {kThree, R"j({"type": "discrete_laplace_clamped", "scale": 1})j"},
      {kThree, R"j({"type": "discrete_laplace_wrapped", "scale": "3/2", "least": -1, "greatest": 4})j"},
      {kThree, R"j({"type": "discrete_laplace_wrapped", "scale": 1})j"},
      {kThree, R"j({"type": "discrete_gaussian_truncated", "variance": 2, "least": -2, "greatest": 4})j"},
      {kThree, R"j({"type": "discrete_gaussian_truncated", "variance": "1/2"})j"},
      {kThree, R"j({"type": "exponential_mechanism", "epsilon": "1", "outputs": ["u", "v"],
                    "utility": [[0, 1], [1, 0], ["1/2", 1]]})j"},
      {kThree, R"j({"type": "permute_and_flip", "epsilon": "1", "outputs": ["u", "v", "w"],
                    "utility": [[0, 1, 1], [1, 0, 2], ["1/2", 1, 0]]})j"},
      {kThree, R"j({"type": "discrete_gaussian_wrapped", "variance": 2, "reach": 5, "least": -1, "greatest": 3})j"},
      {kThree, R"j({"type": "discrete_gaussian_wrapped", "variance": "1/2", "reach": 1})j"},
      {kFive, R"j({"type": "d_bit_flip", "epsilon": "1", "bits": 2})j"},
      {kThree, R"j({"type": "d_bit_flip", "epsilon": "log(4)", "bits": 1})j"},
      {kThree, R"j({"type": "d_bit_flip", "epsilon": "log(9)", "bits": 3})j"},
      {kFive, R"j({"type": "longitudinal_grr", "epsilon": "3", "first": "1"})j"},
      {kThree, R"j({"type": "longitudinal_grr", "epsilon": "log(9)", "first": "log(2)", "times": 3})j"},
      {kThree, R"j({"type": "longitudinal_unary_encoding", "epsilon": "3", "first": "1"})j"},
      {kThree, R"j({"type": "longitudinal_unary_encoding", "epsilon": "log(9)", "first": "log(4)", "variant": "sue",
                    "times": 2})j"},
      {kThree, R"j({"type": "longitudinal_unary_encoding", "epsilon": "log(9)", "variant": "oue", "q": "1/8"})j"},
      {kPair, R"j({"type": "report_noisy_max", "scale": 1})j"},
      {kTriple, R"j({"type": "report_noisy_max", "scale": "1/2"})j"},
      {kFive, R"j({"type": "report_noisy_max", "scale": 2})j"},
      {R"j([{"name": "a", "values": ["-1", "2"]}, {"name": "b", "values": ["0", "2"]}])j",
       R"j({"type": "report_noisy_max", "scale": "2/3"})j"},
      {kPair, R"j({"type": "above_threshold", "threshold": 1, "threshold_scale": 1, "query_scale": 2})j"},
      {R"j([{"name": "a", "values": ["-1", "2"]}, {"name": "b", "values": ["0", "2"]}, {"name": "c", "size": 2}])j",
       R"j({"type": "above_threshold", "threshold": -2, "threshold_scale": "1/2", "query_scale": 1, "answers": 2})j"},
      {kFive, R"j({"type": "optimal_partition_selection", "epsilon": "log(3)", "delta": "1/100"})j"},
      {kFive, R"j({"type": "optimal_partition_selection", "epsilon": "1", "delta": "1/3"})j"},
      {kPair, R"j({"type": "duchi_hypercube", "epsilon": "1"})j"},
      {kTriple, R"j({"type": "duchi_hypercube", "epsilon": "log(3)"})j"},
      {kPair, R"j({"type": "bcdp_mean", "delta": {"a": "1/2", "b": "1"}, "epsilon": "1", "q": "1/4", "zeta": "1/2"})j"},
      {kTriple, R"j({"type": "bcdp_mean", "delta": {"a": "1", "b": "1/2", "c": "2"}, "epsilon": "3/2", "q": "0",
                     "zeta": "1"})j"},
      {kPair,
       R"j({"type": "bcdp_mean", "delta": {"a": "1/2", "b": "2"}, "epsilon": "2", "q": "1/50", "zeta": "best"})j"},
      {kPair, R"j({"type": "bcdp_mean", "delta": {"a": "1", "b": "2"}, "epsilon": "2", "q": "1/50", "zeta": "1/2",
                   "copies": 2})j"},
      {kTriple, R"j({"type": "bcdp_mean", "delta": {"a": "1", "b": "1/2", "c": "2"}, "epsilon": "3/2",
                     "q": {"a": "3/5", "b": "1/20"}, "zeta": "1/2"})j"},
      {kPair, R"j({"type": "per_coordinate", "mechanisms": {"a": {"type": "k_randomized_response", "epsilon": "1"},
                   "b": {"type": "truncated_geometric", "epsilon": "log(2)"}}})j"},
      {kThree, R"j({"type": "memoized", "permanent": {"type": "k_randomized_response", "epsilon": "log(3)"},
                    "report": {"type": "matrix", "outputs": ["u", "v"], "rows": [["1/4", "3/4"], ["1/2", "1/2"], [1, 0]]},
                    "times": 3})j"},
      {kPair, R"j({"type": "memoized", "permanent": {"type": "per_coordinate", "mechanisms": {
                     "a": {"type": "k_randomized_response", "epsilon": "log(3)"},
                     "b": {"type": "k_randomized_response", "epsilon": "1"}}},
                   "report": {"type": "per_coordinate", "mechanisms": {
                     "answer1": {"type": "k_randomized_response", "epsilon": "log(2)"},
                     "answer2": {"type": "k_randomized_response", "epsilon": "log(3)"}}},
                   "times": 2})j"},
      {kThree, R"j({"type": "cascade", "first": {"type": "k_randomized_response", "epsilon": "log(3)"},
                    "second": {"type": "k_randomized_response", "epsilon": "1"}})j"},
      {kThree, R"j({"type": "cascade", "first": {"type": "subset_selection", "epsilon": "log(3)"}, "second": {"type":
                    "matrix", "outputs": ["u", "v"], "rows": [["1/4", "3/4"], [1, 0], ["1/2", "1/2"], [0, 1]]},
                    "inputs": ["{0}", "{2}", "{1}", "{3}"]})j"},
      {kPair, R"j({"type": "cascade", "first": {"type": "per_coordinate", "mechanisms": {
                     "*": {"type": "k_randomized_response", "epsilon": "log(3)"}}},
                   "second": {"type": "per_coordinate", "mechanisms": {
                     "*": {"type": "k_randomized_response", "epsilon": "log(2)"}}}})j"},
      {kThree, R"j({"type": "function", "function": "sum", "mechanism": {"type": "repeat", "times": 3, "mechanism":
                    {"type": "k_randomized_response", "epsilon": "log(3)"}}})j"},
      {kTwo, R"j({"type": "function", "function": "argmax", "mechanism": {"type": "repeat", "times": 2, "mechanism":
                  {"type": "truncated_geometric", "epsilon": "log(2)"}}})j"},
      {kThree, R"j({"type": "function", "function": "argmax", "mechanism": {"type": "repeat", "times": 4, "mechanism":
                    {"type": "truncated_geometric", "epsilon": "log(2)"}}})j"},
      {kThree, R"j({"type": "function", "function": "max", "mechanism": {"type": "repeat", "times": 5, "mechanism":
                    {"type": "truncated_geometric", "epsilon": "log(2)"}}})j"},
      {kThree, R"j({"type": "function", "function": {"at_least": 2, "of": {"count": "1"}}, "mechanism":
                    {"type": "unary_encoding", "epsilon": "log(3)"}})j"},
      {kPair, R"j({"type": "function", "function": {"one_of": ["(0,1)", "(1,0)"]}, "mechanism": {"type":
                   "per_coordinate", "mechanisms": {"*": {"type": "k_randomized_response", "epsilon": "1"}}}})j"},
      {kTwo, R"j({"type": "matrix", "outputs": 3, "rows": [["1/3", "1/3", "1/3"], ["exp(-1)", "1 - exp(-1)", "0"]]})j"},
  };
  return table;
}

Spec read_example(const std::string& domain, const std::string& mechanism, Budget& budget) {
  const std::string text =
      R"j({"oddsbound": 1, "name": "example", "domain": )j" + domain + R"j(, "mechanism": )j" + mechanism + "}";
  return read_spec_text("example.json", ".", text, budget);
}

}  // namespace oddsbound::testing
