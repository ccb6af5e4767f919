#include "verifier/ratios/transport_bound.h"

#include <algorithm>

namespace oddsbound::ratios {

namespace {

double dot(const double* a, const double* b, std::size_t size) {
  double parts[4] = {0, 0, 0, 0};
  std::size_t s = 0;
  for (; s + 4 <= size; s += 4) {
    for (std::size_t k = 0; k < 4; ++k) parts[k] += a[s + k] * b[s + k];
  }
  for (; s < size; ++s) parts[0] += a[s] * b[s];
  return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

}  // namespace

GroupWeights reaches(LossKernel& kernel, std::size_t depth, const GroupWeights& weights,
                     const std::function<void()>& look) {
  GroupWeights reach(weights.size());
  const std::size_t size = weights.empty() ? 0 : weights[0].size();
  for (std::vector<double>& of_group : reach) of_group.assign(size, 0);
  for (std::size_t r = 0; r < size; ++r) {
    const bool needed = std::any_of(weights.begin(), weights.end(), [&](const auto& own) { return own[r] != 0; });
    if (!needed) continue;
    if ((r & 0xff) == 0xff) look();
    const double* kept = kernel.row(depth, static_cast<std::uint32_t>(r));
    for (std::size_t g = 0; g < weights.size(); ++g) reach[g][r] = dot(weights[g].data(), kept, size);
  }
  return reach;
}

double credit_bound(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach,
                    double credit, double error) {
  double rest = 0;
  double doubt = 0;  // what the rounding of u and v may add to differences
  bool possible = false;
  for (std::size_t r = 0; r < u.size(); ++r) {
    if (u[r] == 0) continue;
    if (reach[r] < kSmall) return kInfinity;
    possible = true;
    const double difference = u[r] - credit * v[r];
    rest += std::max(difference, 0.0) / reach[r];
    if (difference > -4 * error * u[r]) doubt += (u[r] + credit * v[r]) / reach[r];
  }
  return possible ? (credit + rest) * (1 + 4 * error) + 4 * error * doubt : 0;
}

double best_credit(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach) {
  struct Term {
    double quotient, share;
  };
  thread_local std::vector<Term> terms;
  terms.clear();
  for (std::size_t r = 0; r < u.size(); ++r) {
    if (u[r] != 0) terms.push_back({v[r] == 0 ? kInfinity : u[r] / v[r], v[r] / reach[r]});
  }
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.quotient > b.quotient; });
  // The sum falls as c does until those above it carry a whole; any c gives a bound.
  double carried = 0;
  for (const Term& term : terms) {
    carried += term.share;
    if (carried >= 1) return term.quotient < kInfinity ? term.quotient : 0;
  }
  return 0;
}

double transport_bound(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach,
                       double error) {
  return credit_bound(u, v, reach, best_credit(u, v, reach), error);
}

}  // namespace oddsbound::ratios
