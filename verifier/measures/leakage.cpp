#include "verifier/measures/leakage.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/engine/group_levels.h"
#include "verifier/engine/pair_classes.h"
#include "verifier/measures/shared_sums.h"
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

namespace {

using engine::LabelSums;
using engine::NumberBounds;
using engine::OutputSums;

// Rows x outputs are too many for the exact sums, and there is another way.
bool has_bounds(const MeasuredModel& subject) {
  if (!engine::can_sum_outputs(subject.model())) return false;
  std::int64_t rows = 0;
  if (!subject.prior().support_size(subject.budget()).fits_int64(rows) || rows == 0) return true;
  return subject.channel().outputs() > subject.budget().limits().max_cells / static_cast<std::uint64_t>(rows);
}

// Short decimals instead of the long fractions that doubles are.
NumberBounds outward(const NumberBounds& bounds) {
  return {rounded_decimal(bounds.lower, false), rounded_decimal(bounds.upper, true)};
}

// No output makes the best guess worse, which rounding may hide.
void set_guesses(Guesses& guesses, const NumberBounds& bounds) {
  const NumberBounds posterior = outward(bounds);
  guesses.posterior = std::max(posterior.lower, guesses.prior);
  if (guesses.posterior < posterior.upper) guesses.posterior_at_most = posterior.upper;
}

void set_bounds(Leakage& leakage, const NumberBounds& guess, const NumberBounds& information) {
  set_guesses(leakage, guess);
  leakage.information = {decimal_bounds(information.lower).lower, decimal_bounds(information.upper).upper};
}

Number upper_end(const std::vector<WeightedLog>& sum) {
  return sum.empty() ? Number(0) : parse_number(decimal_bounds(sum).upper);
}

Number heaviest_row(MeasuredModel& subject) {
  Number heaviest;
  subject.prior().each_row(subject.budget(),
                           [&](InputView, const Number& weight) { heaviest = std::max(heaviest, weight); });
  return heaviest / subject.prior().total();
}

// The accuracy without the output.
Number first_guess(MeasuredModel& subject, std::size_t coordinate) {
  const std::vector<Number> masses = subject.prior().marginal_weights(coordinate, subject.budget());
  return *std::max_element(masses.begin(), masses.end()) / subject.prior().total();
}

// An enclosure cannot show that sums are those of equal distributions; the level can.
bool reveals_nothing(MeasuredModel& subject, std::size_t coordinate) {
  const double seconds = engine::seconds_to_search(subject.budget()) / 8;
  try {
    return engine::levels_between_values(subject, {coordinate}, seconds)[0].at_most().is_zero();
  } catch (const Interrupted&) {
    throw;
  } catch (const LimitError&) {
    return false;
  }
}

// Sums about a coordinate: total variation distances between all pairs of its values, if these are asked for.
LabelSums sums_of(MeasuredModel& subject, std::size_t coordinate, bool guesses, bool information, bool distances) {
  LabelSums sums{Partition::by_value(subject.domain(), coordinate), guesses, information};
  const std::vector<Number> masses = subject.prior().marginal_weights(coordinate, subject.budget());
  for (std::uint32_t a = 0; a < masses.size() && distances; ++a) {
    for (std::uint32_t b = 0; b < a && !masses[a].is_zero(); ++b) {
      if (!masses[b].is_zero()) sums.excesses.push_back({a, b, Number(1)});
    }
  }
  return sums;
}

Leakages bounded_leakages(MeasuredModel& subject) {
  std::vector<LabelSums> asked;
  for (std::size_t i = 0; i < subject.domain().size(); ++i) {
    asked.push_back(sums_of(subject, i, true, true, true));
  }
  const OutputSums sums = engine::sum_outputs(subject.model(), asked, true, subject.budget());
  Leakages leakages;
  leakages.likeliest = sums.likeliest;
  leakages.record.prior = heaviest_row(subject);
  set_bounds(leakages.record, sums.record_guess, sums.record_information);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const engine::LabelSumBounds& found = sums.labels[i];
    Leakage& own = leakages.values.emplace_back();
    own.prior = first_guess(subject, i);
    NumberBounds distance;
    for (const NumberBounds& excess : found.excesses) {
      distance = {std::max(distance.lower, excess.lower), std::max(distance.upper, excess.upper)};
    }
    if (!distance.upper.is_zero() && distance.lower.is_zero() && reveals_nothing(subject, i)) {
      own.posterior = own.prior;
      own.total_variation = Number(0);
      continue;
    }
    set_bounds(own, found.guess, found.information);
    distance = outward(distance);
    own.total_variation = distance.lower;
    if (distance.lower < distance.upper) own.total_variation_at_most = distance.upper;
  }
  return leakages;
}

AskedSums asked_guesses(std::optional<std::size_t> coordinate) { return {coordinate, true, false}; }
AskedSums asked_information(std::optional<std::size_t> coordinate) { return {coordinate, false, true}; }

Guesses bounded_guesses(MeasuredModel& subject, std::optional<std::size_t> coordinate) {
  const FoundSums sums = sums_over_outputs(subject, asked_guesses(coordinate));
  Guesses guesses{coordinate ? first_guess(subject, *coordinate) : heaviest_row(subject), Number(0)};
  guesses.complete = sums.complete;
  set_guesses(guesses, sums.guess);
  if (coordinate && guesses.posterior == guesses.prior && guesses.posterior_at_most &&
      reveals_nothing(subject, *coordinate)) {
    guesses.posterior_at_most.reset();
  }
  return guesses;
}

std::string key_of(const char* what, std::optional<std::size_t> coordinate) {
  return std::string(what) + (coordinate ? " of " + std::to_string(*coordinate) : " of the record");
}

}  // namespace

std::string reason_of_bounds(bool complete) {
  return complete ? "outputs are too many for an exact sum (--max-cells); the sum in doubles is rounded outward"
                  : "outputs are too many to visit; those with the largest probabilities bound the sum";
}

namespace {

// The units whose outputs may reveal something about the coordinate, or about the input: the others are independent of
// it, because coordinates are. nullopt if these units share coordinates, or if one also sees other coordinates.
std::optional<std::vector<Factor>> units_about(const Model& model, std::optional<std::size_t> coordinate) {
  if (!model.prior || !model.prior->is_uniform()) return std::nullopt;
  std::vector<Factor> units;
  std::vector<bool> seen(model.domain.size(), false);
  for (Factor& unit : engine::units_of_model(model)) {
    std::erase_if(unit.coordinates, [&](std::size_t i) { return model.domain.values(i) == 1; });
    if (unit.coordinates.empty()) continue;
    const auto place = std::find(unit.coordinates.begin(), unit.coordinates.end(), coordinate.value_or(0));
    if (coordinate && place == unit.coordinates.end()) continue;
    if (coordinate && unit.coordinates.size() > 1) return std::nullopt;
    for (const std::size_t i : unit.coordinates) {
      if (seen[i]) return std::nullopt;
      seen[i] = true;
    }
    units.push_back(std::move(unit));
  }
  return units;
}

// The classes of outputs of each of these units.
std::optional<std::vector<std::vector<OutputClass>>> classes_about(const Model& model,
                                                                   std::optional<std::size_t> coordinate) {
  const auto units = units_about(model, coordinate);
  if (!units) return std::nullopt;
  std::vector<std::vector<OutputClass>> classes;
  for (const Factor& unit : *units) {
    const WithPairClasses* declaring = with_pair_classes(*unit.channel);
    if (declaring == nullptr) return std::nullopt;
    classes.push_back(declaring->output_classes());
    if (classes.back().empty()) return std::nullopt;
  }
  return classes;
}

}  // namespace

bool has_output_classes(const Model& model, std::optional<std::size_t> coordinate) {
  return engine::has_large_unit(model) && classes_about(model, coordinate).has_value();
}

// Units that see disjoint sets of independent coordinates are independent, so their information adds up. For one of
// them and a uniform input x, P(x given y) / P(x) = P(y given x) / P(y) = r, the ratio of x in the class of y. Hence
//   I = sum over y of P(y) sum over x of P(x given y) log(r) = sum over classes of mass * sum of fraction * r * log(r).
std::optional<std::vector<WeightedLog>> information_by_classes(const Model& model,
                                                               std::optional<std::size_t> coordinate) {
  const auto units = classes_about(model, coordinate);
  if (!units) return std::nullopt;
  std::vector<WeightedLog> information;
  for (const auto& classes : *units) {
    for (const OutputClass& own : classes) {
      for (const auto& [inputs, ratio] : own.likelihoods) add_log(information, own.mass * inputs * ratio, ratio);
    }
  }
  return collected(information);
}

// The best guess after y is right with probability max over x of P(x given y) = P(x) * (the largest ratio of y's
// class). Without the output it is right with probability P(x), so the quotient is the mean of the largest ratio, and
// the product of these means for independent units.
std::optional<Guesses> guesses_by_classes(const Model& model, std::optional<std::size_t> coordinate) {
  const auto units = classes_about(model, coordinate);
  if (!units) return std::nullopt;
  Guesses guesses;
  guesses.prior = Number(1) / (coordinate ? Number(static_cast<std::int64_t>(model.domain.values(*coordinate)))
                                          : model.domain.input_count());
  guesses.posterior = guesses.prior;
  for (const auto& classes : *units) {
    Number mean;
    for (const OutputClass& own : classes) {
      Number largest;
      for (const auto& likelihood : own.likelihoods) largest = std::max(largest, likelihood.ratio);
      mean += own.mass * largest;
    }
    guesses.posterior *= mean;
  }
  return guesses;
}

bool has_information_bounds(const MeasuredModel& subject, std::optional<std::size_t> coordinate) {
  if (has_output_classes(subject.model(), coordinate)) return false;
  return !subject.can_enumerate() && engine::can_sum_outputs(subject.model());
}

InformationBounds information_bounds(MeasuredModel& subject, std::optional<std::size_t> coordinate) {
  require_few_rows(subject);
  return subject.remember(key_of("bounds of the information", coordinate), [&]() -> InformationBounds {
    const FoundSums sums = sums_over_outputs(subject, asked_information(coordinate));
    NumberBounds bounds = outward(sums.information);
    if (!sums.complete) {
      const auto& by_parts = subject.remember("information by parts", [&]() -> std::optional<Number> {
        const auto parts = information_by_parts(subject.model(), subject.budget());
        return parts ? std::optional(upper_end(*parts)) : std::nullopt;
      });
      if (by_parts) bounds.upper = std::min(bounds.upper, *by_parts);
    }
    if (coordinate && bounds.lower.is_zero() && reveals_nothing(subject, *coordinate)) return {};
    return {bounds, sums.complete};
  });
}

void expect_information(MeasuredModel& subject, std::optional<std::size_t> coordinate) {
  if (has_information_bounds(subject, coordinate)) expect_sums(subject, asked_information(coordinate));
}

void expect_guesses(MeasuredModel& subject, std::optional<std::size_t> coordinate) {
  if (has_output_classes(subject.model(), coordinate) || subject.remembers("leakages") || !has_bounds(subject)) return;
  expect_sums(subject, asked_guesses(coordinate));
}

const Leakages& leakages_of(MeasuredModel& subject) {
  return subject.remember("leakages", [&] {
    require_few_rows(subject);
    return has_bounds(subject) ? bounded_leakages(subject) : measure_leakages(subject, true);
  });
}

Guesses guesses_of(MeasuredModel& subject, std::optional<std::size_t> coordinate) {
  if (engine::has_large_unit(subject.model())) {
    if (const auto known = guesses_by_classes(subject.model(), coordinate)) return *known;
  }
  require_few_rows(subject);
  if (!subject.remembers("leakages") && has_bounds(subject)) {
    return subject.remember(key_of("guesses", coordinate), [&] { return bounded_guesses(subject, coordinate); });
  }
  const Leakages& all = subject.remembers("leakages")
                            ? leakages_of(subject)
                            : subject.remember("guesses", [&] { return measure_leakages(subject, false); });
  const Guesses& found = coordinate ? all.values[*coordinate] : all.record;
  return found;
}

std::vector<WeightedLog> information_of(MeasuredModel& subject, std::optional<std::size_t> coordinate) {
  if (engine::has_large_unit(subject.model())) {
    if (auto known = information_by_classes(subject.model(), coordinate)) return *std::move(known);
  }
  require_few_rows(subject);
  return collected(coordinate ? information_of_value(subject, *coordinate) : information_of_record(subject));
}

}  // namespace oddsbound::measures
