#include "verifier/engine/likelihoods.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "verifier/model/prior.h"

namespace oddsbound::engine {

namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();
// Products of two numbers in this range keep full double precision.
constexpr double kLeast = 1e-140;
constexpr double kMost = 1e140;

// Returns an approximation clamped to this range; sets `error` to infinity if the number is outside it.
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

// For every joint value of the coordinates `all`, returns the index of its restriction to `some`.
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

// Advances to the next choice of one ray per set; returns false after the last one.
bool next_choice(std::vector<std::uint32_t>& choice, const std::vector<const RaySet*>& sets) {
  for (std::size_t k = choice.size(); k-- > 0;) {
    if (++choice[k] < sets[k]->rays.size()) return true;
    choice[k] = 0;
  }
  return false;
}

// Returns true if only one part has several rays and the sum maps it to at least as many states. Hardly any ray
// becomes redundant then, so pruning is skipped.
bool is_image(const RaySet& set) {
  const RaySet* several = nullptr;
  for (const RaySet* part : set.made_of) {
    if (part->rays.size() == 1) continue;
    if (several != nullptr) return false;
    several = part;
  }
  return several != nullptr && several->states <= set.states;
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
      budget_.check_every();
      shares.push_back(within_range(part.factor.entries[y][c], set.error));
    }
    outputs.push_back(y);
  }
  return kept(std::move(set), std::move(shares), std::move(outputs), Kept::kNeeded);
}

const RaySet& Likelihoods::product(const RaySet& a, const RaySet& b) {
  const RaySet*& known = products_[std::minmax(&a, &b)];
  if (known != nullptr) return *known;
  const Scope& all = a.over.size() >= b.over.size() ? a.over : b.over;
  RaySet set;
  set.over = all;
  set.made_of = {&a, &b};
  known = &combined(std::move(set), all, Kept::kNeeded);
  return *known;
}

const RaySet& Likelihoods::summed_keeping(const WeightTable& table, std::vector<const RaySet*> of, const Scope& onto,
                                          Kept which) {
  RaySet set;
  set.over = onto;
  set.made_of = std::move(of);
  set.cells = table.cells;
  set.table = &table;
  return combined(std::move(set), table.over, which);
}

const RaySet& Likelihoods::combined(RaySet set, const Scope& all, Kept which) {
  set.state = states_within(shape_, all, set.over);
  set.states = 1;
  for (const std::size_t i : set.over) set.states *= shape_[i];
  double choices = 1;
  for (const RaySet* part : set.made_of) {
    set.state_of.push_back(states_within(shape_, all, part->over));
    set.error += part->error;
    set.slack += part->slack;
    set.step = std::max(set.step, part->step);
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
  if (which == Kept::kNeeded && is_image(set)) which = Kept::kAll;
  do {
    const std::size_t begin = shares.size();
    shares.resize(begin + set.states);
    for (std::size_t t = 0; t < set.state.size(); ++t) {
      budget_.check_every();
      double product = cells.empty() ? 1 : cells[t];
      for (std::size_t k = 0; k < choice.size(); ++k) {
        const double share = set.made_of[k]->rays[choice[k]].shares[set.state_of[k][t]];
        product = product_within_range(product, share, set.error);
      }
      shares[begin + set.state[t]] += product;
    }
    parts.insert(parts.end(), choice.begin(), choice.end());
  } while (next_choice(choice, set.made_of));
  return kept(std::move(set), std::move(shares), std::move(parts), which);
}

// Keeps the rays that are possible (not 0 everywhere) and needed.
const RaySet& Likelihoods::kept(RaySet set, std::vector<double> shares, std::vector<std::uint32_t> parts, Kept which) {
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
  const auto parts_of = [&](std::size_t r) { return std::span(parts).subspan(possible[r] * width, width); };
  cloud.exact = [&](std::size_t r) { return made_of<Number>(set, parts_of(r)); };
  cloud.enclosed = [&](std::size_t r) { return made_of<Interval>(set, parts_of(r)); };
  const std::vector<std::size_t> rays = needed(cloud, set, which);
  if (keeping_.recorded) record(set, rays, possible);
  for (const std::size_t r : rays) {
    const std::span<const std::uint32_t> own = parts_of(r);
    set.rays.push_back({{cloud.ray(r), cloud.ray(r) + set.states}, {own.begin(), own.end()}});
  }
  return sets_.emplace_back(std::move(set));
}

// Adds the error of leaving out rays to the slack of the set.
std::vector<std::size_t> Likelihoods::needed(const RayCloud& cloud, RaySet& set, Kept which) {
  std::vector<std::size_t> rays(cloud.size());
  std::iota(rays.begin(), rays.end(), std::size_t{0});
  // No reason is recorded for rays that lose only against larger ratios, so these rays stay.
  if (which == Kept::kAll || (which == Kept::kLeading && keeping_.recorded)) return rays;
  if (which == Kept::kLeading) rays = leading_rays(cloud, budget_);
  if (keeping_.most == 0) return which == Kept::kLeading ? rays : outstanding_rays(cloud);
  // If rays were left out already, leaving out others at the same distance at most doubles the slack.
  const double least_slack = std::max(keeping_.least_slack, set.step);
  const RayCloud part = some_of(cloud, rays);
  NeededRays needed = needed_rays(part, keeping_.most, least_slack, budget_, keeping_.recorded);
  set.left_out = std::move(needed.left_out);
  set.slack += needed.slack;
  set.step = std::max(set.step, needed.slack);
  std::vector<std::size_t> result;
  for (const std::size_t r : needed.rays) result.push_back(rays[r]);
  return result;
}

// Translates indices of possible rays to indices of all rays.
void Likelihoods::record(RaySet& set, const std::vector<std::size_t>& kept, std::span<const std::size_t> number_of) {
  for (const std::size_t r : kept) set.kept.push_back(number_of[r]);
  for (RedundantRay& out : set.left_out) {
    out.ray = number_of[out.ray];
    for (std::size_t& r : out.of) r = number_of[r];
  }
}

template <class Entry>
std::vector<Entry> Likelihoods::made_of(const RaySet& set, std::span<const std::uint32_t> parts) const {
  std::vector<Entry> result(set.states);
  if (set.factor) {
    const SeenPart& part = parts_[*set.factor];
    for (std::size_t x = 0; x < result.size(); ++x) result[x] = Entry(part.factor.entries[parts[0]][part.class_of[x]]);
    return result;
  }
  Budget* const own = Budget::current();  // of the thread: a budget counts without locks
  for (std::size_t t = 0; t < set.state.size(); ++t) {
    (own != nullptr ? *own : budget_).check_every();
    Entry product(set.cells.empty() ? Number(1) : set.cells[t]);
    for (std::size_t k = 0; k < parts.size() && !product.is_zero(); ++k) {
      product *= made<Entry>(*set.made_of[k], parts[k])[set.state_of[k][t]];
    }
    result[set.state[t]] += product;
  }
  return result;
}

// Computes the rays that it is made of first, with an explicit stack: recursion could overflow on long chains.
template <class Entry>
const std::vector<Entry>& Likelihoods::made(const RaySet& set, std::size_t ray) const {
  const auto entries = [](const RaySet& of, std::size_t r) -> std::vector<Entry>& {
    return std::get<std::vector<Entry>>(of.rays[r].made);
  };
  std::vector<std::pair<const RaySet*, std::size_t>> waiting{{&set, ray}};
  while (!waiting.empty()) {
    const auto [next, r] = waiting.back();
    const std::vector<std::uint32_t>& parts = next->rays[r].parts;
    const bool is_made = !entries(*next, r).empty();
    const std::size_t before = waiting.size();
    for (std::size_t k = 0; !is_made && k < next->made_of.size(); ++k) {
      if (entries(*next->made_of[k], parts[k]).empty()) waiting.emplace_back(next->made_of[k], parts[k]);
    }
    if (waiting.size() > before) continue;
    waiting.pop_back();
    if (!is_made) entries(*next, r) = made_of<Entry>(*next, parts);
  }
  return entries(set, ray);
}

template const std::vector<Number>& Likelihoods::made(const RaySet& set, std::size_t ray) const;

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

}  // namespace oddsbound::engine
