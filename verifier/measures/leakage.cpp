#include "verifier/measures/leakage.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/measures/tradeoff.h"

namespace oddsbound::measures {

namespace {

// Computes for every output its mass, and for each value of the channel the prior weight of the entries with this
// value.
class RecordSums final : public AccumulatorOf<RecordSums> {
 public:
  RecordSums(const std::vector<Number>& weights, std::size_t values) : weights_(weights), of_value_(values) {
    for (std::uint64_t x = 0; x < weights.size(); ++x) {
      if (!weights[x].is_zero()) support_.push_back(x);
    }
  }

  void offer(ColumnView& column) override {
    const std::span<const std::uint32_t> ranks = column.ranks();
    std::vector<WeightedTerm> terms;
    for (const std::uint64_t x : support_) {
      const Number& value = column.pool().value(ranks[x]);
      if (value.is_zero()) continue;
      terms.push_back({weights_[x], value});
      of_value_[ranks[x]] += weights_[x];
    }
    outputs_.push_back(weighted_sum(terms));
  }
  void take(RecordSums&& later) {
    outputs_.insert(outputs_.end(), std::make_move_iterator(later.outputs_.begin()),
                    std::make_move_iterator(later.outputs_.end()));
    for (std::size_t v = 0; v < of_value_.size(); ++v) of_value_[v] += later.of_value_[v];
  }
  RecordSums successor() const { return {weights_, of_value_.size()}; }

  const std::vector<Number>& outputs() const { return outputs_; }
  const std::vector<Number>& of_value() const { return of_value_; }

 private:
  const std::vector<Number>& weights_;
  std::vector<std::uint64_t> support_;
  std::vector<Number> outputs_;
  std::vector<Number> of_value_;  // by rank in the pool
};

const RecordSums& sums_of_record(MeasuredModel& subject) {
  return subject.remember("sums of the record", [&] {
    const Columns& columns = subject.columns();
    RecordSums sums(subject.prior().dense(subject.budget()).weights, columns.pool().size());
    std::vector<PassClient> riders{{&sums}};
    pass(columns, {0, columns.outputs()}, riders, subject.budget());
    if (riders[0].error) std::rethrow_exception(riders[0].error);
    return sums;
  });
}

const ValueRows& remembered_rows(MeasuredModel& subject, std::size_t coordinate) {
  return subject.remember("rows of values " + std::to_string(coordinate), [&] {
    ValueRows values = rows_of_values(subject, coordinate);
    for (Number& mass : values.masses) mass /= subject.prior().total();
    return values;
  });
}

void add_log(std::vector<WeightedLog>& sum, const Number& weight, const Number& argument) {
  if (!weight.is_zero() && !argument.is_one()) sum.push_back({weight, argument});
}

// Mutual information = sum over a, y of p(a, y) log p(y | a) - sum over y of p(y) log p(y).
std::vector<WeightedLog> information_of_value(MeasuredModel& subject, std::size_t coordinate) {
  const auto& [values, shares, rows] = remembered_rows(subject, coordinate);
  std::vector<WeightedLog> information;
  for (std::size_t y = 0; y < rows[0].size(); ++y) {
    subject.budget().check();
    Number output(0);
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const Number joint = shares[a] * rows[a][y];
      output += joint;
      add_log(information, joint, rows[a][y]);
    }
    add_log(information, -output, output);
  }
  return information;
}

std::vector<WeightedLog> information_of_record(MeasuredModel& subject) {
  const Number& total = subject.prior().total();
  const RecordSums& sums = sums_of_record(subject);
  std::vector<WeightedLog> information;
  const ValuePool& pool = subject.columns().pool();
  for (std::uint32_t v = 0; v < pool.size(); ++v) {
    const Number& value = pool.value(v);
    if (!value.is_zero()) add_log(information, sums.of_value()[v] / total * value, value);
  }
  for (const Number& joint : sums.outputs()) {
    const Number output = joint / total;
    add_log(information, -output, output);
  }
  return information;
}

}  // namespace

void require_few_rows(const MeasuredModel& subject) {
  constexpr std::uint64_t kMostRows = 1 << 16;
  const Prior& prior = subject.prior();
  const bool listed = prior.tables().empty() && !prior.has_independent_coordinates();
  const Number rows = listed ? prior.support_size(subject.budget()) : subject.domain().input_count();
  if (rows <= Number(static_cast<std::int64_t>(kMostRows))) return;
  throw LimitError("the prior has more than " + std::to_string(kMostRows) +
                   " rows, which what an output says is a sum of");
}

const Leakages& leakages_of(MeasuredModel& subject) {
  return subject.remember("leakages", [&] { return measure_leakages(subject, true); });
}

Guesses guesses_of(MeasuredModel& subject, std::optional<std::size_t> coordinate) {
  const Leakages& all = subject.remembers("leakages")
                            ? leakages_of(subject)
                            : subject.remember("guesses", [&] { return measure_leakages(subject, false); });
  return coordinate ? all.values[*coordinate] : all.record;
}

std::vector<WeightedLog> information_of(MeasuredModel& subject, std::optional<std::size_t> coordinate) {
  require_few_rows(subject);
  return collected(coordinate ? information_of_value(subject, *coordinate) : information_of_record(subject));
}

}  // namespace oddsbound::measures
