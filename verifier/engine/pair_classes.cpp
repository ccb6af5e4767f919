#include "verifier/engine/pair_classes.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "verifier/model/product_channel.h"

namespace oddsbound::engine {

namespace {

// The ratio of a kind of outputs is larger than that of another one. Kinds that are impossible given the first input
// are no candidates.
bool has_larger_ratio(const PairedOutputs& a, const PairedOutputs& b) {
  if (a.given_from.is_zero() || b.given_from.is_zero()) return !a.given_from.is_zero() && b.given_from.is_zero();
  return compare_products(a.given_from, b.given_to, b.given_from, a.given_to) > 0;
}

std::size_t worst_kind(const std::vector<PairedOutputs>& part) {
  std::size_t worst = 0;
  for (std::size_t k = 1; k < part.size(); ++k) {
    if (has_larger_ratio(part[k], part[worst])) worst = k;
  }
  return worst;
}

std::vector<std::size_t> worst_kinds(const PairClass& one) {
  std::vector<std::size_t> kinds;
  for (const auto& part : one.parts) kinds.push_back(worst_kind(part));
  return kinds;
}

// The level of the class.
Level level_of(const PairClass& one) {
  Level level;
  for (const auto& part : one.parts) {
    const PairedOutputs& worst = part[worst_kind(part)];
    level = level + level_between(worst.given_from, worst.given_to);
  }
  return level;
}

// The probabilities of an output given two inputs, without the factors that both have: with a million bits, the
// probabilities themselves are too long to compute.
std::pair<Number, Number> reduced_entries(const Channel& channel, std::uint64_t from, std::uint64_t to,
                                          std::span<const std::uint64_t> output) {
  const auto* product = dynamic_cast<const ProductChannel*>(&channel);
  if (product == nullptr) return {channel.entry_of(from, output), channel.entry_of(to, output)};
  std::pair<Number, Number> reduced{Number(1), Number(1)};
  const std::span<const Factor> factors = channel.factors();
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const std::uint64_t a = product->factor_input(f, from), b = product->factor_input(f, to);
    const Number p = factors[f].channel->entry(a, output[f]);
    const Number q = a == b ? p : factors[f].channel->entry(b, output[f]);
    if (p == q && !p.is_zero()) continue;
    reduced.first *= p;
    reduced.second *= q;
  }
  return reduced;
}

bool reaches(const Channel& channel, std::uint64_t from, std::uint64_t to, std::span<const std::uint64_t> output,
             const Level& level) {
  const auto [p_from, p_to] = reduced_entries(channel, from, to, output);
  return !p_from.is_zero() && p_from >= p_to && level_between(p_from, p_to) == level;
}

}  // namespace

std::vector<Factor> units_of_model(const Model& model) {
  std::vector<Factor> units = units_of(*model.channel);
  if (units.empty()) units.push_back({model.channel, every_coordinate(model.domain)});
  return units;
}

std::optional<DeclaredPairs> DeclaredPairs::of(const Model& model) {
  DeclaredPairs pairs(model);
  pairs.seen_by_.resize(model.domain.size());
  std::map<const Channel*, std::shared_ptr<const std::vector<PairClass>>> known;
  const std::vector<Factor> units = units_of_model(model);
  for (const Factor& unit : units) {
    auto& classes = known[unit.channel.get()];
    const bool compares = unit.channel->input_numbers() > 1;
    if (compares && !classes) {
      const WithPairClasses* declaring = with_pair_classes(*unit.channel);
      if (declaring == nullptr) return std::nullopt;
      classes = std::make_shared<const std::vector<PairClass>>(declaring->pair_classes());
    }
    for (const std::size_t i : unit.coordinates) pairs.seen_by_[i].push_back(pairs.units_.size());
    const std::size_t before = pairs.units_.empty() ? 0 : pairs.units_.back().first_word + pairs.units_.back().words;
    pairs.units_.push_back({unit.channel, classes, Projection(model.domain, unit.coordinates), before,
                            std::max<std::size_t>(1, unit.channel->factors().size())});
  }
  const bool repeats = std::all_of(units.begin(), units.end(), [&](const Factor& unit) {
    return unit.channel == units[0].channel && unit.coordinates == units[0].coordinates;
  });
  if (repeats) pairs.repeated_ = units[0].coordinates;
  return pairs;
}

std::vector<DeclaredPairs::Pair> DeclaredPairs::pairs_of_repeated(const std::vector<std::size_t>& coordinates) const {
  std::vector<Pair> pairs;
  const auto row_of = [&](std::uint64_t x) {
    InputRow row(model_->domain.size());
    for (auto i = coordinates.rbegin(); i != coordinates.rend(); ++i) {
      row[*i] = static_cast<std::uint32_t>(x % model_->domain.values(*i));
      x /= model_->domain.values(*i);
    }
    return row;
  };
  const std::vector<PairClass>& classes = *units_[0].classes;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    pairs.push_back({row_of(classes[c].from), row_of(classes[c].to), c});
    for (std::size_t u = 0; u < units_.size(); ++u) pairs.back().units.push_back(u);
  }
  return pairs;
}

std::optional<std::vector<DeclaredPairs::Pair>> DeclaredPairs::worst_within(
    const std::vector<std::size_t>& group) const {
  const Domain& domain = model_->domain;
  const auto differs = [&](std::size_t i) {
    return domain.values(i) > 1 && std::find(group.begin(), group.end(), i) != group.end();
  };
  if (!std::all_of(units_.begin(), units_.end(), [&](const Unit& unit) { return has_one_class(unit); })) {
    // Classes are for pairs that may differ in all coordinates of the unit.
    const bool all = repeated_ && std::all_of(repeated_->begin(), repeated_->end(),
                                              [&](std::size_t i) { return domain.values(i) == 1 || differs(i); });
    return all ? std::optional(pairs_of_repeated(*repeated_)) : std::nullopt;
  }
  InputRow from(domain.size()), to(domain.size());
  for (const std::size_t i : group) to[i] = domain.values(i) > 1 ? 1 : 0;
  return std::vector{*between(from, to)};
}

std::optional<DeclaredPairs::Pair> DeclaredPairs::between(const InputRow& from, const InputRow& to) const {
  Pair pair{from, to};
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != to[i]) pair.units.insert(pair.units.end(), seen_by_[i].begin(), seen_by_[i].end());
  }
  std::sort(pair.units.begin(), pair.units.end());
  pair.units.erase(std::unique(pair.units.begin(), pair.units.end()), pair.units.end());
  const bool known =
      std::all_of(pair.units.begin(), pair.units.end(), [&](std::size_t u) { return units_[u].classes->size() == 1; });
  return known ? std::optional(std::move(pair)) : std::nullopt;
}

std::vector<std::pair<const PairClass*, std::uint64_t>> DeclaredPairs::classes_of(const Pair& pair) const {
  std::vector<std::pair<const PairClass*, std::uint64_t>> counts;
  std::unordered_map<const PairClass*, std::size_t> places;
  for (const std::size_t u : pair.units) {
    const PairClass* own = &(*units_[u].classes)[pair.index];
    const auto [place, added] = places.try_emplace(own, counts.size());
    if (added) counts.emplace_back(own, 0);
    ++counts[place->second].second;
  }
  return counts;
}

Level DeclaredPairs::level(const Pair& pair) const {
  Level level;
  for (const auto& [one, times] : classes_of(pair)) {
    level = level + level_of(*one).times(static_cast<std::int64_t>(times));
  }
  return level;
}

std::vector<std::uint64_t> DeclaredPairs::worst_output(const Unit& unit, const Pair& pair) const {
  const std::uint64_t from = unit.project(pair.from), to = unit.project(pair.to);
  const PairClass& own = (*unit.classes)[pair.index];
  std::vector<std::uint64_t> output = own.output(from, to, worst_kinds(own));
  if (!reaches(*unit.channel, from, to, output, level_of(own))) {
    throw std::logic_error("a declared class of pairs is not that of inputs " + std::to_string(from) + " and " +
                           std::to_string(to));
  }
  return output;
}

std::vector<std::uint64_t> DeclaredPairs::possible_output(const Unit& unit, const InputRow& row) const {
  const std::uint64_t x = unit.project(row);
  if (unit.classes) {
    std::vector<std::size_t> kinds;
    for (const auto& part : unit.classes->front().parts) {
      const auto possible =
          std::find_if(part.begin(), part.end(), [](const PairedOutputs& kind) { return !kind.given_from.is_zero(); });
      kinds.push_back(static_cast<std::size_t>(possible - part.begin()));
    }
    return unit.classes->front().output(x, x == 0 ? 1 : 0, kinds);
  }
  std::uint64_t y = 0;
  while (unit.channel->entry(x, y).is_zero()) ++y;
  return {y};
}

std::vector<std::uint64_t> DeclaredPairs::output(const Pair& pair) const {
  std::vector<std::uint64_t> output(units_.back().first_word + units_.back().words);
  std::vector<bool> differs(units_.size(), false);
  for (const std::size_t u : pair.units) differs[u] = true;
  std::map<std::tuple<const Channel*, std::uint64_t, std::uint64_t>, std::vector<std::uint64_t>> known;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const Unit& unit = units_[u];
    const auto [place, added] = known.try_emplace({unit.channel.get(), unit.project(pair.from), unit.project(pair.to)});
    if (added) place->second = differs[u] ? worst_output(unit, pair) : possible_output(unit, pair.from);
    std::copy(place->second.begin(), place->second.end(),
              output.begin() + static_cast<std::ptrdiff_t>(unit.first_word));
  }
  return output;
}

std::vector<std::pair<LossDistribution, std::uint64_t>> DeclaredPairs::losses(const Pair& pair) const {
  std::vector<std::pair<LossDistribution, std::uint64_t>> losses;
  for (const auto& [one, times] : classes_of(pair)) {
    for (const auto& part : one->parts) {
      std::vector<Number> p, q;
      for (const PairedOutputs& kind : part) {
        p.push_back(kind.given_from);
        q.push_back(kind.given_to);
      }
      losses.emplace_back(LossDistribution::of(p, q), times);
    }
  }
  return losses;
}

std::optional<InputLevel> declared_level(const std::shared_ptr<const DeclaredPairs>& pairs,
                                         const std::shared_ptr<const Model>& model,
                                         const std::vector<std::size_t>& group) {
  const auto found = pairs->worst_within(group);
  if (!found) return std::nullopt;
  std::size_t worst = 0;
  Level largest = pairs->level(found->front());
  for (std::size_t k = 1; k < found->size(); ++k) {
    Level own = pairs->level((*found)[k]);
    if (own <= largest) continue;
    worst = k;
    largest = std::move(own);
  }
  return InputLevel{largest, Lazy<InputPair>::made_by([pairs, model, group, worst] {
                      const DeclaredPairs::Pair pair = pairs->worst_within(group)->at(worst);
                      return InputPair{pairs->output(pair), pair.from, pair.to};
                    })};
}

namespace {

double pairs_by_outputs(const Channel& channel) {
  const auto inputs = static_cast<double>(channel.input_numbers());
  return inputs * inputs * static_cast<double>(channel.outputs());
}

}  // namespace

bool has_many_pairs(const Channel& channel) { return pairs_by_outputs(channel) > 0x1p24; }

bool has_pairs_to_class(const Channel& channel) { return pairs_by_outputs(channel) > 0x1p12; }

bool has_large_unit(const Model& model) {
  const std::vector<Factor> units = units_of_model(model);
  return std::any_of(units.begin(), units.end(), [](const Factor& unit) { return has_many_pairs(*unit.channel); });
}

}  // namespace oddsbound::engine
