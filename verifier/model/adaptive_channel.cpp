#include "verifier/model/adaptive_channel.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/errors.h"
#include "verifier/model/channel.h"
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

// Returns a channel as a factor on the coordinates that it depends on, as far as its factors show them.
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

// Returns P(y given x) for one output y, as a channel with one output. Throws LimitError if it is 0 for some x.
ChannelPtr answered(const Channel& channel, std::uint64_t y, const std::string& label, Budget& budget) {
  PoolBuilder builder;
  for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
    budget.check_every();
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

namespace {

using NumberRow = std::vector<Number>;

struct NumberRowHash {
  std::size_t operator()(const NumberRow& row) const {
    std::size_t hash = row.size();
    for (const Number& entry : row) hash = hash * 1000003 + entry.hash();
    return hash;
  }
};

// Returns the number of ways to distribute `runs` runs over `outputs` outputs, C(runs + outputs - 1, outputs - 1);
// UINT64_MAX if it does not fit.
std::uint64_t ways(std::uint64_t runs, std::uint64_t outputs) {
  if (outputs == 0) return runs == 0 ? 1 : 0;
  unsigned __int128 count = 1;
  const std::uint64_t least = std::min(runs, outputs - 1);
  for (std::uint64_t k = 1; k <= least; ++k) {
    count = count * (runs + outputs - 1 - least + k) / k;
    if (count > UINT64_MAX) return UINT64_MAX;
  }
  return static_cast<std::uint64_t>(count);
}

// Visits all count vectors in the order of their numbers.
class CountWalk {
 public:
  CountWalk(const std::vector<NumberRow>& rows, const Counts& counts, Budget& budget)
      : rows_(rows), outputs_(counts.outputs()), budget_(budget), result_(rows.size()) {
    for (NumberRow& row : result_) row.reserve(counts.size());
    place(0, counts.runs(), NumberRow(rows.size(), Number(1)));
  }
  std::vector<NumberRow> take() { return std::move(result_); }

 private:
  // The `left` remaining runs have output `y` or a later one; `before` is the probability of the other runs, in
  // any order.
  void place(std::size_t y, std::uint64_t left, const NumberRow& before) {
    if (left == 0 || y + 1 == outputs_) {
      for (std::size_t b = 0; b < rows_.size(); ++b) {
        budget_.check_every();
        result_[b].push_back(left == 0 ? before[b] : before[b] * rows_[b][y].pow(static_cast<std::int64_t>(left)));
      }
      return;
    }
    // with[count]: `y` occurs `count` times. Larger counts have smaller numbers, so they are visited first.
    std::vector<NumberRow> with{before};
    for (std::uint64_t count = 1; count <= left; ++count) {
      const Number more = Number::ratio(static_cast<std::int64_t>(left - count + 1), static_cast<std::int64_t>(count));
      NumberRow& next = with.emplace_back();
      for (std::size_t b = 0; b < rows_.size(); ++b) {
        budget_.check_every();
        next.push_back(with[count - 1][b] * (rows_[b][y] * more));
      }
    }
    for (std::uint64_t count = left + 1; count-- > 0;) {
      place(y + 1, left - count, with[count]);
      with.pop_back();
    }
  }

  const std::vector<NumberRow>& rows_;
  std::size_t outputs_;
  Budget& budget_;
  std::vector<NumberRow> result_;
};

// Returns [input][number of counts]; equal rows of inputs are computed once.
ChannelPtr memoized_table(const Channel& permanent, const Channel& report, const Counts& counts, Budget& budget) {
  counts.require_listable(budget);
  budget.require_cells(permanent.inputs(), counts.size());
  budget.require_cells(report.inputs(), counts.size());
  const std::vector<NumberRow> given = count_probabilities(rows_of(report, budget), counts, budget);
  std::unordered_map<NumberRow, NumberRow, NumberRowHash> known;
  PoolBuilder builder;
  std::vector<WeightedTerm> terms;
  for (const NumberRow& row : rows_of(permanent, budget)) {
    const auto [place, added] = known.try_emplace(row);
    NumberRow& entries = place->second;
    for (std::uint64_t y = 0; added && y < counts.size(); ++y) {
      budget.check_every();
      terms.clear();
      for (std::size_t b = 0; b < row.size(); ++b) {
        if (!row[b].is_zero()) terms.push_back({row[b], given[b][y]});
      }
      entries.push_back(weighted_sum(terms));
    }
    for (const Number& entry : entries) {
      budget.check_every();
      builder.add(entry);
    }
  }
  return DenseChannel::from_rows(permanent.inputs(), std::vector<std::string>(counts.size()), std::move(builder),
                                 budget);
}

}  // namespace

Counts::Counts(std::uint64_t outputs, std::uint64_t runs)
    : outputs_(outputs), runs_(runs), size_(ways(runs, outputs)) {}

void Counts::require_listable(const Budget& budget) const {
  if (outputs_ > kMostOutputs) {
    throw ModelError("found reports of " + std::to_string(outputs_) + " kinds, expected at most " +
                     std::to_string(kMostOutputs));
  }
  if (size_ <= budget.limits().max_cells) return;
  throw LimitError("how often each of " + std::to_string(outputs_) + " reports comes in " + std::to_string(runs_) +
                   " runs are " + (size_ == UINT64_MAX ? "2^64 outputs or more" : std::to_string(size_) + " outputs") +
                   ", more than the limit of " + std::to_string(budget.limits().max_cells) + " (--max-cells)");
}

std::vector<std::uint64_t> Counts::at(std::uint64_t number) const {
  std::vector<std::uint64_t> counts(outputs_, 0);
  std::uint64_t left = runs_;
  for (std::uint64_t y = 0; y + 1 < outputs_; ++y) {
    counts[y] = left;
    for (std::uint64_t later = 1; counts[y] > 0 && number >= later; later = ways(left - counts[y], outputs_ - y - 1)) {
      number -= later;
      --counts[y];
    }
    left -= counts[y];
  }
  counts.back() = left;
  return counts;
}

std::uint64_t Counts::number_of(std::span<const std::uint64_t> counts) const {
  std::uint64_t number = 0;
  std::uint64_t left = runs_;
  for (std::uint64_t y = 0; y + 1 < outputs_; ++y) {
    // Adds the number of vectors before this one: those with more runs at output y, so fewer runs for the later
    // outputs.
    if (counts[y] < left) number += ways(left - counts[y] - 1, outputs_ - y);
    left -= counts[y];
  }
  return number;
}

Number Counts::orders(std::span<const std::uint64_t> counts) {
  Number orders(1);
  std::int64_t placed = 0;
  for (const std::uint64_t count : counts) {
    for (std::int64_t k = 1; k <= static_cast<std::int64_t>(count); ++k) orders *= Number::ratio(++placed, k);
  }
  return orders;
}

std::vector<std::vector<Number>> count_probabilities(const std::vector<std::vector<Number>>& rows, const Counts& counts,
                                                     Budget& budget) {
  return CountWalk(rows, counts, budget).take();
}

MemoizedChannel::MemoizedChannel(const Channel& permanent, const Channel& report, std::uint64_t times, Budget& budget)
    : MemoizedChannel(permanent, report, Counts(report.outputs(), times), budget) {}

MemoizedChannel::MemoizedChannel(const Channel& permanent, const Channel& report, Counts counts, Budget& budget)
    : Channel(permanent.inputs(), counts.size()),
      counts_(counts),
      reports_(output_labels(report, budget)),
      table_(memoized_table(permanent, report, counts, budget)) {}

std::string count_label(std::span<const std::string> reports, std::span<const std::uint64_t> counts) {
  std::string label = "{";
  for (std::size_t y = 0; y < counts.size(); ++y) {
    label += (y > 0 ? "," : "") + reports[y] + ":" + std::to_string(counts[y]);
  }
  return label + "}";
}

std::string MemoizedChannel::label_of(std::span<const std::uint64_t> output) const {
  return count_label(reports_, counts_.at(output[0]));
}

}  // namespace oddsbound::model
