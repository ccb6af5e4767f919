#include "verifier/model/distance.h"

#include <algorithm>
#include <numeric>

namespace oddsbound::model {

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> names{"absolute", "hamming", "l1", "l2", "linf"};
  return names;
}

Number Distance::step(std::size_t k, std::size_t a, std::size_t b) const {
  if (metric == Metric::kHamming) return Number(a == b ? 0 : 1);
  const Number difference = numbers[k][a] - numbers[k][b];
  return metric == Metric::kL2 ? difference * difference : difference.sign() < 0 ? -difference : difference;
}

Number Distance::between(const Domain& domain, std::uint64_t a, std::uint64_t b) const {
  Number distance(0);
  for (std::size_t k = 0; k < of.size(); ++k) {
    const Number own = step(k, domain.digit(a, of[k]), domain.digit(b, of[k]));
    distance = metric == Metric::kLinf ? std::max(distance, own) : distance + own;
  }
  return distance;
}

Number Distance::square_between(const Domain& domain, std::uint64_t a, std::uint64_t b) const {
  const Number distance = between(domain, a, b);
  return metric == Metric::kL2 ? distance : distance * distance;
}

Number Distance::largest() const {
  if (metric == Metric::kHamming) return Number(static_cast<std::int64_t>(of.size()));
  Number largest(0);
  for (const std::vector<Number>& own : numbers) {
    const auto [least, most] = std::minmax_element(own.begin(), own.end());
    const Number range = *most - *least;
    largest = metric == Metric::kLinf ? std::max(largest, range) : largest + range;
  }
  return largest;
}

bool Distance::relates(const Domain& domain, std::uint64_t a, std::uint64_t b) const {
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (domain.digit(a, i) != domain.digit(b, i) && std::find(of.begin(), of.end(), i) == of.end()) return false;
  }
  return true;
}

std::vector<std::uint64_t> Distance::ascending(std::size_t k) const {
  std::vector<std::uint64_t> values(numbers[k].size());
  std::iota(values.begin(), values.end(), std::uint64_t{0});
  std::stable_sort(values.begin(), values.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return numbers[k][a] < numbers[k][b]; });
  return values;
}

}  // namespace oddsbound::model
