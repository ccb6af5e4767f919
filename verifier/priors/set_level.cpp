#include "verifier/priors/set_level.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "verifier/engine/search_node.h"
#include "verifier/priors/product_search.h"

namespace oddsbound::priors {

namespace {

class SetScan final : public AccumulatorOf<SetScan> {
 public:
  SetScan(ColumnSearch columns, const AllowedPairs& direction) : columns_(std::move(columns)), direction_(direction) {}

  void offer(ColumnView& view) override {
    SetSearch& search = columns_.look_at(view);
    const LabelledColumn& column = columns_.column();
    const Number* least = &column.smallest(0);
    for (std::size_t label = 1; label < columns_.labels(); ++label) least = &std::min(*least, column.smallest(label));
    for (std::size_t from = 0; from < columns_.labels(); ++from) {
      if (found_.known() && Ratio::of(column.largest(from), *least) <= *found_.known()) continue;
      for (std::size_t to = 0; to < columns_.labels(); ++to) {
        Budget::current()->check_every();
        if (!direction_.allows(from, to)) continue;
        const auto name = [&] { return std::vector<std::uint64_t>{view.output()}; };
        found_.compare(search, columns_.inputs(), column, from, to, name);
      }
    }
  }

  bool is_saturated() const override { return found_.known() && found_.known()->infinite; }
  void take(SetScan&& later) { found_.take(std::move(later.found_)); }
  SetScan successor() {
    SetScan later(columns_.successor(), direction_);
    later.found_ = found_.successor();
    return later;
  }

  const LargestQuotient& finish() const { return found_; }

 private:
  ColumnSearch columns_;
  const AllowedPairs& direction_;
  LargestQuotient found_;
};

}  // namespace

GroupLevel level_over(MeasuredModel& subject, const PriorSet& set, const ColumnInputs& inputs,
                      const AllowedPairs& direction, std::size_t at_once) {
  const SetQuestion question{subject.domain(), inputs, subject.channel().output_count(), at_once};
  SetScan scan(ColumnSearch(set, question), direction);
  pass(subject.columns(), scan, subject.budget());
  GroupLevel level = scan.finish().level(subject.domain());
  change_output(level, [&](std::vector<std::uint64_t>& output) { output = subject.channel().split(output.front()); });
  return level;
}

namespace {

// Returns the probability of the output given the label, under a member.
Number probability_given(std::size_t label, const ColumnInputs& labelled, const LabelledColumn& column,
                         const Member& member) {
  const std::vector<std::uint64_t>& inputs = labelled.inputs[label];
  std::vector<WeightedTerm> joint, mass;
  for (const auto& [input, weight] : member.rows) {
    const auto place = std::lower_bound(inputs.begin(), inputs.end(), input);
    if (place == inputs.end() || *place != input) continue;
    joint.push_back({weight, column.entries[label][static_cast<std::size_t>(place - inputs.begin())]});
    mass.push_back({weight, Number(1)});
  }
  return weighted_sum(joint) / weighted_sum(mass);
}

std::shared_ptr<const MemberPrior> named(const Member& member, const Domain& domain) {
  const auto rows_of = [&](const NumberedRows& numbered) {
    decltype(MemberPrior::rows) rows;
    for (const auto& [input, mass] : numbered) rows.emplace_back(domain.tuple(input), mass);
    return rows;
  };
  MemberPrior prior{rows_of(member.rows), member.attains};
  for (const NumberedRows& end : member.line) prior.line.push_back(rows_of(end));
  return std::make_shared<const MemberPrior>(std::move(prior));
}

// Returns a level with few digits that is at least log(ratio).
Level level_above(const Ratio& ratio) {
  if (ratio.infinite) return Level::infinite();
  return engine::level_above(ratio.value.approx() * (1 + 0x1p-40));
}

}  // namespace

LargestQuotient::Best LargestQuotient::best_at(SetSearch& search, const ColumnInputs& inputs,
                                               const LabelledColumn& column, std::size_t from, std::size_t to) {
  Member member = search.member(from, to);
  FoundOutput shown{{}, probability_given(from, inputs, column, member), probability_given(to, inputs, column, member)};
  return {from, to, std::move(shown), std::move(member), search.is_exact()};
}

GroupLevel LargestQuotient::level(const Domain& domain) const {
  GroupLevel level;
  const Ratio ratio = best_ ? *known_ : Ratio{Surd(Number(1))};
  if (best_) {
    level.at_least = ratio.infinite ? Level::infinite() : Level::of_surd(ratio.value);
    level.from = best_->from;
    level.to = best_->to;
    FoundOutput shown = best_->shown;
    shown.prior = named(best_->member, domain);
    level.witness = std::move(shown);
  }
  if (stopped_ && stopped_->at_most > ratio) {
    level.unfinished = Unfinished{std::max(level.at_least, level_above(stopped_->at_most)), stopped_->reason};
  }
  if (best_ && !best_->exact && !best_->member.attains) {
    if (!level.unfinished) {
      level.unfinished = Unfinished{level.at_least, "the sample allows a level of this size, and none above it"};
    }
    level.at_least = std::max(Level(), Level::of_exponential(best_->shown.p_from / best_->shown.p_to));
  }
  return level;
}

namespace {

// Steps of largest_below() for each entry of the kernel, about, since entries are sorted.
constexpr double kStepsPerEntry = 8;
// With fewer steps at the root, the averaged bound does not pay.
constexpr double kFewSteps = 0x1p26;

// Smaller entries count as 0 or as kLeastEntry, whichever makes the bound larger.
double entry_below(double entry) { return entry < kLeastEntry ? 0 : std::min(entry, kMostEntry); }
double entry_above(double entry) {
  if (entry == 0) return 0;
  return entry > kMostEntry ? kNoMean : std::max(entry, kLeastEntry);
}

}  // namespace

QuotientBounds::QuotientBounds(const ProductColumns& columns, const Suffixes& suffixes, const MeanBounds& means,
                               LossKernel& kernel, engine::Averages averages)
    : columns_(columns), suffixes_(suffixes), means_(means), kernel_(kernel), averages_(averages) {
  std::vector<std::uint32_t> at;
  for (std::size_t r = 0; r < columns.seen().rows.size(); ++r) at.push_back(suffixes.root(r));
  suffix_of_.push_back(at);
  for (std::size_t depth = 0; depth < suffixes.depths(); ++depth) {
    for (std::uint32_t& suffix : at) suffix = suffixes.layer(depth).next[suffix];
    suffix_of_.push_back(at);
  }
}

std::optional<std::vector<double>> QuotientBounds::weights_at(std::span<const std::uint32_t> path) const {
  std::vector<double> weights(columns_.seen().rows.size(), 1);
  for (std::size_t depth = 0; depth < path.size(); ++depth) {
    const std::vector<double>& entries = suffixes_.entries(depth)[path[depth]];
    double most = 0;
    for (std::size_t r = 0; r < weights.size(); ++r) {
      if (weights[r] == 0) continue;
      const double entry = entries[suffixes_.layer(depth).seen[suffix_of_[depth][r]]];
      weights[r] *= entry;
      // A weight that underflows to 0 is not an impossible one, so it gives no bound.
      if (entry != 0 && !(weights[r] > engine::kSmall && weights[r] < engine::kLarge)) return std::nullopt;
      most = std::max(most, weights[r]);
    }
    if (most == 0) return weights;
    const double scale = std::ldexp(1.0, -std::ilogb(most));  // a power of two: no rounding
    for (double& weight : weights) {
      if (weight != 0 && weight * scale < engine::kSmall) return std::nullopt;
      weight *= scale;
    }
  }
  return weights;
}

// Sets, per part, the smallest mean given `to` of the kernel of one suffix: R_r.
void QuotientBounds::reach(std::size_t depth, const std::vector<double>& weights, std::uint32_t suffix, std::size_t to,
                           std::span<double> by_part) {
  const double* kept = kernel_.row(depth, suffix);
  const ProductColumns::RowsOfLabel& rows = columns_.labels()[to];
  const std::vector<std::uint32_t>& suffix_of = suffix_of_[depth];
  const auto entry = [&](std::size_t row) { return entry_below(weights[row] * kept[suffix_of[row]]); };
  column_.resize(rows.named);
  for (std::size_t k = 0; k < rows.named; ++k) column_[k] = entry(rows.first + k);
  means_.least(to, column_, rows.others ? entry(rows.smallest()) : 0, by_part);
  for (double& mean : by_part) mean = mean < kLeastMean ? 0 : mean;
}

double QuotientBounds::largest_below(std::size_t depth, const std::vector<double>& weights, std::size_t from,
                                     std::size_t to) {
  const std::size_t parts = means_.parts();
  const ProductColumns::RowsOfLabel& rows = columns_.labels()[from];
  const std::size_t count = rows.named + (rows.others ? 1 : 0);
  std::unordered_map<std::uint32_t, std::size_t> known;  // by suffix, where its R begins in `reached`
  std::vector<double> reached;
  std::vector<std::size_t> place(count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    if (weights[rows.first + k] == 0) continue;
    const std::uint32_t suffix = suffix_of_[depth][rows.first + k];
    const auto [found, added] = known.emplace(suffix, reached.size());
    place[k] = found->second;
    if (!added) continue;
    reached.resize(reached.size() + parts);
    reach(depth, weights, suffix, to, std::span(reached).last(parts));
  }
  double most = 0;
  std::vector<double> column(count);
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t k = 0; k < count; ++k) {
      const double weight = weights[rows.first + k];
      column[k] = weight == 0 ? 0 : entry_above(weight / reached[place[k] + part]);
    }
    const double elsewhere = rows.others ? column[rows.named] : 0;
    // The largest entry is an upper bound for the others, up to rounding.
    most = std::max(
        most, means_.most(part, from, std::span(column).first(rows.named),
                          rows.others ? std::max(elsewhere, *std::max_element(column.begin(), column.end())) : 0));
  }
  return most * (1 + 8 * suffixes_.error());
}

double QuotientBounds::steps(std::size_t depth) const {
  const auto size = static_cast<double>(suffixes_.layer(depth).size);
  return kStepsPerEntry * size * size;
}

bool QuotientBounds::pays_averaged(std::size_t depth) {
  if (averages_ == engine::Averages::kNever) return false;
  const bool is_always = averages_ != engine::Averages::kWhereCheaper;
  if (!is_always && steps(0) * static_cast<double>(means_.parts()) < kFewSteps) return false;
  if (!averaged_) {
    engine::AveragedBound::Sizes sizes = engine::AveragedBound::sizes(suffixes_, averages_);
    sizes.factors_to_group = SIZE_MAX;  // no output is known that is good for all ranges of the set
    averaged_.emplace(columns_.seen(), suffixes_, sizes);
  }
  return averaged_->applies(depth) && (is_always || averaged_->steps(depth) < steps(depth));
}

bool QuotientBounds::pays_largest(std::size_t depth) {
  if (!pays_averaged(depth)) return true;
  return steps(depth) < averaged_->steps(depth) * averaged_->nodes_below(depth);
}

// Returns false if a weight underflows to 0. (A sum of subnormal weights is out of the range of the averaged bound.)
bool QuotientBounds::gather(std::size_t depth, const std::vector<double>& weights, std::size_t label, bool largest,
                            const MeanBounds::Weighted& sum, std::vector<double>& by_suffix) const {
  const ProductColumns::RowsOfLabel& rows = columns_.labels()[label];
  by_suffix.assign(suffixes_.layer(depth).size, 0);
  const auto add = [&](std::size_t row, double weight) {
    const double added = weights[row] * weight;
    by_suffix[suffix_of_[depth][row]] += added;
    return added != 0 || weights[row] == 0 || weight == 0;
  };
  bool in_range = true;
  for (std::size_t k = 0; k < std::min(rows.named, sum.places.size()); ++k) {
    in_range = add(rows.first + k, sum.places[k]) && in_range;
  }
  if (rows.others) in_range = add(largest ? rows.largest() : rows.smallest(), sum.elsewhere) && in_range;
  // The relative error of the weights (MeanBounds::above) and of these sums.
  const double error = static_cast<double>(rows.named + 8) * 0x1p-48;
  for (double& weight : by_suffix) weight *= largest ? 1 + error : 1 - error;
  return in_range;
}

double QuotientBounds::averaged_below(std::size_t depth, const std::vector<double>& weights, std::size_t from,
                                      std::size_t to, double most, const std::function<void()>& look) {
  double largest = 0;
  std::vector<double> u, v;
  for (std::size_t part = 0; part < means_.parts(); ++part) {
    const std::optional<MeanBounds::Weighted> above = means_.above(part, from), below = means_.below(part, to);
    if ((above && above->never) || (below && below->never)) continue;
    if (!above || !below) return kNoMean;
    if (!gather(depth, weights, from, true, *above, u) || !gather(depth, weights, to, false, *below, v)) return kNoMean;
    largest = std::max(largest, averaged_->bound({depth, u, v, most, nullptr, nullptr}, look));
    if (largest == kNoMean) break;
  }
  return largest;
}

}  // namespace oddsbound::priors
