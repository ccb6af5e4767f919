// A distribution of records, fitted to shares of people that were told: made of public numbers alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mechanisms/releases/counts.h"

namespace oddsbound::mechanisms {

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

}  // namespace oddsbound::mechanisms
