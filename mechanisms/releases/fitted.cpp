#include "mechanisms/releases/fitted.h"

#include <algorithm>
#include <cmath>

#include "mechanisms/releases/queries.h"

namespace oddsbound::mechanisms {

namespace {

double sum_over(const std::vector<double>& weights, const std::vector<std::uint32_t>& members) {
  double sum = 0;
  for (const std::uint32_t member : members) sum += weights[member];
  return sum;
}

double inside(double share) {
  constexpr double kNear = 1e-6;
  return std::clamp(share, kNear, 1 - kNear);
}

}  // namespace

FittedDistribution::FittedDistribution(const Domain& schema, const std::vector<NamedPattern>& queries, bool to_all)
    : to_all_(to_all), members_(members_of(schema, queries)) {
  const std::uint64_t records = schema.input_numbers();
  weights_.assign(records, 1 / static_cast<double>(records));
  sums_.assign(records, 0);
}

double FittedDistribution::share(std::size_t query) const { return sum_over(weights_, members_[query]); }

double FittedDistribution::told_share(std::size_t query) const {
  return to_all_ || rounds_ == 0 ? share(query) : sum_over(sums_, members_[query]) / rounds_;
}

void FittedDistribution::fit(std::span<const std::uint32_t> queries, std::span<const double> shares) {
  // The paper's mean is over what rounds began with.
  for (std::size_t record = 0; record < weights_.size(); ++record) sums_[record] += weights_[record];
  rounds_ += 1;
  if (!to_all_) return shift(queries, shares);
  asked_.insert(asked_.end(), queries.begin(), queries.end());
  told_.insert(told_.end(), shares.begin(), shares.end());
  constexpr int kPasses = 20;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t k = 0; k < asked_.size(); ++k) scale(asked_[k], told_[k]);
    normalize();
  }
}

// So that the query has that share, and records that have it, and those that have not, keep their proportions.
void FittedDistribution::scale(std::size_t query, double share) {
  const double now = inside(this->share(query));
  const double wanted = inside(share);
  const double without = (1 - wanted) / (1 - now);
  for (double& weight : weights_) weight *= without;
  for (const std::uint32_t member : members_[query]) weights_[member] *= wanted / now / without;
}

// A(u) *= exp(1/2 sum of q(u) (told - q(A))), as the paper prints it.
void FittedDistribution::shift(std::span<const std::uint32_t> queries, std::span<const double> shares) {
  std::vector<double> factors;
  for (std::size_t k = 0; k < queries.size(); ++k) factors.push_back(std::exp((shares[k] - share(queries[k])) / 2));
  for (std::size_t k = 0; k < queries.size(); ++k) {
    for (const std::uint32_t member : members_[queries[k]]) weights_[member] *= factors[k];
  }
  normalize();
}

void FittedDistribution::normalize() {
  double sum = 0;
  for (const double weight : weights_) sum += weight;
  for (double& weight : weights_) weight /= sum;
}

}  // namespace oddsbound::mechanisms
