#include "verifier/model/adaptive_channel.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "verifier/model/dense_channel.h"
#include "verifier/model/derived_channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::model {

namespace {

std::uint64_t outputs_of(const std::vector<ChannelPtr>& then) {
  std::uint64_t outputs = 0;
  for (const ChannelPtr& second : then) {
    if (second->outputs() > UINT64_MAX - outputs) return UINT64_MAX;
    outputs += second->outputs();
  }
  return outputs;
}

// A channel as a factor that sees no more of the input than it must.
Factor smallest_factor(const Domain& domain, const ChannelPtr& channel) {
  if (channel->factors().empty()) return {channel, every_coordinate(domain)};
  std::vector<std::size_t> seen;
  for (const Factor& factor : channel->factors()) {
    seen.insert(seen.end(), factor.coordinates.begin(), factor.coordinates.end());
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  std::vector<Factor> parts;
  for (const Factor& factor : channel->factors()) {
    Factor& part = parts.emplace_back(factor);
    for (std::size_t& i : part.coordinates) {
      i = static_cast<std::size_t>(std::find(seen.begin(), seen.end(), i) - seen.begin());
    }
  }
  return {std::make_shared<const ProductChannel>(domain.restricted_to(seen), std::move(parts)), seen};
}

// P(y given x) for one output y.
ChannelPtr answered(const Channel& channel, std::uint64_t y, const std::string& label, Budget& budget) {
  PoolBuilder builder;
  for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
    budget.tick();
    Number entry = channel.entry(x, y);
    if (entry.is_zero()) {
      throw LimitError(
          "an adaptive composition that is too large to be listed is taken apart by what the first "
          "mechanism answers; its output '" +
          label + "' is impossible for some inputs, so that this one cannot be (--max-cells)");
    }
    builder.add(std::move(entry));
  }
  return DenseChannel::from_columns(channel.inputs(), {label}, std::move(builder), budget);
}

}  // namespace

AdaptiveChannel::AdaptiveChannel(const Domain& domain, ChannelPtr first, std::vector<ChannelPtr> then, Budget& budget)
    : Channel(then.at(0)->input_numbers(), outputs_of(then)), first_(std::move(first)), then_(std::move(then)) {
  const Factor seen = smallest_factor(domain, first_);
  budget.require_cells(seen.channel->inputs(), seen.channel->outputs());
  for (std::uint64_t y = 0; y < then_.size(); ++y) {
    std::vector<Factor> parts{{answered(*seen.channel, y, first_->output_label(y), budget), seen.coordinates},
                              {then_[y], every_coordinate(domain)}};
    branches_.push_back(std::make_shared<const ProductChannel>(domain, std::move(parts)));
    words_ = std::max(words_, branches_[y]->factors().size());
    output_count_ += then_[y]->output_count();
  }
}

AdaptiveChannel::Second AdaptiveChannel::second(std::span<const std::uint64_t> output) const {
  std::uint64_t first_index = 0;
  for (std::uint64_t y = 0; y < output[0]; ++y) first_index += then_[y]->outputs();
  return {*then_[output[0]], output.subspan(1, branches_[output[0]]->factors().size() - 1), first_index};
}

std::vector<std::uint64_t> AdaptiveChannel::split(std::uint64_t y) const {
  std::vector<std::uint64_t> words{0};
  while (y >= then_[words[0]]->outputs()) y -= then_[words[0]++]->outputs();
  const std::vector<std::uint64_t> second = then_[words[0]]->split(y);
  words.insert(words.end(), second.begin(), second.end());
  words.resize(words_);
  return words;
}

std::unique_ptr<Columns> AdaptiveChannel::columns(Budget& budget) const {
  return adaptive_channel(first_, then_, budget)->columns(budget);
}

std::string AdaptiveChannel::label_of(std::span<const std::uint64_t> output) const {
  const Second then = second(output);
  return "(" + first_->output_label(output[0]) + "," + then.channel.label_of(then.output) + ")";
}

Number AdaptiveChannel::entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const {
  const Second then = second(output);
  return first_->entry(x, output[0]) * then.channel.entry_of(x, then.output);
}

Number AdaptiveChannel::entry_at(const Domain& domain, InputView row, std::span<const std::uint64_t> output) const {
  const Second then = second(output);
  return first_->entry_at(domain, row, first_->split(output[0])) * then.channel.entry_at(domain, row, then.output);
}

std::span<const ChannelPtr> branches_of(const Channel& channel) {
  const auto* adaptive = dynamic_cast<const AdaptiveChannel*>(&channel);
  return adaptive == nullptr ? std::span<const ChannelPtr>() : adaptive->branches();
}

}  // namespace oddsbound::model
