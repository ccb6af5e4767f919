#include "verifier/smt/everywhere.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/smt/decide.h"
#include "verifier/smt/sides.h"
#include "verifier/smt/solver.h"

namespace oddsbound::smt {

namespace {

// P(R, from) mass(to) - delta mass(from) mass(to) - e^level P(R, to) mass(from); positive: a violation.
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
  // Tries single outputs if delta = 0, otherwise the set of all outputs that are more likely from the first side.
  bool is_violated(const Comparison& comparison, const Sides& sides, std::uint64_t from, std::uint64_t to) {
    std::vector<std::uint64_t> likelier;
    for (std::uint64_t y = 0; y < sides.joint[from].size(); ++y) {
      budget_.check();
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

bool uniform_violation(const Model& model, const std::function<Definition()>& define, const SymbolRing& ring,
                       const Number& at, const SmtOptions& options, Budget& budget) {
  require_askable(model, options);
  Finder finder(model, ring, at, budget);
  for (const Comparison& comparison : define()) {
    if (finder.finds_one(comparison)) return true;
  }
  return false;
}

namespace {

constexpr unsigned kExpBits = 300;

}  // namespace

Number simplest_value(const Symbol& symbol, const Number& low, const Number& high) {
  Number least = symbol.low ? std::max(low, *symbol.low) : low;
  Number most = symbol.high ? std::min(high, *symbol.high) : high;
  // If the interval misses the range: the nearest end of the range, which may be open.
  if (least > most) return symbol.low && low < *symbol.low ? *symbol.low : *symbol.high;
  Number value = simplest_between(least, most);
  // An open end may be the simplest number; then choose a point inside.
  while (!symbol.contains(value)) {
    const Number middle = (least + most) / Number(2);
    if (symbol.low && value <= *symbol.low) least = (least + middle) / Number(2);
    if (symbol.high && value >= *symbol.high) most = (most + middle) / Number(2);
    if (least >= most) return middle;
    value = simplest_between(least, most);
  }
  return value;
}

std::vector<Number> simple_values(const SymbolRing& ring, const SolverAnswer& answer,
                                  const std::function<bool(const std::vector<Number>&)>& accepts) {
  for (std::int64_t digits = -1; digits <= 60; ++digits) {
    const Number around = Number(10).pow(-digits);
    std::vector<Number> values;
    bool inside = true;
    for (std::size_t i = 0; i < ring.symbols().size(); ++i) {
      const auto place = answer.model.find(symbol_name(i));
      const Number low = place == answer.model.end() ? Number(0) : place->second.low;
      const Number high = place == answer.model.end() ? Number(0) : place->second.high;
      values.push_back(simplest_value(ring.symbols()[i], low - around, high + around));
      inside = inside && ring.symbols()[i].contains(values.back());
    }
    if (inside && accepts(values)) return values;
  }
  return {};
}

std::string values_text(const SymbolRing& ring, const std::vector<Number>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i > 0 ? ", " : "") + ring.symbols()[i].name + " = " + values[i].to_string();
  }
  return text;
}

SymbolRing::Oracle sign_oracle(const SmtOptions& options) {
  return [options, left = std::make_shared<double>(options.seconds)](const SymbolRing& ring,
                                                                     const Polynomial& polynomial) {
    SignRange range;
    const char* const kSigns[] = {"<", "=", ">"};
    for (std::size_t sign = 0; sign < 3; ++sign) {
      Script script(&ring, kExpBits);
      const std::string term = script.polynomial(polynomial);
      script.assert_term(std::string("(") + kSigns[sign] + " " + term + " 0)");
      const SolverAnswer answer = ask_solver(options, script.text({}), {std::max(*left, 0.0), options.memory_mb});
      *left -= answer.seconds;
      range.nowhere[sign] = answer.satisfiable == Answer::kNo;
      if (answer.satisfiable != Answer::kYes) continue;
      // Within the bounds of exp an answer may be spurious. So the sign is confirmed by exact evaluation at
      // rational values.
      const auto has_sign = [&](const std::vector<Number>& values) {
        return evaluate(polynomial, values).sign() == static_cast<int>(sign) - 1;
      };
      const std::vector<Number> values = simple_values(ring, answer, has_sign);
      if (!values.empty()) {
        range.at[sign] = values_text(ring, values);
      } else if (!script.uses_exp()) {
        range.at[sign] = "some values";
      }
    }
    return range;
  };
}

}  // namespace oddsbound::smt
