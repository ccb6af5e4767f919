#include "verifier/model/pair_levels.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "verifier/exact/number.h"

namespace oddsbound::model {

namespace {

struct LevelHash {
  std::size_t operator()(const ScaledLevel& level) const {
    const std::size_t unit =
        level.unit().is_infinite() || level.unit().surd() != nullptr ? 7 : level.unit().exponential().hash();
    return unit * 31 + level.square().hash();
  }
};

class PairCollector {
 public:
  explicit PairCollector(Budget& budget) : budget_(budget) {}
  void add(std::uint64_t from, std::uint64_t to, std::size_t bound) {
    budget_.check_every();
    found_.pairs.push_back(
        {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(bound)});
  }
  std::size_t bound_of(ScaledLevel level) {
    const auto [place, added] = index_.try_emplace(level, found_.bounds.size());
    if (added) found_.bounds.push_back(std::move(level));
    return place->second;
  }
  BoundedPairs take() && { return std::move(found_); }

 private:
  Budget& budget_;
  BoundedPairs found_;
  std::unordered_map<ScaledLevel, std::size_t, LevelHash> index_;
};

// Distinct distances have distinct levels, so levels are computed once per distance.
class BoundOfDistance {
 public:
  BoundOfDistance(const PairLevels::ByDistance& by, PairCollector& pairs) : by_(by), pairs_(pairs) {}
  std::size_t operator()(const Number& square) {
    const auto [place, added] = known_.try_emplace(square, 0);
    if (added) place->second = pairs_.bound_of(ScaledLevel::of(by_.unit, square));
    return place->second;
  }

 private:
  const PairLevels::ByDistance& by_;
  PairCollector& pairs_;
  std::unordered_map<Number, std::size_t, NumberHash> known_;
};

// The steps between values next to each other, in both directions.
void add_steps(const Domain& domain, const PairLevels::ByDistance& by, PairCollector& pairs) {
  BoundOfDistance bound_of(by, pairs);
  const Distance& distance = by.distance;
  for (std::size_t k = 0; k < distance.of.size(); ++k) {
    const std::vector<std::uint64_t> values = distance.ascending(k);
    const std::uint64_t stride = domain.stride(distance.of[k]);
    for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
      if (domain.digit(x, distance.of[k]) != 0) continue;
      for (std::size_t v = 0; v + 1 < values.size(); ++v) {
        const std::uint64_t a = x + values[v] * stride, b = x + values[v + 1] * stride;
        const std::size_t bound = bound_of(distance.square_between(domain, a, b));
        pairs.add(a, b, bound);
        pairs.add(b, a, bound);
      }
    }
  }
}

// A shorter integer distance then has a level, too: its exponential is a shorter power of the unit's.
bool is_level_at(const Number& integer, const Level& unit) {
  return ScaledLevel::of(unit, integer * integer).level() != nullptr;
}

}  // namespace

PairLevels::PairLevels(Domain domain, Form form, std::string written)
    : domain_(std::move(domain)), form_(std::move(form)), written_(std::move(written)) {
  roots_ = finds_roots();
}

bool PairLevels::finds_roots() const {
  if (std::holds_alternative<LeastOf>(form_)) return false;
  if (const auto* matrix = std::get_if<Matrix>(&form_)) {
    return std::any_of(matrix->levels.begin(), matrix->levels.end(),
                       [](const ScaledLevel& level) { return level.level() == nullptr; });
  }
  const auto& [distance, unit] = std::get<ByDistance>(form_);
  const auto is_integer = [](const Number& number) { return number.is_integer(); };
  const bool integers = std::all_of(distance.numbers.begin(), distance.numbers.end(), [&](const auto& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), is_integer);
  });
  Number coefficient, exponent;
  const bool rational_unit = unit.exponential().is_monomial(coefficient, exponent) && coefficient.is_one();
  const bool root_of_squares = distance.metric == Metric::kL2 && distance.of.size() > 1;
  if (!root_of_squares && (rational_unit || (integers && is_level_at(distance.largest(), unit)))) return false;
  constexpr std::uint64_t kMostSeen = 1024;  // inputs
  if (!domain_.is_countable() || domain_.input_numbers() > kMostSeen) return true;
  std::unordered_set<Number, NumberHash> squares;
  for (std::uint64_t a = 0; a < domain_.inputs(); ++a) {
    for (std::uint64_t b = a + 1; b < domain_.inputs(); ++b) {
      if (!distance.relates(domain_, a, b)) continue;
      const Number square = distance.square_between(domain_, a, b);
      if (squares.insert(square).second && ScaledLevel::of(unit, square).level() == nullptr) return true;
    }
  }
  return false;
}

bool PairLevels::are_zero() const {
  if (const auto* by = std::get_if<ByDistance>(&form_)) return by->unit.is_zero();
  const auto& levels = std::get<LeastOf>(form_).levels;
  return std::all_of(levels.begin(), levels.end(), [](const Level& level) { return level.is_zero(); });
}

ScaledLevel PairLevels::at(std::uint64_t from, std::uint64_t to) const {
  if (const auto* matrix = std::get_if<Matrix>(&form_)) return matrix->levels[from * domain_.inputs() + to];
  if (const auto* least = std::get_if<LeastOf>(&form_)) return std::min(least->levels[from], least->levels[to]);
  const auto& by = std::get<ByDistance>(form_);
  if (!by.distance.relates(domain_, from, to)) return Level::infinite();
  return ScaledLevel::of(by.unit, by.distance.square_between(domain_, from, to));
}

BoundedPairs sufficient_pairs(const PairLevels& levels, Budget& budget) {
  const Domain& domain = levels.domain();
  const std::uint64_t inputs = domain.inputs();
  PairCollector pairs(budget);
  const auto* by = std::get_if<PairLevels::ByDistance>(&levels.form());
  if (by != nullptr && by->distance.is_sum_of_steps()) {
    add_steps(domain, *by, pairs);
    return std::move(pairs).take();
  }
  budget.require_cells(inputs, inputs);
  if (by != nullptr) {
    BoundOfDistance bound_of(*by, pairs);
    for (std::uint64_t from = 0; from < inputs; ++from) {
      for (std::uint64_t to = 0; to < inputs; ++to) {
        if (from == to || !by->distance.relates(domain, from, to)) continue;
        pairs.add(from, to, bound_of(by->distance.square_between(domain, from, to)));
      }
    }
    return std::move(pairs).take();
  }
  for (std::uint64_t from = 0; from < inputs; ++from) {
    for (std::uint64_t to = 0; to < inputs; ++to) {
      if (from == to) continue;
      ScaledLevel level = levels.at(from, to);
      if (!level.is_infinite()) pairs.add(from, to, pairs.bound_of(std::move(level)));
    }
  }
  return std::move(pairs).take();
}

}  // namespace oddsbound::model
