// What a claim says, by its bare definition: which comparisons of output probabilities it makes. The exact engine
// decides claims through lemmas (single outputs suffice, single values suffice, ...); who decides by the definition
// starts here instead.
//
// Every notion compares P(R given a side) with another one's, for every set R of outputs:
//
//   P(R given from) <= e^level P(R given to) + delta
//
// Sides are inputs, or events {label in S} under the prior, for every set S of labels of positive probability.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/model/model.h"
#include "verifier/model/witness.h"

namespace oddsbound::model {

/// The inputs between which a definition compares, each known by its place: all of a domain, whose places are their
/// numbers, or some of one of any size.
class LookedAt {
 public:
  explicit LookedAt(const Domain& domain) : domain_(&domain), size_(domain.inputs()) {}
  /// rows: different ones, which outlive this.
  LookedAt(const Domain& domain, std::span<const InputRow> rows) : domain_(&domain), rows_(rows), size_(rows.size()) {}

  bool are_all() const { return rows_.data() == nullptr; }
  std::uint64_t size() const { return size_; }
  std::uint64_t digit(std::uint64_t place, std::size_t i) const {
    return are_all() ? domain_->digit(place, i) : rows_[place][i];
  }
  std::vector<std::string> tuple(std::uint64_t place) const {
    return are_all() ? domain_->tuple(place) : domain_->tuple(rows_[place]);
  }
  InputRow row(std::uint64_t place) const { return are_all() ? domain_->row(place) : rows_[place]; }
  /// Throws LimitError where inputs have no numbers.
  std::uint64_t number(std::uint64_t place) const { return are_all() ? place : domain_->number(rows_[place]); }
  /// All places.
  std::vector<std::uint64_t> places() const;
  /// The places of those of these inputs, given by their numbers, that are looked at.
  std::vector<std::uint64_t> places_of(const std::vector<std::uint64_t>& numbers) const;
  /// All ordered pairs of different inputs among these places that differ in no coordinate outside the group.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_within(const std::vector<std::size_t>& group) const;

 private:
  const Domain* domain_;
  std::span<const InputRow> rows_{};
  std::uint64_t size_;
};

struct Comparison {
  std::string about;  // the coordinate; empty where there is none
  Level level;
  Number delta{0};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;  // of places that are compared, both ways where so
  std::vector<Party> labels;                                   // of events; empty: inputs are compared
  std::vector<Given> given{};                                  // per label, where it says more than `labels` does
  /// Of labels: which ones are compared, [from, to]; sets of labels are, where all of their pairs are. None: any are.
  std::optional<std::vector<std::pair<std::uint64_t, std::uint64_t>>> label_pairs{};
  std::string scope{};                  // which ones these are, in words
  std::vector<std::uint32_t> label_of;  // per place
  /// Of labels that other inputs have as well: which one. Empty where each label is an input of its own.
  std::function<std::uint32_t(InputView row)> label_at{};
  std::optional<std::size_t> coordinate{};  // whose values the labels are
  /// What `tight` asks: that some pair attains the level, that each does, nothing (the level is not claimed itself), or
  /// that some pair attains delta.
  enum class Tight { kSome, kEach, kNone, kDelta } tight = Tight::kSome;
};

using Definition = std::vector<Comparison>;

/// All ordered pairs of different ones among those given.
std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_among(const std::vector<std::uint64_t>& inputs);
/// Whether only coordinates of the group differ between two places.
bool differ_within(const Domain& domain, const LookedAt& inputs, std::uint64_t a, std::uint64_t b,
                   const std::vector<std::size_t>& group);
/// Any two sets of values of a coordinate.
Comparison comparison_of_values(const Domain& domain, const LookedAt& inputs, std::size_t coordinate,
                                const Level& level);

}  // namespace oddsbound::model
