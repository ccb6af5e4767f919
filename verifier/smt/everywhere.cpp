#include "verifier/smt/everywhere.h"

#include "base/errors.h"
#include "verifier/smt/asking.h"
#include "verifier/smt/sides.h"

namespace oddsbound::smt {

namespace {

// P(R, from) mass(to) - delta mass(from) mass(to) - e^level P(R, to) mass(from): a violation where it is positive.
Number margin_of(const Comparison& comparison, const Sides& sides, std::uint64_t from, std::uint64_t to,
                 const std::vector<std::uint64_t>& event) {
  const Number& odds = comparison.level.exponential();
  Number margin = -(comparison.delta * sides.mass[from] * sides.mass[to]);
  for (const std::uint64_t y : event) {
    margin += sides.joint[from][y] * sides.mass[to] - odds * sides.joint[to][y] * sides.mass[from];
  }
  return margin;
}

bool is_positive_everywhere(const Number& margin, const SymbolRing& ring) {
  if (!margin.has_symbols()) return margin.sign() > 0;
  const std::vector<Polynomial> form = polynomial_forms(std::vector<Number>{margin});
  const SignRange signs = ring.signs(margin.to_string(), form.front());
  return signs.nowhere[SignRange::kNegative] && signs.nowhere[SignRange::kZero];
}

class Finder {
 public:
  Finder(const Model& model, const SymbolRing& ring, const Number& at, Budget& budget)
      : model_(model), ring_(ring), at_{at}, rows_(rows_of(*model.channel, budget)), budget_(budget) {}

  bool finds_one(const Comparison& comparison) {
    if (comparison.level.is_infinite()) return false;
    const Sides sides = sides_of(model_, comparison, rows_, budget_);
    for (const auto& [from, to] : pairs_of(comparison, sides)) {
      if (attempts_left_ == 0) return false;
      if (is_violated(comparison, sides, from, to)) return true;
    }
    return false;
  }

 private:
  // Single outputs where there is no delta, else all outputs at once that are likelier from the one side.
  bool is_violated(const Comparison& comparison, const Sides& sides, std::uint64_t from, std::uint64_t to) {
    std::vector<std::uint64_t> likelier;
    for (std::uint64_t y = 0; y < sides.joint[from].size(); ++y) {
      budget_.look();
      const Number gain =
          margin_of(comparison, sides, from, to, {y}) + comparison.delta * sides.mass[from] * sides.mass[to];
      if (substitute(gain, at_).sign() <= 0) continue;
      if (comparison.delta.is_zero() && attempt(gain)) return true;
      likelier.push_back(y);
    }
    if (comparison.delta.is_zero()) return false;
    const Number margin = margin_of(comparison, sides, from, to, likelier);
    return substitute(margin, at_).sign() > 0 && attempt(margin);
  }

  bool attempt(const Number& margin) {
    if (attempts_left_ == 0) return false;
    --attempts_left_;
    return is_positive_everywhere(margin, ring_);
  }

  const Model& model_;
  const SymbolRing& ring_;
  const std::vector<Number> at_;
  const std::vector<std::vector<Number>> rows_;
  Budget& budget_;
  int attempts_left_ = 16;
};

}  // namespace

bool violated_everywhere(const Model& model, const std::function<Definition()>& define, const SymbolRing& ring,
                         const Number& at, const SmtOptions& options, Budget& budget) {
  require_askable(model, options);
  Finder finder(model, ring, at, budget);
  for (const Comparison& comparison : define()) {
    if (finder.finds_one(comparison)) return true;
  }
  return false;
}

}  // namespace oddsbound::smt
