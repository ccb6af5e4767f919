#include "mechanisms/prior_sampler.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "mechanisms/random/categorical.h"

namespace oddsbound::mechanisms {

// Of all weights that the prior has handed over, which stay where they are.
class PriorSampler::Choices {
 public:
  const Categorical& among(std::span<const Number> weights) {
    {
      const std::shared_lock lock(mutex_);
      const auto known = made_.find(weights.data());
      if (known != made_.end()) return *known->second;
    }
    std::vector<WeightedTerm> terms;
    for (const Number& weight : weights) terms.push_back({Number(1), weight});
    const Number total = weighted_sum(terms);
    std::vector<Number> probabilities;
    for (const Number& weight : weights) probabilities.push_back(weight / total);
    auto choice = std::make_unique<const Categorical>(std::move(probabilities));
    const std::unique_lock lock(mutex_);
    return *made_.try_emplace(weights.data(), std::move(choice)).first->second;
  }

 private:
  std::shared_mutex mutex_;
  std::unordered_map<const Number*, std::unique_ptr<const Categorical>> made_;
};

PriorSampler::PriorSampler(Prior prior) : prior_(std::move(prior)), choices_(std::make_unique<Choices>()) {}
PriorSampler::~PriorSampler() = default;

InputRow PriorSampler::draw(RandomSource& source) const {
  return prior_.draw([&](std::span<const Number> weights) {
    return static_cast<std::size_t>(mechanisms::draw(choices_->among(weights), source));
  });
}

}  // namespace oddsbound::mechanisms
