#include "tests/support/random_product.h"

#include <algorithm>
#include <memory>

#include "verifier/model/product_channel.h"

namespace oddsbound::testing {

Model random_product(Random& random, const KindOfPrior& kind, Entries entries) {
  Model model;
  model.domain = random_domain(random);
  std::vector<Factor> parts;
  const std::size_t count = 1 + below(random, 4);
  while (parts.size() < count) {
    if (!parts.empty() && below(random, 4) == 0) {
      parts.push_back(parts[below(random, parts.size())]);
      continue;
    }
    std::vector<std::size_t> coordinates;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      if (below(random, 2) == 0) coordinates.push_back(i);
    }
    if (coordinates.empty()) coordinates.push_back(below(random, model.domain.size()));
    std::shuffle(coordinates.begin(), coordinates.end(), random);
    parts.push_back({random_channel(random, model.domain.restricted_to(coordinates), entries, 3), coordinates});
  }
  model.channel = std::make_shared<const ProductChannel>(model.domain, std::move(parts));
  model.prior = kind.make(random, model.domain);
  return model;
}

Number conditional(const Model& model, std::size_t coordinate, std::uint64_t value,
                   const std::vector<std::uint64_t>& output) {
  Number joint;
  Number mass;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    if (model.domain.digit(x, coordinate) != value) continue;
    const Number share = model.prior->probability(x);
    mass += share;
    joint += share * model.channel->entry_of(x, output);
  }
  return joint / mass;
}

}  // namespace oddsbound::testing
