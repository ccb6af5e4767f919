#include "design/limits.h"

#include <algorithm>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/model/domain.h"

namespace oddsbound::designs {

namespace {

void add_inputs(const Model& model, const Comparison& comparison, Limit& limit) {
  std::map<std::uint64_t, std::size_t> place;
  const auto side_of = [&](std::uint64_t input) {
    const auto [found, is_new] = place.emplace(input, limit.sides.size());
    if (is_new) {
      limit.sides.push_back({{input, Number(1)}});
      limit.names.push_back(model::joined_values(model.domain.tuple(input), ", "));
    }
    return found->second;
  };
  for (const auto& [from, to] : comparison.pairs) {
    const std::size_t a = side_of(from), b = side_of(to);
    limit.pairs.emplace_back(a, b);
  }
}

void add_labels(const Model& model, const Comparison& comparison, Limit& limit) {
  std::vector<Number> mass(comparison.labels.size());
  std::vector<Side> sides(comparison.labels.size());
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    const Number probability = model.prior->probability(x);
    if (probability.is_zero()) continue;
    mass[comparison.label_of[x]] += probability;
    sides[comparison.label_of[x]].emplace_back(x, probability);
    if (!comparison.last_is_everyone) continue;
    mass.back() += probability;
    sides.back().emplace_back(x, probability);
  }
  constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  std::vector<std::size_t> place(sides.size(), kNowhere);
  for (std::size_t label = 0; label < sides.size(); ++label) {
    if (mass[label].is_zero()) continue;
    place[label] = limit.sides.size();
    for (auto& [x, weight] : sides[label]) weight = weight / mass[label];
    limit.sides.push_back(std::move(sides[label]));
    limit.names.push_back(name_of(comparison.labels[label]));
  }
  const auto add = [&](std::uint64_t from, std::uint64_t to) {
    if (place[from] != kNowhere && place[to] != kNowhere) limit.pairs.emplace_back(place[from], place[to]);
  };
  if (comparison.label_pairs) {
    for (const auto& [from, to] : *comparison.label_pairs) add(from, to);
    return;
  }
  for (std::uint64_t from = 0; from < sides.size(); ++from) {
    for (std::uint64_t to = 0; to < sides.size(); ++to) {
      if (from != to) add(from, to);
    }
  }
}

}  // namespace

std::string name_of(const Label& label) {
  if (is_everyone(label)) return "everyone";
  if (const auto* word = std::get_if<std::string>(&label)) return *word;
  return model::joined_values(std::get<std::vector<std::string>>(label), ", ");
}

std::vector<Limit> limits_of(const Model& model, const Definition& definition, std::size_t demand) {
  std::vector<Limit> limits;
  for (const Comparison& comparison : definition) {
    if (comparison.delta.sign() < 0) {
      throw ModelError("no mechanism keeps the probability of '" + name_of(comparison.labels[0]) +
                       "' below the prior one after every output");
    }
    Limit limit;
    limit.demand = demand;
    limit.about = comparison.about;
    limit.level = comparison.level;
    limit.delta = comparison.delta;
    if (comparison.labels.empty()) {
      add_inputs(model, comparison, limit);
    } else {
      add_labels(model, comparison, limit);
    }
    if (!limit.pairs.empty() && !limit.level.is_infinite()) limits.push_back(std::move(limit));
  }
  return limits;
}

Limit limit_of_guesses(const Model& model, std::optional<std::size_t> coordinate, const Level& level,
                       std::size_t demand) {
  Limit limit;
  limit.demand = demand;
  limit.level = level;
  limit.together = true;
  if (coordinate) limit.about = model.domain.coordinate(*coordinate).name;
  std::map<std::uint64_t, Side> sides;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    const Number mass = model.prior->probability(x);
    if (!mass.is_zero()) sides[coordinate ? model.domain.digit(x, *coordinate) : x].emplace_back(x, mass);
  }
  for (auto& [label, side] : sides) {
    Number mass(0);
    for (const auto& [x, weight] : side) mass += weight;
    limit.delta = std::max(limit.delta, mass);
    limit.pairs.emplace_back(limit.sides.size(), sides.size());
    limit.sides.push_back(std::move(side));
    limit.names.push_back(coordinate ? model.domain.coordinate(*coordinate).values[label]
                                     : model::joined_values(model.domain.tuple(label), ", "));
  }
  limit.sides.emplace_back();
  limit.names.emplace_back();
  return limit;
}

Bounds bounds_of(const std::vector<Level>& levels, std::uint64_t denominator) {
  Bounds bounds;
  const Number parts(static_cast<std::int64_t>(denominator));
  for (const Level& level : levels) {
    const Number exponential = level.exponential();
    const bool exact = denominator == 0 || exponential.is_rational();
    bounds.below.push_back(exact ? exponential : std::max(Number(1), floor_of(exponential * parts) / parts));
    bounds.above.push_back(exact ? exponential : -floor_of(-(exponential * parts)) / parts);
  }
  return bounds;
}

std::vector<Level> levels_of(const std::vector<Limit>& limits) {
  std::vector<Level> levels;
  for (const Limit& limit : limits) levels.push_back(limit.level);
  return levels;
}

void leave_out_implied(std::vector<Limit>& limits) {
  struct Known {
    const Number* exact;
    double about;
  };
  std::map<std::uint64_t, std::map<std::uint64_t, Known>> bounds;  // by input from, and to
  for (const Limit& limit : limits) {
    const bool of_inputs =
        std::all_of(limit.sides.begin(), limit.sides.end(), [](const Side& side) { return side.size() == 1; });
    if (!of_inputs || !limit.delta.is_zero() || limit.level.surd() != nullptr) return;
    const Known bound{&limit.level.exponential(), limit.level.exponential().approx()};
    for (const auto& [from, to] : limit.pairs) {
      const auto [known, is_new] = bounds[limit.sides[from][0].first].emplace(limit.sides[to][0].first, bound);
      if (!is_new && *bound.exact < *known->second.exact) known->second = bound;
    }
  }
  const auto is_implied = [&](std::uint64_t from, std::uint64_t to, const Number& exact, double about) {
    constexpr double kRoom = 1 + 1e-9;
    for (const auto& [middle, first] : bounds[from]) {
      Budget::work_on(0);
      if (middle == to || first.about <= 1) continue;
      const auto second = bounds[middle].find(to);
      if (second == bounds[middle].end() || second->second.about <= 1) continue;
      if (first.about * second->second.about > about * kRoom) continue;
      if (*first.exact * *second->second.exact <= exact) return true;
    }
    return false;
  };
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> kept;
  for (const Limit& limit : limits) {
    const Number& exact = limit.level.exponential();
    std::vector<std::pair<std::size_t, std::size_t>>& pairs = kept.emplace_back();
    for (const auto& [from, to] : limit.pairs) {
      if (is_implied(limit.sides[from][0].first, limit.sides[to][0].first, exact, exact.approx())) continue;
      pairs.emplace_back(from, to);
    }
  }
  for (std::size_t k = 0; k < limits.size(); ++k) limits[k].pairs = std::move(kept[k]);
  std::erase_if(limits, [](const Limit& limit) { return limit.pairs.empty(); });
}

std::size_t Inequalities::unknowns(std::size_t count) {
  const std::size_t first = equations_.columns.size();
  equations_.columns.resize(first + count);
  return first;
}

std::size_t Inequalities::add(const Form& form, Number right) {
  Budget::work_on(form.size());
  const std::size_t row = equations_.right.size();
  equations_.right.push_back(std::move(right));
  for (const auto& [column, number] : form) {
    if (!number.is_zero()) equations_.columns[column].emplace_back(row, number);
  }
  return row;
}

std::size_t Inequalities::equal(const Form& form, Number right) { return add(form, std::move(right)); }

std::size_t Inequalities::at_most(Form form, const Number& right) {
  if (once_) {
    std::vector<std::pair<std::size_t, std::string>> key;
    for (const auto& [column, number] : form) {
      if (!number.is_zero()) key.emplace_back(column, number.to_string());
    }
    key.emplace_back(0, right.to_string());
    const auto [known, is_new] = known_.emplace(std::move(key), equations_.right.size());
    if (!is_new) return known->second;
  }
  const std::size_t slack = unknown();
  form[slack] = Number(1);
  return add(form, right);
}

namespace {

Number others_of(std::uint64_t values) { return Number(static_cast<std::int64_t>(values) - 1); }

}  // namespace

Level level_of_height(const Number& height) {
  return height.is_one() ? Level::infinite() : Level::of_exponential(Number(1) / (Number(1) - height));
}

Number height_of_level(const Level& level) {
  return level.is_infinite() ? Number(1) : Number(1) - Number(1) / level.exponential();
}

Number truth_share(const Number& height, std::uint64_t values) {
  return Number(1) / (Number(1) + others_of(values) * (Number(1) - height));
}

std::optional<Number> estimate_norm(const Number& height, std::uint64_t values) {
  const Number others = others_of(values);
  if (others.is_zero()) return Number(1);
  if (height.is_zero()) return std::nullopt;
  const Number k = others + Number(1);
  const Number inverse = Number(1) + k * (Number(1) - height) / height;  // 1/t
  return (others * inverse * inverse + Number(1)) / k;
}

}  // namespace oddsbound::designs
