#include "verifier/measures/leakage.h"

#include <algorithm>

#include "verifier/measures/tradeoff.h"

namespace oddsbound::measures {

namespace {

// Of every output how likely it is, and how likely together with the likeliest input; and how much weight each value of
// the channel has.
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
    Number best(0);
    for (const std::uint64_t x : support_) {
      const Number& value = column.pool().value(ranks[x]);
      if (value.is_zero()) continue;
      terms.push_back({weights_[x], value});
      Number joint = weights_[x] * value;
      if (joint > best) best = std::move(joint);
      of_value_[ranks[x]] += weights_[x];
    }
    outputs_.push_back(weighted_sum(terms));
    guessed_ += best;
  }
  void take(RecordSums&& later) {
    outputs_.insert(outputs_.end(), std::make_move_iterator(later.outputs_.begin()),
                    std::make_move_iterator(later.outputs_.end()));
    guessed_ += later.guessed_;
    for (std::size_t v = 0; v < of_value_.size(); ++v) of_value_[v] += later.of_value_[v];
  }
  RecordSums successor() const { return {weights_, of_value_.size()}; }

  const std::vector<Number>& outputs() const { return outputs_; }
  const Number& guessed() const { return guessed_; }
  const std::vector<Number>& of_value() const { return of_value_; }

 private:
  const std::vector<Number>& weights_;
  std::vector<std::uint64_t> support_;
  std::vector<Number> outputs_;
  Number guessed_{0};
  std::vector<Number> of_value_;  // by rank in the pool
};

RecordSums sums_of_record(MeasuredModel& subject) {
  const Columns& columns = subject.columns();
  RecordSums sums(subject.prior().dense(subject.budget()).weights, columns.pool().size());
  std::vector<Rider> riders{{&sums}};
  pass(columns, {0, columns.outputs()}, riders, subject.budget());
  if (riders[0].error) std::rethrow_exception(riders[0].error);
  return sums;
}

// Whether all inputs of mass give every output alike: then, and only then, the information is 0.
bool says_nothing(MeasuredModel& subject) {
  const Columns& columns = subject.columns();
  const std::vector<Number>& weights = subject.prior().dense(subject.budget()).weights;
  std::vector<std::uint32_t> scratch;
  for (std::uint64_t y = 0; y < columns.outputs(); ++y) {
    const auto ranks = columns.ranks(y, scratch);
    std::optional<std::uint32_t> first;
    for (std::uint64_t x = 0; x < weights.size(); ++x) {
      if (weights[x].is_zero()) continue;
      if (!first) first = ranks[x];
      if (*first != ranks[x]) return false;
    }
  }
  return true;
}

Number total_variation(const std::vector<Number>& p, const std::vector<Number>& q) {
  Number distance(0);
  for (std::size_t y = 0; y < p.size(); ++y) {
    if (p[y] > q[y]) distance += p[y] - q[y];
  }
  return distance;
}

void add_log(std::vector<WeightedLog>& sum, const Number& weight, const Number& argument) {
  if (!weight.is_zero() && !argument.is_one()) sum.push_back({weight, argument});
}

}  // namespace

Leakage leakage_of_value(MeasuredModel& subject, std::size_t coordinate) {
  const std::vector<Number> masses = subject.prior().marginal_weights(coordinate, subject.budget());
  std::vector<Number> shares;
  std::vector<GivenInputs> given;
  Leakage leakage;
  for (std::size_t v = 0; v < masses.size(); ++v) {
    if (masses[v].is_zero()) continue;
    shares.push_back(masses[v] / subject.prior().total());
    given.push_back(given_value(subject, coordinate, v));
    if (shares.back() > leakage.prior) leakage.prior = shares.back();
  }
  const std::vector<std::vector<Number>> rows = output_distributions(subject, given);
  std::vector<WeightedLog> information;
  for (std::size_t y = 0; y < rows[0].size(); ++y) {
    subject.budget().look();
    Number output(0), best(0);
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const Number joint = shares[a] * rows[a][y];
      output += joint;
      if (joint > best) best = joint;
      add_log(information, joint, rows[a][y]);
    }
    leakage.posterior += best;
    add_log(information, -output, output);
  }
  Number farthest(0);
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      subject.budget().look();
      farthest = std::max(farthest, total_variation(rows[a], rows[b]));
    }
  }
  // Nothing is said exactly where no two values are told apart.
  if (!farthest.is_zero()) leakage.information = decimal_bounds(information);
  leakage.total_variation = std::move(farthest);
  return leakage;
}

RecordLeakage leakage_of_record(MeasuredModel& subject) {
  const Number& total = subject.prior().total();
  const RecordSums sums = sums_of_record(subject);
  Leakage leakage;
  for (const Number& weight : subject.prior().dense(subject.budget()).weights) {
    leakage.prior = std::max(leakage.prior, weight / total);
  }
  leakage.posterior = sums.guessed() / total;
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
  if (!says_nothing(subject)) leakage.information = decimal_bounds(information);
  const auto most = std::max_element(sums.outputs().begin(), sums.outputs().end());
  return {std::move(leakage), static_cast<std::uint64_t>(most - sums.outputs().begin())};
}

}  // namespace oddsbound::measures
