#include "tests/support/random_prior.h"

#include <algorithm>
#include <numeric>

namespace oddsbound::testing {

namespace {

Prior random_rows(Random& random, const Domain& domain) {
  Budget budget;
  std::vector<WeightedRow> rows;
  for (std::uint64_t r = 1 + below(random, 8); r > 0; --r) {
    InputRow row;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      row.push_back(static_cast<std::uint32_t>(below(random, domain.values(i))));
    }
    rows.push_back({std::move(row), Number(static_cast<std::int64_t>(below(random, 5)))});
  }
  rows.front().weight = Number(2);
  return Prior::from_rows(domain, std::move(rows), budget);
}

Prior random_uniform(Random&, const Domain& domain) { return Prior::uniform(domain); }

Prior random_product(Random& random, const Domain& domain) {
  std::vector<std::vector<Number>> marginals;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    marginals.push_back(random_distribution(random, domain.values(i), Entries::kWithExp));
    const Number scale(static_cast<std::int64_t>(1 + below(random, 3)));  // weights need not sum to 1
    for (Number& weight : marginals.back()) weight *= scale;
  }
  return Prior::product(domain, std::move(marginals));
}

Prior random_network(Random& random, const Domain& domain) {
  std::vector<std::size_t> order(domain.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  std::vector<NetworkNode> nodes;
  for (std::size_t k = 0; k < order.size(); ++k) {
    NetworkNode& node = nodes.emplace_back(NetworkNode{order[k], {}, {}});
    std::uint64_t assignments = 1;
    for (std::size_t earlier = 0; earlier < k; ++earlier) {
      if (below(random, 2) == 0) continue;
      node.parents.push_back(order[earlier]);
      assignments *= domain.values(order[earlier]);
    }
    for (std::uint64_t a = 0; a < assignments; ++a) {
      node.table.push_back(random_distribution(random, domain.values(order[k]), Entries::kRational));
    }
  }
  std::shuffle(nodes.begin(), nodes.end(), random);
  return Prior::network(domain, std::move(nodes));
}

Prior random_mixture(Random& random, const Domain& domain) {
  std::vector<Prior> components;
  for (std::uint64_t c = 1 + below(random, 3); c > 0; --c) {
    const auto& kinds = kinds_of_priors();
    components.push_back(kinds[below(random, kinds.size())].make(random, domain));
  }
  std::vector<Number> shares = random_distribution(random, components.size(), Entries::kRational);
  return Prior::mixture(domain, std::move(components), std::move(shares));
}

}  // namespace

const std::vector<KindOfPrior>& kinds_of_priors() {
  static const std::vector<KindOfPrior> kinds = {
      {"weights", random_prior},   {"rows", random_rows},       {"uniform", random_uniform},
      {"product", random_product}, {"network", random_network}, {"mixture", random_mixture},
  };
  return kinds;
}

Prior dense_twin(const Prior& prior, const Domain& domain) {
  Budget budget;
  std::vector<Number> weights;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    InputRow row;
    for (std::size_t i = 0; i < domain.size(); ++i) row.push_back(static_cast<std::uint32_t>(domain.digit(x, i)));
    weights.push_back(prior.weight(row));
  }
  return Prior::from_weights(domain, std::move(weights), budget);
}

}  // namespace oddsbound::testing
