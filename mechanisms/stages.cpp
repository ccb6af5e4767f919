#include "mechanisms/stages.h"

#include <algorithm>

namespace oddsbound::mechanisms {

namespace {

// The innermost parts of a sampler, with their channels.
void add_stages(const ChannelPtr& channel, const SamplerPtr& sampler, std::vector<Stage>& stages) {
  if (sampler->parts().empty()) stages.push_back({channel, sampler});
  for (const SamplerPart& part : sampler->parts()) add_stages(part.channel, part.sampler, stages);
}

}  // namespace

std::vector<Stage> stages_of(const Mechanism& mechanism) {
  const std::span<const Factor> factors = mechanism.channel->factors();
  if (factors.empty()) return {{mechanism.channel, mechanism.sampler_or_rows()}};
  std::vector<Stage> stages;
  if (mechanism.sampler) add_stages(mechanism.channel, mechanism.sampler, stages);
  const auto draws = [](const Stage& stage, const Factor& factor) { return stage.channel == factor.channel; };
  if (std::equal(stages.begin(), stages.end(), factors.begin(), factors.end(), draws)) return stages;
  stages.clear();
  for (const Factor& factor : factors) stages.push_back({factor.channel, row_sampler(factor.channel)});
  return stages;
}

}  // namespace oddsbound::mechanisms
