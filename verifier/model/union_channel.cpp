#include "verifier/model/union_channel.h"

#include <algorithm>
#include <map>

namespace oddsbound::model {

namespace {

std::uint64_t count_outputs(const std::vector<DisjointPart>& parts) {
  return parts.back().first_output + parts.back().channel->outputs();
}

}  // namespace

class UnionChannel::UnionColumns final : public Columns {
 public:
  UnionColumns(const UnionChannel& channel, Budget& budget)
      : Columns(channel.inputs(), channel.outputs()), channel_(channel) {
    PoolBuilder builder;
    builder.add(Number(0));
    for (const DisjointPart& part : channel_.parts_) {
      Part& known = parts_[part.channel.get()];
      if (known.columns) continue;
      known.columns = part.channel->columns(budget);
      known.first_entry = builder.size();
      for (std::uint32_t r = 0; r < known.columns->pool().size(); ++r) builder.add(known.columns->pool().value(r));
    }
    std::vector<std::uint32_t> ranks;
    pool_ = std::move(builder).finish(ranks, budget);
    zero_ = ranks[0];
    for (auto& [key, part] : parts_) {
      const auto begin = ranks.begin() + static_cast<std::ptrdiff_t>(part.first_entry);
      part.ranks.assign(begin, begin + static_cast<std::ptrdiff_t>(part.columns->pool().size()));
    }
  }

  const ValuePool& pool() const override { return pool_; }

  std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const override {
    const Place place = channel_.output_place(y);
    const DisjointPart& part = channel_.parts_[place.part];
    const Part& known = parts_.at(part.channel.get());
    scratch.assign(inputs(), zero_);
    std::vector<std::uint32_t> inner_scratch;
    const auto inner = known.columns->ranks(place.position, inner_scratch);
    for (std::size_t i = 0; i < part.inputs.size(); ++i) scratch[part.inputs[i]] = known.ranks[inner[i]];
    return scratch;
  }

 private:
  struct Part {
    std::unique_ptr<Columns> columns;
    std::size_t first_entry = 0;
    std::vector<std::uint32_t> ranks;  // of its pool's values in the common pool
  };
  const UnionChannel& channel_;
  std::map<const Channel*, Part> parts_;
  ValuePool pool_;
  std::uint32_t zero_ = 0;
};

UnionChannel::UnionChannel(std::uint64_t inputs, std::vector<DisjointPart> parts)
    : Channel(inputs, count_outputs(parts)), parts_(std::move(parts)), place_of_(inputs) {
  for (std::uint32_t c = 0; c < parts_.size(); ++c) {
    for (std::uint32_t i = 0; i < parts_[c].inputs.size(); ++i) place_of_[parts_[c].inputs[i]] = {c, i};
  }
}

UnionChannel::Place UnionChannel::output_place(std::uint64_t y) const {
  const auto after =
      std::upper_bound(parts_.begin(), parts_.end(), y,
                       [](std::uint64_t value, const DisjointPart& part) { return value < part.first_output; });
  const auto part = static_cast<std::uint32_t>(after - parts_.begin() - 1);
  return {part, static_cast<std::uint32_t>(y - parts_[part].first_output)};
}

std::string UnionChannel::label_of(std::span<const std::uint64_t> output) const {
  const Place place = output_place(output[0]);
  return "(" + std::to_string(place.part) + "," + parts_[place.part].channel->output_label(place.position) + ")";
}

Number UnionChannel::entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const {
  const Place in = place_of_[x];
  const Place out = output_place(output[0]);
  if (in.part != out.part) return Number(0);
  return parts_[in.part].channel->entry(in.position, out.position);
}

std::unique_ptr<Columns> UnionChannel::columns(Budget& budget) const {
  budget.require_cells(inputs(), outputs());
  return std::make_unique<UnionColumns>(*this, budget);
}

}  // namespace oddsbound::model
