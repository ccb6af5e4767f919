#include "verifier/networks/likelihoods.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "verifier/model/priors/kind.h"
#include "verifier/networks/ray_hull.h"

namespace oddsbound::networks {

namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();
// Products of two numbers within these have all their bits.
constexpr double kLeast = 1e-140;
constexpr double kMost = 1e140;

// An approximation within these; `error` becomes infinite if the number is not.
double within_range(const Number& number, double& error) {
  if (number.is_zero()) return 0;
  const double value = number.approx();
  if (value >= kLeast && value <= kMost) return value;
  error = std::numeric_limits<double>::infinity();
  return value > 1 ? kMost : kLeast;
}

double product_within_range(double a, double b, double& error) {
  if (a == 0 || b == 0) return 0;
  const double product = a * b;
  if (product >= kLeast && product <= kMost) return product;
  error = std::numeric_limits<double>::infinity();
  return product > 1 ? kMost : kLeast;
}

// For every joint value of some coordinates, that of others among them.
std::vector<std::uint32_t> states_within(const DomainShape& shape, const Scope& all, const Scope& some) {
  std::vector<std::uint32_t> states;
  const DomainShape part = part_of(shape, all);
  std::vector<std::size_t> places;
  for (const std::size_t i : some) {
    places.push_back(static_cast<std::size_t>(std::find(all.begin(), all.end(), i) - all.begin()));
  }
  InputRow row(all.size());
  do {
    states.push_back(static_cast<std::uint32_t>(index_of(part, row, places)));
  } while (advance(row, part));
  return states;
}

// Goes on to the next choice of one ray of each set; false after the last one.
bool next_choice(std::vector<std::uint32_t>& choice, const std::vector<const RaySet*>& sets) {
  for (std::size_t k = choice.size(); k-- > 0;) {
    if (++choice[k] < sets[k]->rays.size()) return true;
    choice[k] = 0;
  }
  return false;
}

}  // namespace

const RaySet& Likelihoods::of_factor(std::size_t f) {
  const SeenPart& part = parts_[f];
  RaySet set;
  set.over = part.over;
  set.states = part.class_of.size();
  set.factor = f;
  set.error = 4 * kRounding;
  std::vector<double> shares;
  std::vector<std::uint32_t> outputs;
  for (std::uint32_t y = 0; y < part.factor.outputs.size(); ++y) {
    for (const std::uint32_t c : part.class_of) {
      budget_.tick();
      shares.push_back(within_range(part.factor.entries[y][c], set.error));
    }
    outputs.push_back(y);
  }
  return kept(std::move(set), std::move(shares), std::move(outputs));
}

const RaySet& Likelihoods::product(const RaySet& a, const RaySet& b) {
  const Scope& all = a.over.size() >= b.over.size() ? a.over : b.over;
  RaySet set;
  set.over = all;
  set.made_of = {&a, &b};
  return combined(std::move(set), all);
}

const RaySet& Likelihoods::summed(const WeightTable& table, std::vector<const RaySet*> of, const Scope& onto) {
  RaySet set;
  set.over = onto;
  set.made_of = std::move(of);
  set.cells = table.cells;
  return combined(std::move(set), table.over);
}

const RaySet& Likelihoods::combined(RaySet set, const Scope& all) {
  set.state = states_within(shape_, all, set.over);
  set.states = 1;
  for (const std::size_t i : set.over) set.states *= shape_[i];
  double choices = 1;
  for (const RaySet* part : set.made_of) {
    set.state_of.push_back(states_within(shape_, all, part->over));
    set.error += part->error;
    set.slack += part->slack;
    choices *= static_cast<double>(part->rays.size());
  }
  set.error += static_cast<double>(set.made_of.size() + set.state.size() + 8) * kRounding;
  budget_.require_memory(static_cast<std::uint64_t>(
      std::min(1e18, choices * static_cast<double>(4 * (8 * set.states + 4 * set.made_of.size())))));
  std::vector<double> cells;
  for (const Number& cell : set.cells) cells.push_back(within_range(cell, set.error));
  std::vector<double> shares;
  std::vector<std::uint32_t> parts;
  std::vector<std::uint32_t> choice(set.made_of.size());
  do {
    const std::size_t begin = shares.size();
    shares.resize(begin + set.states);
    for (std::size_t t = 0; t < set.state.size(); ++t) {
      budget_.tick();
      double product = cells.empty() ? 1 : cells[t];
      for (std::size_t k = 0; k < choice.size(); ++k) {
        const double share = set.made_of[k]->rays[choice[k]].shares[set.state_of[k][t]];
        product = product_within_range(product, share, set.error);
      }
      shares[begin + set.state[t]] += product;
    }
    parts.insert(parts.end(), choice.begin(), choice.end());
  } while (next_choice(choice, set.made_of));
  return kept(std::move(set), std::move(shares), std::move(parts));
}

// Of all rays, those that are possible and needed.
const RaySet& Likelihoods::kept(RaySet set, std::vector<double> shares, std::vector<std::uint32_t> parts) {
  const std::size_t all = shares.size() / set.states;
  const std::size_t width = parts.size() / all;
  RayCloud cloud;
  cloud.states = set.states;
  std::vector<std::size_t> possible;
  for (std::size_t r = 0; r < all; ++r) {
    const auto begin = shares.begin() + static_cast<std::ptrdiff_t>(r * set.states);
    const auto end = begin + static_cast<std::ptrdiff_t>(set.states);
    const double sum = std::accumulate(begin, end, 0.0);
    if (sum == 0) continue;
    possible.push_back(r);
    for (auto share = begin; share != end; ++share) {
      cloud.entries.push_back(product_within_range(*share, 1 / sum, set.error));
    }
  }
  set.error += 2 * kRounding;
  cloud.error = set.error;
  std::vector<std::vector<Number>> exact(possible.size());
  const auto parts_of = [&](std::size_t r) { return std::span(parts).subspan(possible[r] * width, width); };
  cloud.exact = [&](std::size_t r) -> const std::vector<Number>& {
    if (exact[r].empty()) exact[r] = made_exactly(set, parts_of(r));
    return exact[r];
  };
  // Where rays were left out already, a tenth of what that may cost is no loss.
  const double least_slack = std::max(keeping_.least_slack, set.slack / 10);
  const NeededRays needed = keeping_.most == 0 ? NeededRays{outstanding_rays(cloud), 0}
                                               : needed_rays(cloud, keeping_.most, least_slack, budget_);
  set.slack += needed.slack;
  for (const std::size_t r : needed.rays) {
    const std::span<const std::uint32_t> own = parts_of(r);
    set.rays.push_back({{cloud.ray(r), cloud.ray(r) + set.states}, {own.begin(), own.end()}, std::move(exact[r])});
  }
  return sets_.emplace_back(std::move(set));
}

std::vector<Number> Likelihoods::made_exactly(const RaySet& set, std::span<const std::uint32_t> parts) const {
  std::vector<Number> result(set.states);
  if (set.factor) {
    const SeenPart& part = parts_[*set.factor];
    for (std::size_t x = 0; x < result.size(); ++x) result[x] = part.factor.entries[parts[0]][part.class_of[x]];
    return result;
  }
  for (std::size_t t = 0; t < set.state.size(); ++t) {
    budget_.tick();
    Number product = set.cells.empty() ? Number(1) : set.cells[t];
    for (std::size_t k = 0; k < parts.size() && !product.is_zero(); ++k) {
      product *= exact(*set.made_of[k], parts[k])[set.state_of[k][t]];
    }
    result[set.state[t]] += product;
  }
  return result;
}

// The rays that it is made of come first: chains of them may be longer than a stack is deep.
const std::vector<Number>& Likelihoods::exact(const RaySet& set, std::size_t ray) const {
  std::vector<std::pair<const RaySet*, std::size_t>> waiting{{&set, ray}};
  while (!waiting.empty()) {
    const auto [next, r] = waiting.back();
    const Ray& wanted = next->rays[r];
    const std::size_t before = waiting.size();
    for (std::size_t k = 0; wanted.exact.empty() && k < next->made_of.size(); ++k) {
      if (next->made_of[k]->rays[wanted.parts[k]].exact.empty())
        waiting.emplace_back(next->made_of[k], wanted.parts[k]);
    }
    if (waiting.size() > before) continue;
    waiting.pop_back();
    if (wanted.exact.empty()) wanted.exact = made_exactly(*next, wanted.parts);
  }
  return set.rays[ray].exact;
}

void Likelihoods::outputs_of(const RaySet& set, std::size_t ray, std::vector<std::uint32_t>& outputs) const {
  std::vector<std::pair<const RaySet*, std::size_t>> waiting{{&set, ray}};
  while (!waiting.empty()) {
    const auto [next, r] = waiting.back();
    waiting.pop_back();
    const Ray& reached = next->rays[r];
    if (next->factor) outputs[*next->factor] = reached.parts[0];
    for (std::size_t k = 0; k < next->made_of.size(); ++k) waiting.emplace_back(next->made_of[k], reached.parts[k]);
  }
}

}  // namespace oddsbound::networks
