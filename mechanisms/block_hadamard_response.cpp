// Hadamard response within each block; the block itself is told. Context-aware LDP paper, Section 6.
#include <algorithm>
#include <map>

#include "mechanisms/family.h"
#include "mechanisms/formulas.h"
#include "mechanisms/hadamard.h"
#include "verifier/model/union_channel.h"

namespace oddsbound::mechanisms::block_hadamard_response {

namespace {

class Response final : public Sampler {
 public:
  Response(std::shared_ptr<const UnionChannel> channel, const Level& epsilon) : channel_(std::move(channel)) {
    std::map<std::uint64_t, std::shared_ptr<const HadamardDraw>> known;
    for (const DisjointPart& block : channel_->disjoint_parts()) {
      auto& draw = known[block.channel->outputs()];
      if (!draw) draw = std::make_shared<const HadamardDraw>(block.channel->outputs(), epsilon);
      draws_.push_back(draw);
    }
  }
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const UnionChannel::Place place = channel_->input_place(x);
    output[0] = channel_->disjoint_parts()[place.part].first_output + (*draws_[place.part])(place.position + 1, source);
  }

 private:
  std::shared_ptr<const UnionChannel> channel_;
  std::vector<std::shared_ptr<const HadamardDraw>> draws_;  // per block
};

// Equation (19), output by output.
class Shares final : public ShareEstimator {
 public:
  Shares(const Domain& domain, std::shared_ptr<const UnionChannel> channel, const Number& gain)
      : ShareEstimator(domain), channel_(std::move(channel)), gain_(gain) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    const UnionChannel::Place in = channel_->input_place(j);
    const UnionChannel::Place out = channel_->output_place(output[0]);
    if (in.part != out.part) return Number(0);
    return hadamard_positive(in.position + 1, out.position) ? gain_ : -gain_;
  }

 private:
  std::shared_ptr<const UnionChannel> channel_;
  Number gain_;
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  std::map<std::uint64_t, ChannelPtr> by_size;
  std::vector<DisjointPart> parts;
  std::uint64_t outputs = 0;
  for (const std::vector<std::uint64_t>& block : arguments.get<InputGroups>("blocks").groups) {
    ChannelPtr& channel = by_size[block.size()];
    if (!channel) channel = hadamard_channel(block.size(), epsilon);
    parts.push_back({channel, block, outputs});
    std::sort(parts.back().inputs.begin(), parts.back().inputs.end());
    outputs += channel->outputs();
  }
  const auto channel = std::make_shared<const UnionChannel>(domain.inputs(), std::move(parts));
  Mechanism result;
  result.channel = channel;
  result.sampler = std::make_shared<const Response>(channel, epsilon);
  if (is_informative(epsilon)) result.estimator = std::make_shared<const Shares>(domain, channel, sign_gain(epsilon));
  return result;
}

}  // namespace

Family family() {
  return {
      "block_hadamard_response",
      "Hadamard response within each block; which block is told",
      "context-aware LDP paper, Section 6",
      {{"blocks", FieldKind::kPartition, true, "lists of inputs, or coordinates on which the inputs of a block agree"},
       {"epsilon", FieldKind::kLevel, true, "the block-structured LDP level"}},
      build};
}

}  // namespace oddsbound::mechanisms::block_hadamard_response
