#include "verifier/smt/guesses.h"

#include "base/errors.h"

namespace oddsbound::smt {

namespace {

constexpr std::uint64_t kMostEntries = 1 << 18;

std::string rational(const Number& number) { return rational_term(number, "guesses are"); }

// A variable that is the largest of some terms.
void declare_largest(Script& script, const std::string& name, const std::vector<std::string>& terms) {
  script.declare(name, "Real");
  std::vector<std::string> equal;
  for (const std::string& term : terms) {
    std::string sides = name;
    sides.append(" ").append(term).append(")");
    script.assert_term("(>= " + sides);
    equal.push_back("(= " + sides);
  }
  script.assert_term(any_of(equal));
}

}  // namespace

Script guesses_script(const Model& model, std::optional<std::size_t> coordinate, const Level& level, bool tight,
                      Budget& budget) {
  const Domain& domain = model.domain;
  Script script(nullptr, 0);
  if (level.is_infinite()) {
    script.assert_term(tight ? "false" : "true");
    return script;
  }
  if (domain.input_count() * Number(static_cast<std::int64_t>(model.channel->outputs())) >
      Number(static_cast<std::int64_t>(kMostEntries))) {
    throw LimitError("the question is too large to be put to Z3 as it is");
  }
  const std::vector<Number>& weights = model.prior->dense(budget).weights;
  const std::uint64_t labels = coordinate ? domain.values(*coordinate) : domain.inputs();
  const auto sums = [&](const auto& factor_of) {
    std::vector<std::vector<std::string>> terms(labels);
    for (std::uint64_t x = 0; x < weights.size(); ++x) {
      budget.look();
      const std::string factor = factor_of(x);
      if (weights[x].is_zero() || factor == "0") continue;
      terms[coordinate ? domain.digit(x, *coordinate) : x].push_back("(* " + rational(weights[x]) + " " + factor + ")");
    }
    std::vector<std::string> by_label;
    for (const auto& own : terms) by_label.push_back(sum_term(own));
    return by_label;
  };
  script.note("guess: the weight of the likeliest value; guess_y: the largest weight of a value and output y");
  declare_largest(script, "guess", sums([](std::uint64_t) { return std::string("1"); }));
  std::vector<std::string> guesses;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    guesses.push_back("guess_" + std::to_string(y));
    declare_largest(script, guesses.back(),
                    sums([&](std::uint64_t x) { return rational(model.channel->entry(x, y)); }));
  }
  script.assert_term(std::string(tight ? "(= " : "(<= ") + sum_term(guesses) + " (* " + rational(level.exponential()) +
                     " guess))");
  return script;
}

}  // namespace oddsbound::smt
