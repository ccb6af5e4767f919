#include "verifier/smt/signs.h"

#include <algorithm>

#include "verifier/exact/rounding.h"
#include "verifier/smt/script.h"

namespace oddsbound::smt {

namespace {

constexpr unsigned kExpBits = 300;

}  // namespace

Number simplest_value(const Symbol& symbol, const Number& low, const Number& high) {
  Number least = symbol.low ? std::max(low, *symbol.low) : low;
  Number most = symbol.high ? std::min(high, *symbol.high) : high;
  // The interval misses the range: its nearest point, if that belongs to it.
  if (least > most) return symbol.low && low < *symbol.low ? *symbol.low : *symbol.high;
  Number value = simplest_between(least, most);
  // An open end may be the simplest number: then a point inside.
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
      const SolverAnswer answer = options.solver(script.text({}), {std::max(*left, 0.0), options.memory_mb});
      *left -= answer.seconds;
      range.nowhere[sign] = answer.status == SolverAnswer::Status::kUnsat;
      if (answer.status != SolverAnswer::Status::kSat) continue;
      // Within bounds of exp an answer may be spurious: what counts is that the polynomial has the sign at values that
      // were put in.
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
