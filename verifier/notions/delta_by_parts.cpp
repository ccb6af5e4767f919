#include "verifier/notions/delta_by_parts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/errors.h"
#include "verifier/engine/pair_classes.h"
#include "verifier/engine/refined_losses.h"
#include "verifier/exact/decimal.h"
#include "verifier/notions/listed_events.h"

namespace oddsbound::notions {

namespace {

// Pairs of losses that are multiplied at most: always, and if bounds do not decide the claim.
constexpr double kMostLosses = 0x1p16, kMostLossesToDecide = 0x1p20;
constexpr double kMostIrrationalLosses = 0x1p12;  // sums of quotients in exp are slow

// The same two limits for the binary digits of all masses together.
constexpr double kMostDigits = 0x1p30, kMostDigitsToDecide = 0x1p32;

// The number of sums if none are equal.
double combinations_of(const LossProduct& product) {
  double all = 1;
  for (const auto& [losses, times] : product) all *= losses->atoms_of_power(times);
  return all;
}

// Binary digits of all masses together, about.
double digits_of(const LossProduct& product) {
  double each = 0;
  for (const auto& [losses, times] : product) {
    std::size_t own = 1;
    for (const LossDistribution::Atom& atom : losses->atoms()) own = std::max(own, atom.mass.bits());
    each += static_cast<double>(own) * static_cast<double>(times);
  }
  return each * combinations_of(product);
}

}  // namespace

std::optional<LossDistribution> listed_losses(const LossProduct& product, bool to_decide, Budget& budget) {
  if (digits_of(product) > (to_decide ? kMostDigitsToDecide : kMostDigits)) return std::nullopt;
  const double most = to_decide ? kMostLossesToDecide : kMostLosses;
  const bool rational = std::all_of(product.begin(), product.end(), [](const engine::IndependentLosses& part) {
    return std::all_of(part.losses->atoms().begin(), part.losses->atoms().end(),
                       [](const LossDistribution::Atom& atom) { return atom.mass.is_rational(); });
  });
  return engine::composed(product, rational ? most : kMostIrrationalLosses, budget);
}

const std::optional<ListedNeighbors>& losses_within(MeasuredModel& subject, const std::vector<std::size_t>& group) {
  std::string key = "loss distributions of neighbors in";
  for (const std::size_t i : group) key += " " + std::to_string(i);
  return subject.remember(key, [&]() -> std::optional<ListedNeighbors> {
    const bool bounded = !subject.can_enumerate();
    auto worst = engine::worst_neighbors(subject.model(), group, most_kinds(subject), bounded, subject.budget());
    if (!worst) return std::nullopt;
    ListedNeighbors listed{std::move(worst->pairs), {}, std::move(worst->above)};
    for (const NeighborLosses& pair : listed.pairs) {
      listed.listed.push_back(listed_losses(pair.losses, false, subject.budget()));
    }
    return listed;
  });
}

MeasuredNumber no_delta(const Domain& domain) {
  MeasuredNumber none;
  none.witness.likelihood_event = true;
  none.witness.from = none.witness.to = domain.tuple(InputRow(domain.size()));
  return none;
}

namespace {

// The largest delta of some pairs of neighbors at one epsilon.
class DeltaByParts {
 public:
  DeltaByParts(const Level& epsilon, const Number& claimed, MeasuredModel& subject)
      : factor_(epsilon.exponential()), claimed_(claimed), subject_(subject), worst_(no_delta(subject.domain())) {}

  void offer(const ListedNeighbors& neighbors) {
    for (std::size_t k = 0; k < neighbors.pairs.size(); ++k) {
      const NeighborLosses& pair = neighbors.pairs[k];
      neighbors.listed[k] ? take(pair, *neighbors.listed[k]) : unlisted_.push_back(&pair);
    }
    if (neighbors.above) above_.push_back(&*neighbors.above);
  }

  MeasuredNumber worst() {
    MeasuredNumber worst = listed_or_bounded();
    if (best_ != nullptr && !worst.unfinished && !has_described_events(subject_.channel())) {
      list_event(subject_, best_->from, best_->to, factor_, worst.witness);
    }
    return worst;
  }

 private:
  MeasuredNumber listed_or_bounded() {
    if (unlisted_.empty() && above_.empty()) return worst_;
    const MeasuredNumber listed = worst_;
    const bool found = found_;
    const NeighborLosses* const best = best_;
    for (const double gap : {kGap, kSmallestGap}) {
      worst_ = listed;
      found_ = found;
      best_ = best;
      bound(gap);
      if (!is_open()) return worst_;
    }
    const MeasuredNumber bounded = std::exchange(worst_, listed);
    found_ = found;
    best_ = best;
    if (!above_.empty()) return bounded;
    for (const NeighborLosses* pair : unlisted_) {
      if (combinations_of(pair->losses) > 16 * kMostLossesToDecide) return bounded;
      const auto losses = listed_losses(pair->losses, true, subject_.budget());
      if (!losses) return bounded;
      take(*pair, *losses);
    }
    return worst_;
  }

  // Relative gaps between the bounds: wanted, and if a claim lies between them.
  static constexpr double kGap = 1e-3, kSmallestGap = 1e-6;
  static constexpr int kDigits = 12;

  // Returns true if the claimed delta lies between the bounds.
  bool is_open() const { return standing_of(worst_, claimed_).tight == Answer::kOpen; }

  void name(const NeighborLosses& pair) {
    worst_.witness.from = subject_.domain().tuple(pair.from);
    worst_.witness.to = subject_.domain().tuple(pair.to);
  }

  void take(const NeighborLosses& pair, const LossDistribution& losses) {
    const LossDistribution::Event event = losses.more_likely_than(factor_);
    Number delta = event.p - factor_ * event.q;
    if (found_ && delta <= worst_.at_least) return;
    found_ = true;
    worst_.at_least = std::move(delta);
    name(pair);
    best_ = &pair;
    worst_.witness.p_from = event.p;
    worst_.witness.p_to = event.q;
  }

  // Bounds the largest delta of all pairs, also of those that are listed.
  void bound(double gap) {
    std::string reason = "the losses of the parts have too many sums to list, so delta is between two bounds";
    Number most = worst_.at_least;
    if (!unlisted_.empty()) {
      std::vector<const LossProduct*> products;
      for (const NeighborLosses* pair : unlisted_) products.push_back(&pair->losses);
      const engine::RefinedLosses found = engine::refined_losses(products, factor_, gap, subject_.budget());
      // Rounded outward, so that results are short.
      most = std::max(most, rounded(found.bounds.upper, true));
      take_lower(*unlisted_[found.largest], rounded(found.bounds.lower, false));
      if (!found.limit.empty()) reason = found.limit;
    }
    if (!above_.empty()) {
      const engine::RefinedLosses found = engine::refined_losses(above_, factor_, gap, subject_.budget());
      most = std::max(most, rounded(found.bounds.upper, true));
      reason = found.limit.empty() ? "pairs of inputs are of too many kinds to list, so delta is between two bounds"
                                   : found.limit;
    }
    if (worst_.at_least < most) {
      worst_.unfinished = {most, reason};
    } else if (worst_.at_least.is_zero()) {
      worst_.witness.unlisted = false;  // the event is empty
    }
  }

  static Number rounded(const Number& number, bool up) { return rounded_decimal(number, up, kDigits); }

  void take_lower(const NeighborLosses& pair, const Number& lower) {
    if (found_ && lower <= worst_.at_least) return;
    found_ = true;
    worst_.at_least = lower;
    name(pair);
    best_ = nullptr;
    worst_.witness.p_from = worst_.witness.p_to = Number(0);
    worst_.witness.unlisted = true;
  }

  Number factor_;
  const Number& claimed_;
  MeasuredModel& subject_;
  MeasuredNumber worst_;
  bool found_ = false;
  const NeighborLosses* best_ = nullptr;  // whose event the witness is, if it is exact
  std::vector<const NeighborLosses*> unlisted_;
  std::vector<const LossProduct*> above_;
};

}  // namespace

namespace {

constexpr std::uint64_t kMostNamedOutputs = 4096;  // an event of more outputs is described in place of being listed

}  // namespace

bool has_described_events(const Channel& channel) {
  if (with_pair_classes(channel) != nullptr && engine::has_many_pairs(channel)) return true;
  return !channel.factors().empty() && channel.outputs() > kMostNamedOutputs;
}

namespace {

// A product has exp in its entries, so that each entry of a listed row is multiplied out exactly, in some 10
// microseconds.
bool has_slow_entries(const Channel& channel) {
  constexpr double kManyEntries = 0x1p14;
  const double entries = static_cast<double>(channel.input_numbers()) * static_cast<double>(channel.outputs());
  if (channel.factors().empty() || entries <= kManyEntries) return false;
  const auto has_exp = [](const Channel& part) {
    constexpr std::uint64_t kMostRows = 64;  // that are looked at: others cost time, but no answer depends on it
    for (std::uint64_t x = 0; x < std::min(kMostRows, part.input_numbers()); ++x) {
      for (std::uint64_t y = 0; y < part.outputs(); ++y) {
        if (!part.entry(x, y).is_rational()) return true;
      }
    }
    return false;
  };
  std::set<const Channel*> seen;
  return std::any_of(channel.factors().begin(), channel.factors().end(), [&](const Factor& part) {
    return seen.insert(part.channel.get()).second && has_exp(*part.channel);
  });
}

}  // namespace

bool has_losses_by_parts(const Channel& channel) {
  if (with_pair_classes(channel) != nullptr && engine::has_pairs_to_class(channel)) return true;
  if (channel.factors().size() > 1 && channel.outputs() <= kMostNamedOutputs && has_slow_entries(channel)) return true;
  return has_described_events(channel);
}

bool is_slow_to_compare_rows(const Model& model, const CoordinateGroups& groups) {
  constexpr double kManyEntries = 0x1p24;  // about 0.2 s
  if (groups.only || model.channel->factors().empty()) return false;
  double inputs = 1, neighbors = 0;
  for (std::size_t i = 0; i < model.domain.size(); ++i) inputs *= static_cast<double>(model.domain.values(i));
  for (const auto& group : groups.groups) {
    double within = 1;
    for (const std::size_t i : group) within *= static_cast<double>(model.domain.values(i));
    neighbors += within - 1;
  }
  return inputs * neighbors * static_cast<double>(model.channel->outputs()) > kManyEntries;
}

std::size_t most_kinds(const MeasuredModel& subject) {
  // Where outputs can be listed, more kinds of pairs than this cost more than the list.
  constexpr std::size_t kMost = 1024, kMostOfListed = 16;
  return subject.can_enumerate() ? kMostOfListed : kMost;
}

void refuse_kinds(const MeasuredModel& subject) {
  throw LimitError("more than " + std::to_string(most_kinds(subject)) +
                   " kinds of pairs of inputs, none of which is known to be worst for every event");
}

std::optional<MeasuredNumber> delta_by_parts(MeasuredModel& subject, const Arguments& arguments,
                                             const CoordinateGroups& groups) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  if (epsilon.is_infinite()) return no_delta(subject.domain());
  DeltaByParts deltas(epsilon, arguments.get<Number>("delta"), subject);
  for (const auto& group : groups.groups) {
    const auto& found = losses_within(subject, group);
    if (!found && subject.can_enumerate()) return std::nullopt;
    if (!found) refuse_kinds(subject);
    deltas.offer(*found);
  }
  return deltas.worst();
}

}  // namespace oddsbound::notions
