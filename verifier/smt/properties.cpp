#include "verifier/smt/properties.h"

#include <algorithm>

#include "verifier/smt/query.h"

namespace oddsbound::smt {

namespace {

std::string indexed(const std::string& name, std::uint64_t i) { return name + "_" + std::to_string(i); }
std::string indexed(const std::string& name, std::uint64_t i, std::uint64_t j) { return indexed(indexed(name, i), j); }

std::string product(const std::vector<std::string>& factors) {
  if (factors.size() == 1) return factors[0];
  std::string text = "(*";
  for (const std::string& factor : factors) text += " " + factor;
  return text + ")";
}

std::string at_most(const std::string& a, const std::string& b) { return "(<= " + a + " " + b + ")"; }
std::string more_than(const std::string& a, const std::string& b) { return "(> " + a + " " + b + ")"; }

// An unknown mechanism, and terms about it.
class Unknown {
 public:
  Unknown(const SearchSize& size, unsigned grid) : size_(size), grid_(grid), script_(nullptr, 0) {
    script_.make_nonlinear();
  }

  void declare_prior() {
    script_.note("the prior, as weights that need not sum to 1");
    for (std::uint64_t x = 0; x < inputs(); ++x) {
      script_.declare(indexed("w", x), "Real");
      require_value(indexed("w", x), 1);
      if (size_.uniform_prior) script_.assert_term("(= " + indexed("w", x) + " 1)");
    }
  }

  // Declares rows of probabilities: name_i_j.
  void declare_channel(const std::string& name, std::uint64_t rows, std::uint64_t columns) {
    for (std::uint64_t i = 0; i < rows; ++i) {
      std::vector<std::string> row;
      for (std::uint64_t j = 0; j < columns; ++j) {
        row.push_back(indexed(name, i, j));
        script_.declare(row.back(), "Real");
        require_value(row.back(), grid_);
      }
      script_.assert_term("(= 1 " + sum_term(row) + ")");
    }
  }

  // Declares a map of `from` outputs to `to` outputs: name_y_z is 1 if y becomes z, and 0 otherwise. It merges some
  // outputs, because renaming them changes nothing, and not all of them, because one output reveals nothing.
  void declare_map(const std::string& name, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t y = 0; y < from; ++y) {
      std::vector<std::string> row;
      for (std::uint64_t z = 0; z < to; ++z) {
        row.push_back(indexed(name, y, z));
        script_.declare(row.back(), "Real");
        script_.assert_term(any_of({"(= " + row.back() + " 0)", "(= " + row.back() + " 1)"}));
      }
      script_.assert_term("(= 1 " + sum_term(row) + ")");
    }
    std::vector<std::string> merged;
    for (std::uint64_t z = 0; z < to; ++z) {
      std::vector<std::string> all;
      for (std::uint64_t y = 0; y < from; ++y) {
        all.push_back(indexed(name, y, z));
        for (std::uint64_t other = 0; other < y; ++other) {
          merged.push_back("(= 2 " + sum_term({indexed(name, other, z), indexed(name, y, z)}) + ")");
        }
      }
      script_.assert_term("(< " + sum_term(all) + " " + std::to_string(from) + ")");
    }
    script_.assert_term(any_of(merged));
  }

  // Declares a probability with any value.
  std::string declare_delta(const std::string& name) {
    script_.declare(name, "Real", "delta");
    script_.assert_term(at_most("0", name));
    script_.assert_term(at_most(name, "1"));
    return name;
  }

  // P(output z given the input) after the map.
  std::string after_map(std::uint64_t x, std::uint64_t z) const {
    std::vector<std::string> terms;
    for (std::uint64_t y = 0; y < size_.outputs; ++y) {
      terms.push_back("(ite (= " + indexed("m", y, z) + " 1) " + indexed("p", x, y) + " 0)");
    }
    return sum_term(terms);
  }

  // Declares a level with any value.
  std::string declare_level(const std::string& name) {
    script_.declare(name, "Real", "e^level");
    script_.assert_term("(>= " + name + " 1)");
    return name;
  }

  std::uint64_t inputs() const { return size_.inputs(); }
  std::uint64_t stride(std::size_t i) const {
    std::uint64_t stride = 1;
    for (std::size_t j = i + 1; j < size_.coordinates.size(); ++j) stride *= size_.coordinates[j];
    return stride;
  }
  std::uint64_t digit(std::uint64_t x, std::size_t i) const { return x / stride(i) % size_.coordinates[i]; }

  std::string mass(std::size_t i, std::uint64_t value) const {
    std::vector<std::string> terms;
    for (std::uint64_t x = 0; x < inputs(); ++x) {
      if (digit(x, i) == value) terms.push_back(indexed("w", x));
    }
    return sum_term(terms);
  }

  // P(x_i = value, and the runs have these outputs); joint_after_kernel: the kernel turns the output into z.
  std::string joint(std::size_t i, std::uint64_t value, const std::vector<std::uint64_t>& outputs) const {
    std::vector<std::string> terms;
    for (std::uint64_t x = 0; x < inputs(); ++x) {
      if (digit(x, i) != value) continue;
      std::vector<std::string> factors{indexed("w", x)};
      for (const std::uint64_t y : outputs) factors.push_back(indexed("p", x, y));
      terms.push_back(product(factors));
    }
    return sum_term(terms);
  }
  std::string joint_after_kernel(std::size_t i, std::uint64_t value, std::uint64_t z) const {
    std::vector<std::string> terms;
    for (std::uint64_t y = 0; y < size_.outputs; ++y) {
      terms.push_back(product({joint(i, value, {y}), indexed("k", y, z)}));
    }
    return sum_term(terms);
  }

  // Asserts that the BCDP level of coordinate i is at most log(exponential). Single values and outputs suffice
  // (Definition 4: all events are mixtures of them).
  void require_bcdp(std::size_t i, const std::string& exponential) {
    for (std::uint64_t a = 0; a < size_.coordinates[i]; ++a) {
      for (std::uint64_t b = 0; b < size_.coordinates[i]; ++b) {
        for (std::uint64_t y = 0; a != b && y < size_.outputs; ++y) {
          script_.assert_term(
              at_most(product({joint(i, a, {y}), mass(i, b)}), product({exponential, joint(i, b, {y}), mass(i, a)})));
        }
      }
    }
  }

  // Pairs of inputs that differ in coordinate i only. Any two inputs are connected by a chain of such pairs.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> neighbors(std::size_t i) const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (std::uint64_t x = 0; x < inputs(); ++x) {
      for (std::uint64_t v = 0; v < size_.coordinates[i]; ++v) {
        const std::uint64_t other = x - digit(x, i) * stride(i) + v * stride(i);
        if (other != x) pairs.emplace_back(x, other);
      }
    }
    return pairs;
  }

  void require_possible(std::size_t i, std::uint64_t value) { script_.assert_term(more_than(mass(i, value), "0")); }

  const SearchSize& size() const { return size_; }
  Script& script() { return script_; }

 private:
  void require_value(const std::string& name, unsigned denominator) {
    if (grid_ == 0) {
      script_.assert_term("(>= " + name + " 0)");
      return;
    }
    std::vector<std::string> values;
    for (unsigned k = 0; k <= grid_; ++k) {
      values.push_back("(= " + name + " " + rational_term(Number::ratio(k, denominator)) + ")");
    }
    script_.assert_term(any_of(values));
  }

  SearchSize size_;
  unsigned grid_;
  Script script_;
};

Number value_of(const SolverAnswer& answer, const std::string& name) {
  const auto place = answer.model.find(name);
  return place == answer.model.end() ? Number(0) : place->second.low;
}

Matrix matrix_of(const SolverAnswer& answer, const std::string& name, std::uint64_t rows, std::uint64_t columns) {
  Matrix matrix(rows);
  for (std::uint64_t i = 0; i < rows; ++i) {
    Number rest(1);
    for (std::uint64_t j = 0; j + 1 < columns; ++j) {
      matrix[i].push_back(value_of(answer, indexed(name, i, j)));
      rest -= matrix[i].back();
    }
    matrix[i].push_back(rest);
  }
  return matrix;
}

Counterexample read_counterexample(const SearchSize& size, const SolverAnswer& answer) {
  Counterexample result;
  for (std::uint64_t x = 0; x < size.inputs(); ++x) result.weights.push_back(value_of(answer, indexed("w", x)));
  result.channel = matrix_of(answer, "p", size.inputs(), size.outputs);
  return result;
}

// Visits all multisets of outputs, one output per run: the order of runs does not matter.
void each_multiset(std::uint64_t outputs, std::uint64_t count, std::vector<std::uint64_t>& chosen,
                   const std::function<void(const std::vector<std::uint64_t>&)>& visit) {
  if (chosen.size() == count) {
    visit(chosen);
    return;
  }
  for (std::uint64_t y = chosen.empty() ? 0 : chosen.back(); y < outputs; ++y) {
    chosen.push_back(y);
    each_multiset(outputs, count, chosen, visit);
    chosen.pop_back();
  }
}

Script ask_bcdp_composes(const SearchSize& size, unsigned grid) {
  Unknown unknown(size, grid);
  unknown.declare_prior();
  unknown.declare_channel("p", size.inputs(), size.outputs);
  unknown.require_possible(0, 0);
  unknown.require_possible(0, 1);
  unknown.script().note("one run keeps the level for the first coordinate");
  unknown.require_bcdp(0, rational_term(size.exponential));
  std::vector<std::string> any;
  std::vector<std::uint64_t> chosen;
  const std::string factor = rational_term(size.exponential.pow(static_cast<std::int64_t>(size.runs)));
  each_multiset(size.outputs, size.runs, chosen, [&](const std::vector<std::uint64_t>& outputs) {
    any.push_back(more_than(product({unknown.joint(0, 0, outputs), unknown.mass(0, 1)}),
                            product({factor, unknown.joint(0, 1, outputs), unknown.mass(0, 0)})));
  });
  unknown.script().note("several runs exceed as many times the level, between its first two values");
  unknown.script().assert_term(any_of(any));
  return unknown.script();
}

Counterexample read_bcdp_composes(const SearchSize& size, const SolverAnswer& answer) {
  Counterexample result = read_counterexample(size, answer);
  result.runs = size.runs;
  result.premise = {{"bcdp", size.exponential, true, true}};
  result.conclusion = {{"bcdp", size.exponential.pow(static_cast<std::int64_t>(size.runs)), true, false}};
  return result;
}

Script ask_post_processing(const SearchSize& size, unsigned grid) {
  Unknown unknown(size, grid);
  unknown.declare_prior();
  unknown.declare_channel("p", size.inputs(), size.outputs);
  unknown.declare_channel("k", size.outputs, size.second_outputs);
  unknown.require_possible(0, 0);
  unknown.require_possible(0, 1);
  const std::string level = unknown.declare_level("t");
  unknown.require_bcdp(0, level);
  std::vector<std::string> any;
  for (std::uint64_t z = 0; z < size.second_outputs; ++z) {
    any.push_back(more_than(product({unknown.joint_after_kernel(0, 0, z), unknown.mass(0, 1)}),
                            product({level, unknown.joint_after_kernel(0, 1, z), unknown.mass(0, 0)})));
  }
  unknown.script().note("after the kernel k the level is exceeded, between the first two values");
  unknown.script().assert_term(any_of(any));
  return unknown.script();
}

Counterexample read_post_processing(const SearchSize& size, const SolverAnswer& answer) {
  Counterexample result = read_counterexample(size, answer);
  result.kernel = matrix_of(answer, "k", size.outputs, size.second_outputs);
  result.premise = {{"bcdp", value_of(answer, "t"), true, true}};
  result.conclusion = {{"bcdp", value_of(answer, "t"), true, false}};
  return result;
}

// An output with a loss above the level counts with its probability, others with 0. The first two inputs represent the
// neighbors whose delta is exceeded; before the map, all inputs are neighbors.
Script ask_probabilistic_post_processing(const SearchSize& size, unsigned grid) {
  Unknown unknown(size, grid);
  unknown.declare_channel("p", size.inputs(), size.outputs);
  unknown.declare_map("m", size.outputs, size.second_outputs);
  const std::string level = unknown.declare_level("t"), delta = unknown.declare_delta("d");
  const auto counted = [&](const std::string& from, const std::string& to) {
    return "(ite " + more_than(from, product({level, to})) + " " + from + " 0)";
  };
  for (std::uint64_t x = 0; x < size.inputs(); ++x) {
    for (std::uint64_t other = 0; other < size.inputs(); ++other) {
      if (other == x) continue;
      std::vector<std::string> tail;
      for (std::uint64_t y = 0; y < size.outputs; ++y)
        tail.push_back(counted(indexed("p", x, y), indexed("p", other, y)));
      unknown.script().assert_term(at_most(sum_term(tail), delta));
    }
  }
  unknown.script().note("after the map m the delta is exceeded, between the first two inputs");
  std::vector<std::string> tail;
  for (std::uint64_t z = 0; z < size.second_outputs; ++z) {
    tail.push_back(counted(unknown.after_map(0, z), unknown.after_map(1, z)));
  }
  unknown.script().assert_term(more_than(sum_term(tail), delta));
  return unknown.script();
}

// A claim that holds with the delta that `delta_of` finds, and fails after the map.
template <typename DeltaOf>
Counterexample read_map(const SearchSize& size, const SolverAnswer& answer, const std::string& notion,
                        const DeltaOf& delta_of) {
  Counterexample result = read_counterexample(size, answer);
  result.kernel = matrix_of(answer, "m", size.outputs, size.second_outputs);
  const Number factor = value_of(answer, "t");
  const Number delta = delta_of(result, factor);
  result.premise = {{notion, factor, false, true, delta}};
  result.conclusion = {{notion, factor, false, false, delta}};
  return result;
}

Counterexample read_probabilistic_post_processing(const SearchSize& size, const SolverAnswer& answer) {
  const auto largest_tail = [](const Counterexample& found, const Number& factor) {
    Number largest(0);
    for (const auto& from : found.channel) {
      for (const auto& to : found.channel) {
        Number tail(0);
        for (std::size_t y = 0; y < from.size(); ++y) tail += from[y] > factor * to[y] ? from[y] : Number(0);
        largest = std::max(largest, tail);
      }
    }
    return largest;
  };
  Counterexample result = read_map(size, answer, "probabilistic_dp", largest_tail);
  result.weights.clear();
  return result;
}

// For whole inputs. An output counts if P(y given x) > level * P(y) for some input x with mass. Weights sum to 1, or to
// any total on a grid.
Script ask_leakage_post_processing(const SearchSize& size, unsigned grid) {
  Unknown unknown(size, grid);
  unknown.declare_prior();
  unknown.declare_channel("p", size.inputs(), size.outputs);
  unknown.declare_map("m", size.outputs, size.second_outputs);
  const std::string level = unknown.declare_level("t");
  std::vector<std::string> weights;
  for (std::uint64_t x = 0; x < size.inputs(); ++x) weights.push_back(indexed("w", x));
  const bool normalized = grid == 0 && !size.uniform_prior;
  const std::string total = normalized ? "1" : sum_term(weights);
  unknown.script().assert_term(normalized ? "(= 1 " + sum_term(weights) + ")" : more_than(total, "0"));
  // entry(x): P(output given x).
  const auto counted = [&](const auto& entry) {
    std::vector<std::string> joint;
    for (std::uint64_t x = 0; x < size.inputs(); ++x) joint.push_back(product({weights[x], entry(x)}));
    const std::string all = sum_term(joint);
    std::vector<std::string> any;
    for (std::uint64_t x = 0; x < size.inputs(); ++x) {
      any.push_back("(and " + more_than(weights[x], "0") + " " +
                    more_than(normalized ? entry(x) : product({entry(x), total}), product({level, all})) + ")");
    }
    return "(ite " + any_of(any) + " " + all + " 0)";
  };
  std::vector<std::string> before, after;
  for (std::uint64_t y = 0; y < size.outputs; ++y) {
    before.push_back(counted([&](std::uint64_t x) { return indexed("p", x, y); }));
  }
  for (std::uint64_t z = 0; z < size.second_outputs; ++z) {
    after.push_back(counted([&](std::uint64_t x) { return unknown.after_map(x, z); }));
  }
  unknown.script().note("after the map m the probability of outputs with a large lift is larger");
  unknown.script().assert_term(more_than(sum_term(after), sum_term(before)));
  return unknown.script();
}

Counterexample read_leakage_post_processing(const SearchSize& size, const SolverAnswer& answer) {
  return read_map(size, answer, "pointwise_maximal_leakage", [](const Counterexample& found, const Number& factor) {
    const Number total = sum_of(found.weights);
    Number tail(0);
    for (std::size_t y = 0; y < found.channel[0].size(); ++y) {
      Number all(0);
      for (std::size_t x = 0; x < found.weights.size(); ++x) all += found.weights[x] * found.channel[x][y];
      bool large = false;
      for (std::size_t x = 0; x < found.weights.size(); ++x) {
        large = large || (!found.weights[x].is_zero() && found.channel[x][y] * total > factor * all);
      }
      if (large) tail += all / total;
    }
    return tail;
  });
}

Script ask_cdp_implies_bcdp(const SearchSize& size, unsigned grid) {
  Unknown unknown(size, grid);
  unknown.declare_prior();
  unknown.declare_channel("p", size.inputs(), size.outputs);
  unknown.require_possible(0, 0);
  unknown.require_possible(0, 1);
  const std::string factor = rational_term(size.exponential);
  for (std::size_t i = 0; i < size.coordinates.size(); ++i) {
    for (const auto& [x, other] : unknown.neighbors(i)) {
      for (std::uint64_t y = 0; y < size.outputs; ++y) {
        unknown.script().assert_term(at_most(indexed("p", x, y), product({factor, indexed("p", other, y)})));
      }
    }
  }
  std::vector<std::string> any;
  for (std::uint64_t y = 0; y < size.outputs; ++y) {
    any.push_back(more_than(product({unknown.joint(0, 0, {y}), unknown.mass(0, 1)}),
                            product({factor, unknown.joint(0, 1, {y}), unknown.mass(0, 0)})));
  }
  unknown.script().assert_term(any_of(any));
  return unknown.script();
}

Counterexample read_cdp_implies_bcdp(const SearchSize& size, const SolverAnswer& answer) {
  Counterexample result = read_counterexample(size, answer);
  result.premise = {{"cdp", size.exponential, false, true}};
  result.conclusion = {{"bcdp", size.exponential, true, false}};
  return result;
}

// The sum of the coordinates' levels: the LDP level that could follow.
Number summed(const SearchSize& size) {
  return size.exponential.pow(static_cast<std::int64_t>(size.coordinates.size()));
}

Script ask_bcdp_implies_ldp(const SearchSize& size, unsigned grid) {
  Unknown unknown(size, grid);
  unknown.declare_prior();
  unknown.declare_channel("p", size.inputs(), size.outputs);
  for (std::uint64_t x = 0; x < size.inputs(); ++x) unknown.script().assert_term(more_than(indexed("w", x), "0"));
  for (std::size_t i = 0; i < size.coordinates.size(); ++i) unknown.require_bcdp(i, rational_term(size.exponential));
  std::vector<std::string> any;
  for (std::uint64_t x = 0; x < size.inputs(); ++x) {
    for (std::uint64_t other = 0; other < size.inputs(); ++other) {
      for (std::uint64_t y = 0; x != other && y < size.outputs; ++y) {
        any.push_back(more_than(indexed("p", x, y), product({rational_term(summed(size)), indexed("p", other, y)})));
      }
    }
  }
  unknown.script().assert_term(any_of(any));
  return unknown.script();
}

Counterexample read_bcdp_implies_ldp(const SearchSize& size, const SolverAnswer& answer) {
  Counterexample result = read_counterexample(size, answer);
  result.premise = {{"bcdp", size.exponential, false, true}};
  result.conclusion = {{"ldp", summed(size), false, false}};
  return result;
}

// Two outputs of an adaptive composition: their joint probability ratio is at most the product of the two runs'
// factors. Every ordered pair and run has its own level. All pairs are alike, so the first two inputs represent
// them.
Script ask_context_composes(const SearchSize& size, unsigned grid) {
  Unknown unknown(size, grid);
  unknown.declare_channel("p", size.inputs(), size.outputs);
  for (std::uint64_t y = 0; y < size.outputs; ++y) {
    unknown.declare_channel(indexed("q", y), size.inputs(), size.second_outputs);
  }
  const std::string first = unknown.declare_level("s");
  const std::string second = unknown.declare_level("t");
  std::vector<std::string> any;
  for (std::uint64_t y = 0; y < size.outputs; ++y) {
    const std::string from = indexed("p", 0, y), to = indexed("p", 1, y);
    unknown.script().assert_term(at_most(from, product({first, to})));
    for (std::uint64_t z = 0; z < size.second_outputs; ++z) {
      const std::string then_from = indexed(indexed("q", y), 0, z), then_to = indexed(indexed("q", y), 1, z);
      unknown.script().assert_term(at_most(then_from, product({second, then_to})));
      any.push_back(more_than(product({from, then_from}), product({first, second, to, then_to})));
    }
  }
  unknown.script().assert_term(any_of(any));
  return unknown.script();
}

// One mechanism for each of the first two coordinates, which sees that coordinate only. Inputs that differ in both
// are bounded by the sum of the two levels, inputs that differ in one by its level. All values are alike, so the
// first two values of each coordinate represent them.
Script ask_partial_composes(const SearchSize& size, unsigned grid) {
  Unknown unknown(size, grid);
  const std::uint64_t second_values = size.coordinates.size() > 1 ? size.coordinates[1] : 1;
  unknown.declare_channel("p", size.coordinates[0], size.outputs);
  unknown.declare_channel("q", second_values, size.second_outputs);
  const std::string first = unknown.declare_level("s");
  const std::string second = unknown.declare_level("t");
  const auto require_level = [&](const std::string& name, std::uint64_t values, std::uint64_t outputs,
                                 const std::string& level) {
    for (std::uint64_t a = 0; a < values; ++a) {
      for (std::uint64_t b = 0; b < values; ++b) {
        for (std::uint64_t y = 0; a != b && y < outputs; ++y) {
          unknown.script().assert_term(at_most(indexed(name, a, y), product({level, indexed(name, b, y)})));
        }
      }
    }
  };
  require_level("p", size.coordinates[0], size.outputs, first);
  require_level("q", second_values, size.second_outputs, second);
  std::vector<std::string> any;
  for (std::uint64_t y = 0; y < size.outputs; ++y) {
    for (std::uint64_t z = 0; z < size.second_outputs; ++z) {
      const std::string from = product({indexed("p", 0, y), indexed("q", 0, z)});
      any.push_back(more_than(from, product({first, indexed("p", 1, y), indexed("q", 0, z)})));
      any.push_back(more_than(from, product({second, indexed("p", 0, y), indexed("q", 1, z)})));
      any.push_back(more_than(from, product({first, second, indexed("p", 1, y), indexed("q", 1, z)})));
    }
  }
  unknown.script().assert_term(any_of(any));
  return unknown.script();
}

}  // namespace

std::uint64_t SearchSize::inputs() const {
  std::uint64_t inputs = 1;
  for (const std::uint64_t values : coordinates) inputs *= values;
  return inputs;
}

std::string SearchSize::to_string() const {
  std::string text;
  for (const std::uint64_t values : coordinates) text += (text.empty() ? "" : ",") + std::to_string(values);
  return "coordinates " + text + ", outputs " + std::to_string(outputs);
}

std::span<const Property> properties() {
  static const std::vector<Property> table = {
      {"bcdp composes",
       "several runs, each with a BCDP level for the first coordinate, have at most the sum of the levels", true,
       Number(1), ask_bcdp_composes, read_bcdp_composes},
      {"bcdp post-processes",
       "no kernel applied to the output raises the BCDP level of the first coordinate, whatever it is", false,
       Number(1), ask_post_processing, read_post_processing},
      {"probabilistic_dp post-processes",
       "no map of the outputs raises the delta of probabilistic DP, whatever epsilon is", false, Number(1),
       ask_probabilistic_post_processing, read_probabilistic_post_processing},
      {"pointwise_maximal_leakage with delta post-processes",
       "no map of the outputs raises the delta of pointwise maximal leakage of the whole input, whatever epsilon is",
       false, Number(1), ask_leakage_post_processing, read_leakage_post_processing},
      {"cdp implies bcdp", "a CDP level for every coordinate is a BCDP level for the first one", true, Number(2),
       ask_cdp_implies_bcdp, read_cdp_implies_bcdp},
      {"bcdp implies ldp", "a BCDP level for every coordinate gives LDP at the sum of the levels", true, Number(2),
       ask_bcdp_implies_ldp, read_bcdp_implies_ldp},
      {"context_ldp composes adaptively",
       "context-aware levels add up when the second mechanism depends on the first output", false, Number(1),
       ask_context_composes, nullptr},
      {"partial_dp composes in parallel",
       "mechanisms on different coordinates, each with a level, have partial DP at these levels", false, Number(1),
       ask_partial_composes, nullptr},
  };
  return table;
}

const Property* find_property(std::string_view name) {
  for (const Property& property : properties()) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

}  // namespace oddsbound::smt
