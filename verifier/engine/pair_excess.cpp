#include "verifier/engine/pair_excess.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "verifier/exact/interval.h"

namespace oddsbound::engine {

namespace {

constexpr double kUnlimitedExcess = std::numeric_limits<double>::infinity();

double rounded_log(const ValuePool& pool, std::uint32_t rank) {
  if (rank == 0 && pool.has_zero()) return -kUnlimitedExcess;
  const double near = pool.approx(rank);
  if (near > 0x1p-900 && near < 0x1p900) return std::log(near);
  Ball value;
  enclose_log(value, pool.value(rank), 80);
  return value.below();
}

// Let M be the largest |log| of a value, and B the largest level. Values have a relative error of 2^-50 (ValuePool), so
// with the rounding of std::log or of the enclosure their logarithms err by at most 2^-49 + 2^-51 M, and levels by
// 2^-50 + 2^-51 B. Two subtractions of doubles add at most 2^-53 (4M + B). The sum is below 2^-47 + 2^-49 (M + B).
std::shared_ptr<const ExcessLogs> logs_of(MeasuredModel& subject, const std::vector<ScaledLevel>& bounds) {
  auto logs = std::make_shared<ExcessLogs>();
  const ValuePool& pool = subject.columns().pool();
  double most = 0, most_bound = 0;
  for (std::uint32_t rank = 0; rank < pool.size(); ++rank) {
    subject.budget().check_every();
    logs->values.push_back(rounded_log(pool, rank));
    if (logs->values.back() != -kUnlimitedExcess) most = std::max(most, std::abs(logs->values.back()));
  }
  for (const ScaledLevel& bound : bounds) {
    subject.budget().check_every();
    logs->bounds.push_back(bound.approx());
    most_bound = std::max(most_bound, logs->bounds.back());
  }
  logs->error = 0x1p-47 + 0x1p-49 * (most + most_bound);
  return logs;
}

void set_row(std::vector<double>& row, ColumnView& column, const ExcessLogs& logs) {
  const auto ranks = column.ranks();
  row.resize(ranks.size());
  for (std::size_t x = 0; x < ranks.size(); ++x) row[x] = logs.values[ranks[x]];
}

// Exact comparisons of losses with levels, once per key.
class ExactExcess {
 public:
  ExactExcess(const ValuePool& pool, const std::vector<ScaledLevel>& bounds) : pool_(pool), bounds_(bounds) {}

  // The order of log(value(high) / value(low)) and the level; nullopt if it is not separated.
  std::optional<std::strong_ordering> compare(std::uint32_t high, std::uint32_t low, std::uint32_t bound) {
    const auto [place, added] = known_.try_emplace(key_of(high, low, bound), std::nullopt);
    if (added) place->second = compare_loss(pool_.value(high), pool_.value(low), bounds_[bound]);
    return place->second;
  }

 private:
  // A value as coefficient * exp(exponent) times the example of its class.
  struct Shape {
    std::size_t kind;
    Number coefficient, exponent;
  };
  // The excess is log(example / example) + log(coefficient) + exponent - bound.
  struct Key {
    std::size_t high, low, bound;
    Number coefficient, exponent;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return ((key.high * 31 + key.low) * 31 + key.bound) * 31 + key.coefficient.hash() * 7 + key.exponent.hash();
    }
  };

  const Shape& shape_of(std::uint32_t rank) {
    const auto [place, added] = shapes_.try_emplace(rank);
    Shape& shape = place->second;
    if (!added) return shape;
    const Number value = pool_.value(rank);
    shape.kind = 0;
    if (value.is_monomial(shape.coefficient, shape.exponent)) return shape;
    constexpr std::size_t kMostTried = 16;
    for (std::size_t k = 0; k < std::min(examples_.size(), kMostTried); ++k) {
      shape.kind = k + 1;
      if ((value / examples_[k]).is_monomial(shape.coefficient, shape.exponent)) return shape;
    }
    examples_.push_back(value);
    shape = {examples_.size(), Number(1), Number(0)};
    return shape;
  }

  Key key_of(std::uint32_t high, std::uint32_t low, std::uint32_t bound) {
    const Shape a = shape_of(high), b = shape_of(low);
    Key key{a.kind, b.kind, bound + std::size_t{1}, a.coefficient / b.coefficient, a.exponent - b.exponent};
    if (key.high == key.low) key.high = key.low = 0;
    Number coefficient, exponent;
    const Level* level = bounds_[bound].level();
    if (level != nullptr && level->surd() == nullptr && level->exponential().is_monomial(coefficient, exponent)) {
      key.bound = 0;
      key.coefficient /= coefficient;
      key.exponent -= exponent;
    }
    return key;
  }

  const ValuePool& pool_;
  const std::vector<ScaledLevel>& bounds_;
  std::vector<Number> examples_;
  std::unordered_map<std::uint32_t, Shape> shapes_;
  std::unordered_map<Key, std::optional<std::strong_ordering>, KeyHash> known_;
};

// Enclosures of excesses at one precision. Logarithms are computed once.
class EnclosedExcess {
 public:
  static constexpr long kBits = 256;

  EnclosedExcess(const ValuePool& pool, const std::vector<ScaledLevel>& bounds) : pool_(pool), bounds_(bounds) {}

  void enclose(Ball& excess, const WorstPairScan::Candidate& candidate) {
    arb_sub(excess.get(), of_value(candidate.high).get(), of_value(candidate.low).get(), kBits);
    arb_sub(excess.get(), excess.get(), of_bound(candidate.bound).get(), kBits);
  }

 private:
  const Ball& of_value(std::uint32_t rank) {
    std::unique_ptr<Ball>& own = values_[rank];
    if (!own) {
      own = std::make_unique<Ball>();
      enclose_log(*own, pool_.value(rank), kBits);
    }
    return *own;
  }
  const Ball& of_bound(std::uint32_t bound) {
    std::unique_ptr<Ball>& own = levels_[bound];
    if (!own) {
      own = std::make_unique<Ball>();
      bounds_[bound].enclose(*own, kBits);
    }
    return *own;
  }

  const ValuePool& pool_;
  const std::vector<ScaledLevel>& bounds_;
  std::unordered_map<std::uint32_t, std::unique_ptr<Ball>> values_, levels_;
};

}  // namespace

Bytes BetweenPairs::as_bytes() const {
  BinaryWriter writer;
  writer.put("pairs with levels").put(std::uint64_t{bounded->pairs.size()});
  for (const BoundedPairs::Pair& pair : bounded->pairs) {
    writer.put(std::uint64_t{pair.from}).put(std::uint64_t{pair.to}).put(std::uint64_t{pair.bound});
  }
  for (const ScaledLevel& bound : bounded->bounds) writer.put(bound.to_string());
  return writer.take();
}

std::unique_ptr<WorstPairScan> BetweenPairs::begin(MeasuredModel& subject) const {
  return std::make_unique<WorstPairScan>(*bounded, logs_of(subject, bounded->bounds));
}

std::unique_ptr<EachPairScan> FirstSlack::begin(MeasuredModel& subject) const {
  return std::make_unique<EachPairScan>(bounded, logs_of(subject, bounded->bounds));
}

WorstPairScan::WorstPairScan(const BoundedPairs& bounded, std::shared_ptr<const ExcessLogs> logs)
    : bounded_(bounded), logs_(std::move(logs)), threshold_(std::numeric_limits<double>::lowest()) {}

void WorstPairScan::offer(ColumnView& column) {
  if (infinite_) return;
  set_row(row_, column, *logs_);
  for (std::size_t k = 0; k < bounded_.pairs.size(); ++k) {
    const auto [from, to, bound] = bounded_.pairs[k];
    const double excess = row_[from] - row_[to] - logs_->bounds[bound];
    if (!(excess >= threshold_)) continue;  // also 0 / 0, which is no number
    record({column.ranks()[from], column.ranks()[to], bound, column.output(), k, excess});
    if (infinite_) return;
  }
}

void WorstPairScan::record(const Candidate& candidate) {
  if (candidate.excess == kUnlimitedExcess) {
    infinite_ = candidate;
    return;
  }
  if (!seen_.insert(candidate).second) return;
  candidates_.push_back(candidate);
  threshold_ = std::max(threshold_, candidate.excess - 2 * logs_->error);
  if (candidates_.size() >= prune_at_) prune();
}

void WorstPairScan::prune() {
  std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.excess < threshold_; });
  seen_ = {candidates_.begin(), candidates_.end()};
  prune_at_ = std::max(prune_at_, 2 * candidates_.size());
}

std::optional<std::vector<std::uint64_t>> WorstPairScan::sufficient_outputs() const {
  if (infinite_) return std::vector{infinite_->output};
  std::vector<std::uint64_t> outputs;
  for (const Candidate& candidate : candidates_) {
    if (candidate.excess >= threshold_) outputs.push_back(candidate.output);
  }
  std::sort(outputs.begin(), outputs.end());
  outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
  return outputs;
}

void WorstPairScan::take(WorstPairScan&& later) {
  if (infinite_) return;
  infinite_ = later.infinite_;
  for (const Candidate& candidate : later.candidates_) {
    if (!infinite_ && candidate.excess >= threshold_) record(candidate);
  }
}

WorstPairScan WorstPairScan::successor() const {
  WorstPairScan scan(bounded_, logs_);
  scan.threshold_ = threshold_;
  return scan;
}

WorstPair WorstPairScan::finish(MeasuredModel& subject) const {
  const ValuePool& pool = subject.columns().pool();
  const auto result_of = [&](const Candidate& candidate, Answer holds, Answer attained) {
    const BoundedPairs::Pair& pair = bounded_.pairs[candidate.pair];
    const Level level = candidate.excess == kUnlimitedExcess
                            ? Level::infinite()
                            : level_between(pool.value(candidate.high), pool.value(candidate.low));
    InputPair shown{subject.channel().split(candidate.output), subject.domain().row(pair.from),
                    subject.domain().row(pair.to)};
    return WorstPair{{level, std::move(shown)}, bounded_.bounds[candidate.bound], holds, attained};
  };
  if (infinite_) return result_of(*infinite_, Answer::kNo, Answer::kNo);
  EnclosedExcess enclosed(pool, bounded_.bounds);
  Ball excess, best;
  bool any = false;
  for (const Candidate& candidate : candidates_) {
    if (candidate.excess < threshold_) continue;
    subject.budget().check_every();
    enclosed.enclose(excess, candidate);
    if (!any || arf_cmp(arb_midref(excess.get()), arb_midref(best.get())) > 0) arb_set(best.get(), excess.get());
    any = true;
  }
  assert(any && "every input has an output");
  // The largest excess is at least the best one, so no enclosure shows that it is less.
  const bool refuted = arb_is_positive(best.get()) != 0;
  std::vector<const Candidate*> near_zero;
  const Candidate* first = nullptr;  // that is not shown to be less than the best
  for (const Candidate& candidate : candidates_) {
    if (candidate.excess < threshold_) continue;
    subject.budget().check_every();
    enclosed.enclose(excess, candidate);
    if (arb_lt(excess.get(), best.get()) != 0) continue;
    if (refuted && arb_is_positive(excess.get()) != 0) return result_of(candidate, Answer::kNo, Answer::kNo);
    if (first == nullptr) first = &candidate;
    if (arb_is_negative(excess.get()) == 0) near_zero.push_back(&candidate);
  }
  if (near_zero.empty()) return result_of(*first, Answer::kYes, Answer::kNo);
  ExactExcess exact(pool, bounded_.bounds);
  const Candidate* equal = nullptr;
  const Candidate* open = nullptr;
  bool attained = false;
  for (const Candidate* candidate : near_zero) {
    subject.budget().check_every();
    const auto order = exact.compare(candidate->high, candidate->low, candidate->bound);
    if (!order) {
      if (open == nullptr) open = candidate;
      continue;
    }
    if (*order > 0) return result_of(*candidate, Answer::kNo, Answer::kNo);
    if (*order < 0) continue;
    if (equal == nullptr) equal = candidate;
    attained = attained || !bounded_.bounds[candidate->bound].is_zero();
  }
  const Answer holds = open != nullptr ? Answer::kOpen : Answer::kYes;
  const Candidate* shown = open != nullptr ? open : equal != nullptr ? equal : first;
  return result_of(*shown, holds, answer_of(attained));
}

EachPairScan::EachPairScan(std::shared_ptr<const BoundedPairs> bounded, std::shared_ptr<const ExcessLogs> logs)
    : bounded_(std::move(bounded)), logs_(std::move(logs)), best_(bounded_->pairs.size(), Best{-kUnlimitedExcess}) {}

void EachPairScan::offer(ColumnView& column) {
  set_row(row_, column, *logs_);
  const auto ranks = column.ranks();
  for (std::size_t k = 0; k < best_.size(); ++k) {
    const auto [from, to, bound] = bounded_->pairs[k];
    const double excess = row_[from] - row_[to] - logs_->bounds[bound];
    if (excess > best_[k].excess) best_[k] = {excess, ranks[from], ranks[to]};
  }
}

void EachPairScan::take(EachPairScan&& later) {
  for (std::size_t k = 0; k < best_.size(); ++k) {
    if (later.best_[k].excess > best_[k].excess) best_[k] = later.best_[k];
  }
}

std::optional<std::size_t> EachPairScan::finish(MeasuredModel& subject) const {
  const ValuePool& pool = subject.columns().pool();
  ExactExcess exact(pool, bounded_->bounds);
  for (std::size_t k = 0; k < best_.size(); ++k) {
    subject.budget().check_every();
    const Best& best = best_[k];
    if (best.excess < -logs_->error) return k;
    const auto order = exact.compare(best.high, best.low, bounded_->pairs[k].bound);
    if (order && *order == 0) continue;
    // Another output may have a larger loss, within the error of doubles.
    const auto alone = std::make_shared<const BoundedPairs>(BoundedPairs{
        {{bounded_->pairs[k].from, bounded_->pairs[k].to, 0}}, {bounded_->bounds[bounded_->pairs[k].bound]}});
    const WorstPair worst = subject.take(BetweenPairs{alone});
    const auto own = compare(worst.level.at_least, worst.bound);
    if (!own || *own != 0) return k;
  }
  return std::nullopt;
}

}  // namespace oddsbound::engine
