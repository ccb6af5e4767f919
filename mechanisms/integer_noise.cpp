#include "mechanisms/integer_noise.h"

#include <algorithm>

#include "mechanisms/family.h"
#include "mechanisms/formulas.h"
#include "verifier/model/dense_channel.h"

namespace oddsbound::mechanisms {

Window window_of(const Domain& domain, const Arguments& arguments) {
  const auto last = static_cast<std::int64_t>(domain.inputs()) - 1;
  const Window window{arguments.find<std::int64_t>("least").value_or(0),
                      arguments.find<std::int64_t>("greatest").value_or(last)};
  if (window.least > 0) {
    throw ParameterError("least", "found " + std::to_string(window.least) + ", expected at most 0, the first input");
  }
  if (window.greatest < last) {
    throw ParameterError("greatest", "found " + std::to_string(window.greatest) + ", expected at least " +
                                         std::to_string(last) + ", the last input");
  }
  return window;
}

bool Window::place(std::uint64_t x, bool negative, std::uint64_t magnitude, std::uint64_t& output) const {
  if (magnitude >= size()) return false;
  const auto step = static_cast<std::int64_t>(magnitude);
  const std::int64_t y = static_cast<std::int64_t>(x) + (negative ? -step : step);
  if (y < least || y > greatest) return false;
  output = static_cast<std::uint64_t>(y - least);
  return true;
}

std::vector<Field> window_fields() {
  return {{"least", FieldKind::kInteger, false, "the least output; by default 0, the first input"},
          {"greatest", FieldKind::kInteger, false, "the greatest output; by default k - 1, the last input"}};
}

ChannelPtr window_channel(const Domain& domain, const Window& window, const std::vector<Number>& exponents,
                          Budget& budget) {
  budget.require_cells(domain.inputs(), window.size());
  std::vector<Number> densities;
  for (const Number& exponent : exponents) densities.push_back(Number::exp_of(-exponent));
  PoolBuilder builder;
  for (std::int64_t x = 0; x < static_cast<std::int64_t>(domain.inputs()); ++x) {
    Number total(0);
    for (std::int64_t y = window.least; y <= window.greatest; ++y) {
      total += densities[static_cast<std::size_t>(std::abs(y - x))];
    }
    for (std::int64_t y = window.least; y <= window.greatest; ++y) {
      builder.add(densities[static_cast<std::size_t>(std::abs(y - x))] / total);
      budget.tick();
    }
    budget.look();
  }
  std::vector<std::string> labels;
  for (std::int64_t y = window.least; y <= window.greatest; ++y) labels.push_back(std::to_string(y));
  return DenseChannel::from_rows(domain.inputs(), std::move(labels), std::move(builder), budget);
}

SmallRatio positive_ratio(const Arguments& arguments, const std::string& name) {
  const Number& value = arguments.get<Number>(name);
  if (const auto ratio = small_ratio(value)) return *ratio;
  throw ParameterError(name, "found " + value.to_string() + ", expected a positive fraction of integers up to " +
                                 std::to_string(kMostOfRatio));
}

}  // namespace oddsbound::mechanisms
