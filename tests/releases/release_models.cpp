#include "tests/releases/release_models.h"

#include <algorithm>

namespace oddsbound::testing {

using namespace mechanisms;

Domain schema_of(const std::vector<std::size_t>& values) {
  std::vector<Coordinate> attributes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    attributes.push_back({std::string(1, static_cast<char>('a' + i)), {}});
    for (std::size_t v = 0; v < values[i]; ++v) attributes.back().values.push_back(std::to_string(v));
  }
  return Domain(std::move(attributes));
}

std::shared_ptr<const Release> release_of(const Domain& schema, std::vector<StepPtr> steps) {
  return std::make_shared<const Release>(Release{"test", schema, std::move(steps), {}});
}

Level level_of(const Model& model, const Domain& schema, std::size_t people, const Attributes& changed) {
  Level most;
  for (std::uint64_t from = 0; from < model.domain.inputs(); ++from) {
    for (std::uint64_t to = 0; to < model.domain.inputs(); ++to) {
      std::size_t records = 0;
      bool within = true;
      for (std::size_t p = 0; p < people; ++p) {
        bool differs = false;
        for (std::size_t i = 0; i < schema.size(); ++i) {
          if (model.domain.digit(from, p * schema.size() + i) == model.domain.digit(to, p * schema.size() + i))
            continue;
          differs = true;
          within = within && std::binary_search(changed.begin(), changed.end(), i);
        }
        records += differs ? 1 : 0;
      }
      if (records != 1 || !within) continue;
      for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
        const Number p = model.channel->entry(from, y), q = model.channel->entry(to, y);
        if (p.is_zero()) continue;
        if (q.is_zero()) return Level::infinite();
        if (p > q) most = std::max(most, Level::of_exponential(p / q));
      }
    }
  }
  return most;
}

}  // namespace oddsbound::testing
