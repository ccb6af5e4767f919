#include "verifier/smt/query.h"

#include <algorithm>
#include <map>
#include <set>

#include "verifier/exact/interval.h"

namespace oddsbound::smt {

namespace {

std::string named(const char* prefix, std::uint64_t index) { return prefix + std::to_string(index); }

std::string side_text(const Model& model, const Comparison& comparison, std::uint64_t side) {
  return comment(comparison.labels.empty() ? party_text(model.domain.tuple(side)) : label_text(comparison, side));
}

void declare_event(Script& script, const Model& model, std::uint64_t outputs) {
  script.note("R, a set of outputs");
  for (std::uint64_t y = 0; y < outputs; ++y) {
    script.declare(named("in_", y), "Bool", comment(model.channel->output_label(y)) + " is in R");
  }
}

std::string chosen(std::uint64_t y, const std::string& term) { return "(ite " + named("in_", y) + " " + term + " 0)"; }

// The terms of a comparison: P(y given side) on the left, e^level P(y given side) on the right, and delta.
struct Amounts {
  std::vector<std::vector<Number>> left, right;
  Number delta;
};

Amounts exact_amounts(const Comparison& comparison, const Sides& sides) {
  Amounts amounts{sides.joint, sides.joint, comparison.delta};
  for (std::uint64_t side = 0; side < sides.mass.size(); ++side) {
    for (std::uint64_t y = 0; y < sides.joint[side].size() && !sides.mass[side].is_zero(); ++y) {
      amounts.left[side][y] = sides.joint[side][y] / sides.mass[side];
      amounts.right[side][y] = comparison.level.exponential() * amounts.left[side][y];
    }
  }
  return amounts;
}

// Multiples of 2^-bits: a common denominator keeps the solver's numbers short. Left rounded up, right and delta
// down.
Amounts rounded_amounts(const Comparison& comparison, const Sides& sides, unsigned bits) {
  Amounts amounts{sides.joint, sides.joint, rounded_down(comparison.delta, bits)};
  const Number factor = rational_bounds(comparison.level.exponential(), 2 * bits).first;
  for (std::uint64_t side = 0; side < sides.mass.size(); ++side) {
    for (std::uint64_t y = 0; y < sides.joint[side].size() && !sides.mass[side].is_zero(); ++y) {
      const Number p = sides.joint[side][y] / sides.mass[side];
      amounts.left[side][y] = rounded_up(p, bits);
      amounts.right[side][y] = rounded_down(factor * rounded_down(p, 2 * bits), bits);
    }
  }
  return amounts;
}

// Encodes one unknown input on each side, whose row is looked up. The numbers have no symbols.
void encode_inputs(Script& script, const Model& model, const Comparison& comparison, const Amounts& amounts) {
  const std::uint64_t outputs = amounts.left[0].size();
  const std::uint64_t inputs = amounts.left.size();
  std::vector<Number> numbers{amounts.delta};
  for (const auto& row : amounts.left) numbers.insert(numbers.end(), row.begin(), row.end());
  for (const auto& row : amounts.right) numbers.insert(numbers.end(), row.begin(), row.end());
  const std::vector<Polynomial> forms = polynomial_forms(numbers);
  const auto term = [&](std::uint64_t position) { return script.polynomial(forms[position]); };
  std::map<std::uint64_t, std::vector<std::string>> partners;
  for (const auto& [from, to] : comparison.pairs) partners[from].push_back(named("to_", to));
  const char* const kSides[] = {"from_", "to_"};
  for (const char* side : kSides) {
    std::vector<std::string> any;
    for (std::uint64_t x = 0; x < inputs; ++x) {
      script.declare(
          named(side, x), "Bool",
          "the input " + std::string(side == kSides[0] ? "from" : "to") + " is " + side_text(model, comparison, x));
      any.push_back(named(side, x));
    }
    script.assert_term(any_of(any));
    for (std::uint64_t x = 0; x < inputs; ++x) {
      for (std::uint64_t z = 0; z < x; ++z) {
        script.assert_term("(or (not " + named(side, x) + ") (not " + named(side, z) + "))");
      }
    }
  }
  script.note("the pairs that the claim is about");
  for (std::uint64_t x = 0; x < inputs; ++x) {
    script.assert_term("(=> " + named("from_", x) + " " + any_of(partners[x]) + ")");
  }
  script.note("p_y: P(y given from), q_y: e^level P(y given to), both times one positive number");
  std::vector<std::string> terms;
  for (std::uint64_t y = 0; y < outputs; ++y) {
    script.declare(named("p_", y), "Real");
    script.declare(named("q_", y), "Real");
    for (std::uint64_t x = 0; x < inputs; ++x) {
      script.assert_term("(=> " + named("from_", x) + " (= " + named("p_", y) + " " + term(1 + x * outputs + y) + "))");
      script.assert_term("(=> " + named("to_", x) + " (= " + named("q_", y) + " " +
                         term(1 + (inputs + x) * outputs + y) + "))");
    }
    terms.push_back(chosen(y, "(- " + named("p_", y) + " " + named("q_", y) + ")"));
  }
  script.note("P(R given from) > e^level P(R given to) + delta");
  script.assert_term("(> " + sum_term(terms) + " " + term(0) + ")");
}

// Returns the contribution of each output to the excess of a pair.
std::vector<Number> differences(const Comparison& comparison, const Sides& sides, std::uint64_t from,
                                std::uint64_t to) {
  std::vector<Number> result;
  for (std::uint64_t y = 0; y < sides.joint[0].size(); ++y) {
    result.push_back(sides.joint[from][y] * sides.mass[to] -
                     comparison.level.exponential() * sides.joint[to][y] * sides.mass[from]);
  }
  return result;
}

// Encodes pairs of inputs case by case, for numbers with symbols. Pairs whose differences agree up to the order of
// outputs are one case.
void encode_cases(Script& script, const Model& model, const Comparison& comparison, const Sides& sides,
                  std::vector<std::pair<std::uint64_t, std::uint64_t>>& cases) {
  std::map<std::vector<std::string>, std::size_t> seen;
  std::vector<std::string> any;
  for (const auto& [from, to] : comparison.pairs) {
    std::vector<Number> numbers = differences(comparison, sides, from, to);
    std::vector<std::string> key;
    for (const Number& number : numbers) key.push_back(number.to_string());
    std::sort(key.begin(), key.end());
    if (!seen.try_emplace(key, cases.size()).second) continue;
    numbers.push_back(comparison.delta);
    const std::vector<Polynomial> forms = polynomial_forms(numbers);
    const std::string name = named("case_", cases.size());
    cases.emplace_back(from, to);
    any.push_back(name);
    script.declare(name, "Bool",
                   "from " + side_text(model, comparison, from) + " to " + side_text(model, comparison, to) +
                       ", for all pairs with the same differences");
    std::vector<std::string> terms;
    for (std::uint64_t y = 0; y + 1 < numbers.size(); ++y) {
      if (!numbers[y].is_zero()) terms.push_back(chosen(y, script.polynomial(forms[y])));
    }
    script.assert_term("(=> " + name + " (> " + sum_term(terms) + " " + script.polynomial(forms.back()) + "))");
  }
  script.note("P(R given from) > e^level P(R given to) + delta for some pair");
  script.assert_term(any_of(any));
}

void declare_sets(Script& script, const Model& model, const Comparison& comparison, const Sides& sides) {
  for (const char* side : {"from_", "to_"}) {
    script.note(std::string(side == std::string("from_") ? "S" : "S'") + ", a set of labels of positive probability");
    std::vector<std::string> any;
    for (const std::uint64_t v : sides.possible) {
      any.push_back(named(side, v));
      script.declare(any.back(), "Bool", side_text(model, comparison, v) + " is in it");
    }
    script.assert_term(any_of(any));
  }
  if (!comparison.label_pairs) return;
  script.note("only these labels are compared with one another");
  const auto pairs = pairs_of(comparison, sides);
  const std::set<std::pair<std::uint64_t, std::uint64_t>> compared(pairs.begin(), pairs.end());
  for (const std::uint64_t from : sides.possible) {
    for (const std::uint64_t to : sides.possible) {
      if (compared.contains({from, to})) continue;
      script.assert_term("(or (not " + named("from_", from) + ") (not " + named("to_", to) + "))");
    }
  }
}

// Encodes unknown sets of labels by the weights of their labels within them. Rational numbers only.
void encode_mixtures(Script& script, const Model& model, const Comparison& comparison, const Sides& sides,
                     const Amounts& amounts) {
  declare_sets(script, model, comparison, sides);
  script.note("the weight of a label within its set is its probability, scaled so that the weights sum to 1");
  for (const std::string side : {"from_", "to_"}) {
    script.declare("scale_" + side, "Real");
    script.assert_term("(> scale_" + side + " 0)");
    std::vector<std::string> weights;
    for (const std::uint64_t v : sides.possible) {
      const std::string weight = named(("weight_" + side).c_str(), v);
      weights.push_back(weight);
      script.declare(weight, "Real");
      script.assert_term("(>= " + weight + " 0)");
      script.assert_term("(= " + weight + " (ite " + named(side.c_str(), v) + " (* " + rational_term(sides.mass[v]) +
                         " scale_" + side + ") 0))");
    }
    script.assert_term("(= " + sum_term(weights) + " 1)");
  }
  script.note("p_y: P(y given S), q_y: e^level P(y given S')");
  std::vector<std::string> terms;
  for (std::uint64_t y = 0; y < sides.joint[0].size(); ++y) {
    std::vector<std::string> left, right;
    for (const std::uint64_t v : sides.possible) {
      if (amounts.left[v][y].is_zero()) continue;
      left.push_back("(* " + rational_term(amounts.left[v][y]) + " " + named("weight_from_", v) + ")");
      right.push_back("(* " + rational_term(amounts.right[v][y]) + " " + named("weight_to_", v) + ")");
    }
    script.declare(named("p_", y), "Real");
    script.declare(named("q_", y), "Real");
    script.assert_term("(= " + named("p_", y) + " " + sum_term(left) + ")");
    script.assert_term("(= " + named("q_", y) + " " + sum_term(right) + ")");
    script.declare(named("excess_", y), "Real");
    script.assert_term("(= " + named("excess_", y) + " " +
                       chosen(y, "(- " + named("p_", y) + " " + named("q_", y) + ")") + ")");
    // Implied by the line before; it saves the solver a case distinction.
    script.assert_term("(or (<= " + named("excess_", y) + " 0) (> " + named("p_", y) + " " + named("q_", y) + "))");
    terms.push_back(named("excess_", y));
  }
  script.note("P(R given S) > e^level P(R given S') + delta");
  script.assert_term("(> " + sum_term(terms) + " " + rational_term(amounts.delta) + ")");
}

// Encodes unknown sets of labels S, S' by the sum of P(R, S) mass(S') - e^level P(R, S') mass(S). numbers: one
// term per (label of S, label of S', output y); with a delta, followed by -delta mass(S) mass(S') per pair of
// labels. In this form, sets of mass 0 violate nothing.
void encode_products(Script& script, const Model& model, const Comparison& comparison, const Sides& sides,
                     const std::vector<Number>& numbers) {
  declare_sets(script, model, comparison, sides);
  const std::vector<std::uint64_t>& labels = sides.possible;
  const std::vector<Polynomial> forms = polynomial_forms(numbers);
  std::vector<std::string> terms;
  std::size_t position = 0;
  for (const std::uint64_t from : labels) {
    for (const std::uint64_t to : labels) {
      for (std::uint64_t y = 0; y < sides.joint[0].size(); ++y, ++position) {
        if (numbers[position].is_zero()) continue;
        const std::string term = script.polynomial(forms[position]);
        const std::string name = "excess_" + std::to_string(position);
        const std::string in = "(and " + named("from_", from) + " " + named("to_", to) + " " + named("in_", y) + ")";
        if (!script.is_linear()) {
          terms.push_back("(ite " + in + " " + term + " 0)");
          continue;
        }
        script.declare(name, "Real");
        script.assert_term("(= " + name + " (ite " + in + " " + term + " 0))");
        script.assert_term("(or (<= " + name + " 0) (> " + term + " 0))");
        terms.push_back(name);
      }
    }
  }
  for (; position < numbers.size(); ++position) {
    const std::size_t pair = position - labels.size() * labels.size() * sides.joint[0].size();
    terms.push_back("(ite (and " + named("from_", labels[pair / labels.size()]) + " " +
                    named("to_", labels[pair % labels.size()]) + ") " + script.polynomial(forms[position]) + " 0)");
  }
  script.note("P(R, S) P(S') > e^level P(R, S') P(S) + delta P(S) P(S')");
  script.assert_term("(> " + sum_term(terms) + " 0)");
}

// The variables of S, S' and R, if the sides are sets.
std::vector<std::vector<std::string>> sets_of(const Comparison& comparison, const Sides& sides) {
  if (comparison.labels.empty()) return {};
  std::vector<std::vector<std::string>> sets(3);
  for (const std::uint64_t v : sides.possible) {
    sets[0].push_back(named("from_", v));
    sets[1].push_back(named("to_", v));
  }
  for (std::uint64_t y = 0; y < sides.joint[0].size(); ++y) sets[2].push_back(named("in_", y));
  return sets;
}

bool all_rational(const Comparison& comparison, const Sides& sides) {
  bool rational = comparison.level.exponential().is_rational() && comparison.delta.is_rational();
  for (const Number& mass : sides.mass) rational = rational && mass.is_rational();
  for (const auto& row : sides.joint) {
    for (const Number& p : row) rational = rational && p.is_rational();
  }
  return rational;
}

// Appends -delta mass(from) mass(to) for every pair, if delta > 0.
void append_deltas(std::vector<Number>& numbers, const Sides& sides, const Number& delta) {
  if (delta.is_zero()) return;
  for (const std::uint64_t from : sides.possible) {
    for (const std::uint64_t to : sides.possible) numbers.push_back(-(delta * sides.mass[from] * sides.mass[to]));
  }
}

std::vector<Number> exact_products(const Comparison& comparison, const Sides& sides) {
  std::vector<Number> numbers;
  for (const std::uint64_t from : sides.possible) {
    for (const std::uint64_t to : sides.possible) {
      const std::vector<Number> all = differences(comparison, sides, from, to);
      numbers.insert(numbers.end(), all.begin(), all.end());
    }
  }
  append_deltas(numbers, sides, comparison.delta);
  return numbers;
}

std::vector<Number> products_of(const Sides& sides, const Amounts& amounts) {
  std::vector<Number> numbers;
  for (const std::uint64_t from : sides.possible) {
    for (const std::uint64_t to : sides.possible) {
      for (std::uint64_t y = 0; y < sides.joint[0].size(); ++y) {
        numbers.push_back(sides.mass[from] * sides.mass[to] * (amounts.left[from][y] - amounts.right[to][y]));
      }
    }
  }
  append_deltas(numbers, sides, amounts.delta);
  return numbers;
}

// Two encodings of one statement: products are decided faster, mixtures are smaller.
void encode_rational_sets(Script& script, const Model& model, const Comparison& comparison, const Sides& sides,
                          const Amounts& amounts) {
  constexpr std::size_t kMostProducts = 4096;
  const std::size_t labels = sides.possible.size();
  if (labels * labels * sides.joint[0].size() <= kMostProducts) {
    encode_products(script, model, comparison, sides, products_of(sides, amounts));
  } else {
    encode_mixtures(script, model, comparison, sides, amounts);
  }
}

}  // namespace

void Query::restrict_to_single() {
  script.note("a part of the question: sets of one member");
  for (const auto& members : sets) {
    for (std::size_t a = 0; a < members.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) script.assert_term("(or (not " + members[a] + ") (not " + members[b] + "))");
    }
  }
}

Violation Query::violation(const Model& model, const Comparison& comparison, const SolverAnswer& answer) const {
  const auto is_true = [&](const std::string& name) {
    const auto place = answer.model.find(name);
    return place != answer.model.end() && place->second.truth;
  };
  Violation violation;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    if (is_true(named("in_", y))) violation.event.push_back(y);
  }
  for (std::size_t c = 0; c < cases.size() && violation.from.empty(); ++c) {
    if (!is_true(named("case_", c))) continue;
    violation.from.push_back(cases[c].first);
    violation.to.push_back(cases[c].second);
  }
  const std::uint64_t sides = comparison.labels.empty() ? model.domain.inputs() : comparison.labels.size();
  for (std::uint64_t side = 0; side < sides && cases.empty(); ++side) {
    if (is_true(named("from_", side))) violation.from.push_back(side);
    if (is_true(named("to_", side))) violation.to.push_back(side);
  }
  return violation;
}

Query encode(const Model& model, const Comparison& comparison, const Sides& sides, const SymbolRing* ring,
             unsigned bits) {
  Query query{Script(ring, bits), {}, sets_of(comparison, sides)};
  declare_event(query.script, model, sides.joint[0].size());
  if (comparison.labels.empty()) {
    if (query.script.is_linear()) {
      encode_inputs(query.script, model, comparison, exact_amounts(comparison, sides));
    } else {
      encode_cases(query.script, model, comparison, sides, query.cases);
    }
  } else if (all_rational(comparison, sides)) {
    encode_rational_sets(query.script, model, comparison, sides, exact_amounts(comparison, sides));
  } else {
    std::vector<Number> numbers = exact_products(comparison, sides);
    // Round each number up to a rational: attained differences are 0 and stay 0, and others keep their sign if
    // `bits` is large enough. Not with a delta: a sum attains it, and rounding would not keep that sum at 0.
    query.enclosed = ring == nullptr && comparison.delta.is_zero();
    for (Number& number : numbers) {
      if (query.enclosed) number = rational_bounds(number, bits).second;
    }
    encode_products(query.script, model, comparison, sides, numbers);
  }
  query.enclosed = query.enclosed || query.script.uses_exp();
  return query;
}

std::optional<Query> encode_rounded(const Model& model, const Comparison& comparison, const Sides& sides,
                                    unsigned bits) {
  if (all_rational(comparison, sides)) return std::nullopt;
  for (const Number& mass : sides.mass) {
    if (!mass.is_rational()) return std::nullopt;
  }
  Query query{Script(nullptr, bits), {}, sets_of(comparison, sides)};
  query.script.note("what stands on the left is rounded up, what stands on the right down");
  declare_event(query.script, model, sides.joint[0].size());
  const Amounts amounts = rounded_amounts(comparison, sides, bits);
  if (comparison.labels.empty()) {
    encode_inputs(query.script, model, comparison, amounts);
  } else {
    encode_rational_sets(query.script, model, comparison, sides, amounts);
  }
  return query;
}

Script encode_slack(const Comparison& comparison, const Sides& sides, const SymbolRing* ring,
                    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs) {
  constexpr unsigned kExpBits = 300;
  Script script(ring, kExpBits);
  std::set<std::string> seen;
  const auto compare = [&](const char* relation, const Number& number) {
    const std::vector<Polynomial> forms = polynomial_forms(std::vector<Number>{number});
    return std::string("(") + relation + " " + script.polynomial(forms[0]) + " 0)";
  };
  if (!comparison.level.is_infinite()) {
    script.note("the level is not 0, the least there is");
    script.assert_term(compare(">", comparison.level.exponential() - Number(1)));
  }
  script.note("no output of these pairs attains the level");
  for (const auto& [from, to] : pairs) {
    for (std::uint64_t y = 0; y < sides.joint[0].size(); ++y) {
      const Number left = sides.joint[from][y] * sides.mass[to];
      const Number right = sides.joint[to][y] * sides.mass[from];
      // An output attains the level if left > 0 and left - e^level right >= 0 (infinite level: right = 0). Assert
      // the opposite.
      if (left.is_zero()) continue;
      const std::string below = comparison.level.is_infinite()
                                    ? compare(">", right)
                                    : compare("<", left - comparison.level.exponential() * right);
      const std::string term = any_of({below, compare("=", left)});
      if (seen.insert(term).second) script.assert_term(term);
    }
  }
  return script;
}

}  // namespace oddsbound::smt
