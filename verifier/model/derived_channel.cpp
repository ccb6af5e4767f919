#include "verifier/model/derived_channel.h"

#include "verifier/model/dense_channel.h"

namespace oddsbound::model {

ChannelPtr derived_channel(const std::vector<ChannelPtr>& channels, std::vector<DerivedOutput> outputs,
                           Budget& budget) {
  const std::uint64_t inputs = channels.at(0)->inputs();
  budget.require_cells(inputs, outputs.size());
  std::vector<std::unique_ptr<Columns>> columns;
  for (const ChannelPtr& channel : channels) columns.push_back(channel->columns(budget));
  PoolBuilder builder;
  std::vector<std::string> labels;
  std::vector<std::uint32_t> scratch;
  for (const DerivedOutput& output : outputs) {
    std::vector<std::vector<WeightedTerm>> terms(inputs);
    for (const OutputShare& share : output.shares) {
      budget.look();
      const Columns& source = *columns[share.channel];
      const auto column = source.ranks(share.output, scratch);
      for (std::uint64_t x = 0; x < inputs; ++x) terms[x].push_back({share.share, source.pool().value(column[x])});
    }
    for (std::uint64_t x = 0; x < inputs; ++x) {
      builder.add(weighted_sum(terms[x]));
      budget.tick();
    }
    labels.push_back(output.label);
  }
  return DenseChannel::from_columns(inputs, std::move(labels), std::move(builder), budget);
}

ChannelPtr adaptive_channel(const ChannelPtr& first, const std::vector<ChannelPtr>& then, Budget& budget) {
  const std::uint64_t inputs = first->inputs();
  std::uint64_t outputs = 0;
  for (const ChannelPtr& second : then) {
    budget.require_cells(inputs, second->outputs());
    outputs += second->outputs();
    budget.require_cells(inputs, outputs);
  }
  const auto first_columns = first->columns(budget);
  PoolBuilder builder;
  std::vector<std::string> labels;
  std::vector<std::uint32_t> first_scratch, second_scratch;
  for (std::uint64_t y = 0; y < first->outputs(); ++y) {
    const auto first_column = first_columns->ranks(y, first_scratch);
    const auto second_columns = then[y]->columns(budget);
    for (std::uint64_t z = 0; z < then[y]->outputs(); ++z) {
      budget.look();
      const auto second_column = second_columns->ranks(z, second_scratch);
      for (std::uint64_t x = 0; x < inputs; ++x) {
        builder.add(first_columns->pool().value(first_column[x]) * second_columns->pool().value(second_column[x]));
      }
      labels.push_back("(" + first->output_label(y) + "," + then[y]->output_label(z) + ")");
    }
  }
  return DenseChannel::from_columns(inputs, std::move(labels), std::move(builder), budget);
}

}  // namespace oddsbound::model
