// Counts of people with noise (partial-DP paper, Theorem 11, without the projection).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "releases/step.h"

namespace oddsbound::releases {

struct NamedPattern {
  std::string name;
  Pattern pattern;
};

/// Every combination of the attributes' values, the last attribute fastest, called "age=young, ill=yes".
std::vector<NamedPattern> cells_of(const Domain& schema, const Attributes& attributes);

/// What is counted.
struct Counted {
  std::vector<Attributes> tables{};      // every combination of their values
  std::vector<NamedPattern> patterns{};  // and those who have each of these
};
/// One by one, in that order.
std::vector<NamedPattern> queries_of(const Domain& schema, const Counted& counted);

struct CountsRequest {
  Domain schema;
  Counted counted;
  Noise noise;
  std::uint64_t window;     // answers for n people are moved into -window..n + window
  bool consistent = false;  // told as well: the counts nearest to the answers that some table of people may have
};

/// Somebody who changes in some attributes moves from one cell to another of every table that has one of these, and
/// into or out of every pattern that has: as many counts change by 1. (Fewer, where all people that there may be are
/// few enough to be looked at, and none of them changes so many.) Counts that are made consistent cost nothing more:
/// the nearest point to the answers in the convex hull of what single people add (Theorem 11). Throws LimitError where
/// that is asked for and there are too many records (release.h).
StepPtr counts_step(CountsRequest request);

// A distribution of records, fitted to shares of people that were told: made of public numbers alone.

class FittedDistribution {
 public:
  /// The uniform one. to_all: fits are to all that was told so far.
  FittedDistribution(const Domain& schema, const std::vector<NamedPattern>& queries, bool to_all);

  /// What the distribution says of a query now.
  double share(std::size_t query) const;
  /// What is told in the end: the share now, or where fits are to one round, the mean over all rounds.
  double told_share(std::size_t query) const;
  /// Queries and what was told of them.
  void fit(std::span<const std::uint32_t> queries, std::span<const double> shares);

 private:
  void scale(std::size_t query, double share);
  void normalize();
  void shift(std::span<const std::uint32_t> queries, std::span<const double> shares);

  bool to_all_;
  std::vector<std::vector<std::uint32_t>> members_;  // by query, the records that have it
  std::vector<double> weights_, sums_;               // of records: now, and over all rounds
  std::vector<std::uint32_t> asked_;
  std::vector<double> told_;
  double rounds_ = 0;
};

}  // namespace oddsbound::releases
