// Noisy counts of people (partial-DP paper, Theorem 11, without the projection), and distributions fitted to such
// counts.
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

/// Returns every combination of the attributes' values, the last attribute fastest, with names like "age=young,
/// ill=yes".
std::vector<NamedPattern> cells_of(const Domain& schema, const Attributes& attributes);

struct NamedSum {
  std::string name;
  PersonWeights weights;
};

/// The counts to publish.
struct Counted {
  std::vector<Attributes> tables{};      // one count per combination of their values
  std::vector<NamedPattern> patterns{};  // one count of the people who have each pattern
  std::vector<NamedSum> sums{};          // the sum of a number that every person has
};
/// Returns the counts one by one, in that order; sums are no counts.
std::vector<NamedPattern> queries_of(const Domain& schema, const Counted& counted);

struct CountsRequest {
  Domain schema;
  Counted counted;
  Noise noise;
  std::uint64_t window;     // answers for n people are clamped to -window..n + window, sums to their own range
  bool consistent = false;  // also publish the nearest counts that some table of people may have
};

/// Returns the step. A person who changes in some attributes moves between two cells of every table with one of
/// these attributes, and into or out of every pattern with one: each of these counts changes by 1. A sum changes by the
/// largest difference of the person's numbers. (Less, if the schema is small enough to enumerate all pairs of people
/// and none changes so much.) Consistent counts cost nothing more: they are the nearest point to the answers in the
/// convex hull of the contributions of single people (Theorem 11). Throws LimitError if they are requested and there
/// are too many records (release.h).
StepPtr counts_step(CountsRequest request);

// A distribution of records fitted to published fractions of people: it is made from public numbers only.

class FittedDistribution {
 public:
  /// Starts with the uniform distribution. to_all: fit to all answers so far, not only to those of the round.
  FittedDistribution(const Domain& schema, const std::vector<NamedPattern>& queries, bool to_all);

  /// Returns the current fraction of a query.
  double share(std::size_t query) const;
  /// Returns the final fraction: the current one, or, if fits are to one round, the mean over all rounds.
  double told_share(std::size_t query) const;
  /// Fits to the answers of some queries.
  void fit(std::span<const std::uint32_t> queries, std::span<const double> shares);

 private:
  void scale(std::size_t query, double share);
  void normalize();
  void shift(std::span<const std::uint32_t> queries, std::span<const double> shares);

  bool to_all_;
  std::vector<std::vector<std::uint32_t>> members_;  // by query: the records that match it
  std::vector<double> weights_, sums_;               // of records: now, and summed over all rounds
  std::vector<std::uint32_t> asked_;
  std::vector<double> told_;
  double rounds_ = 0;
};

}  // namespace oddsbound::releases
