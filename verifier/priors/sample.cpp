// Priors that a sample of independent draws from the unknown prior does not refute.
//
// Given the number of draws with each label, the draws with a label are independent draws from the prior given
// that label; so the masses of the labels do not matter. The allowed failure probability is divided equally among
// the outputs. The method for each output depends on the channel only, and is fixed before any draw is counted:
// - If P(output | input) has at most two values among the inputs of every label, P(output | label) depends on one
//   probability: Clopper-Pearson limits, above and below.
// - Otherwise: test martingales for each pair of labels (bets.h).
//
// The bound of the level is slightly outside of the allowed priors, and a member that shows a quotient is inside.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <unordered_map>

#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_sum.h"
#include "verifier/priors/bets.h"
#include "verifier/priors/member.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

namespace {

Number number_of_count(std::uint64_t count) { return Number(static_cast<std::int64_t>(count)); }

// Rounds down to kCoarse significant bits.
Number coarse_below(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return number_of(std::ldexp(std::floor(std::ldexp(mantissa, kCoarse)), exponent - static_cast<int>(kCoarse)));
}

// The draws of one label, by the output's probability.
struct LabelTally {
  Tally tally;
  std::vector<std::size_t> value_of;  // per place: index of its value
};

// Returns the number of draws of each input, by label and place.
std::vector<std::vector<std::uint64_t>> draws_of(const Prior& counts, const ColumnInputs& inputs, Budget& budget) {
  const NumberedRows rows = counts.numbered_rows(budget);
  std::vector<std::vector<std::uint64_t>> draws;
  for (const auto& of_label : inputs.inputs) {
    std::vector<std::uint64_t>& mine = draws.emplace_back();
    for (const std::uint64_t x : of_label) {
      std::int64_t count = 0;
      weight_among(rows, x).fits_int64(count);
      mine.push_back(static_cast<std::uint64_t>(count));
    }
  }
  return draws;
}

// Returns the failure probability of one pair of labels at one output.
Number failure_of_pair(const Number& may_fail, const SetQuestion& question) {
  const std::uint64_t labels = question.inputs.inputs.size();
  const Number pairs = number_of_count(labels * std::max<std::uint64_t>(1, labels - 1));
  return may_fail / (question.outputs * number_of_count(question.at_once) * pairs);
}

class SampleSearch final : public SetSearch {
 public:
  SampleSearch(const Prior& counts, const SetQuestion& question, const Number& may_fail, Budget& budget)
      : inputs_(question.inputs), budget_(budget), counts_(draws_of(counts, question.inputs, budget)) {
    const Number outputs = question.outputs * number_of_count(question.at_once);
    per_limit_ = may_fail / (outputs * number_of_count(2 * counts_.size()));
    per_pair_ = failure_of_pair(may_fail, question);
    // The draws must not choose the method. A search that sees only some inputs may not know how many values a
    // column has, and a pass may replace a search that failed. So limits need all inputs and a quick pass.
    takes_limits_ =
        question.all_inputs && question.domain.input_count() * question.outputs <= number_of_count(kQuickCells);
  }

  bool is_exact() const override { return false; }

  void look_at(const LabelledColumn& column) override {
    column_ = &column;
    labels_.clear();
    for (std::size_t label = 0; label < counts_.size(); ++label) labels_.push_back(tallied(label));
    by_limits_ = takes_limits_ && std::all_of(labels_.begin(), labels_.end(),
                                              [](const LabelTally& label) { return label.tally.values.size() <= 2; });
  }

  std::optional<Ratio> largest(std::size_t from, std::size_t to) override {
    budget_.check();
    if (by_limits_) return Ratio::of(limit(from, true, kOutside).mean, limit(to, false, kOutside).mean);
    return QuotientOfMeans(labels_[from].tally, labels_[to].tally, per_pair_).bound().ratio;
  }

  Member member(std::size_t from, std::size_t to) override {
    MemberBuilder builder;
    if (by_limits_) {
      const Limit most = limit(from, true, kWithin), least = limit(to, false, kWithin);
      for (const auto& [label, masses] : {std::pair(from, most.masses), std::pair(to, least.masses)}) {
        for (std::size_t k = 0; k < masses.size(); ++k) spread(label, k, masses[k], builder);
      }
      return builder.finish(Ratio::of(most.mean, least.mean) >= *largest(from, to));
    }
    const QuotientOfMeans quotient(labels_[from].tally, labels_[to].tally, per_pair_);
    const NearMeans near = quotient.near();
    const auto add = [&](std::size_t label, const std::vector<Number>& weights, const Number& more, std::size_t place) {
      for (std::size_t k = 0; k < weights.size(); ++k) {
        const std::uint64_t draws = labels_[label].tally.counts[k];
        if (draws > 0) spread(label, k, weights[k] * number_of_count(draws), builder);
      }
      builder.add(inputs_.inputs[label][place], more);
    };
    add(from, near.from_weights, near.from_more, column_->extremes[from].largest);
    add(to, near.to_weights, near.to_more, column_->extremes[to].smallest);
    return builder.finish(quotient.bound().ratio.infinite);
  }

  std::optional<SetProof> proof(std::size_t from, std::size_t to, const Surd& bound) override {
    budget_.check();
    if (by_limits_) {
      const Limit most = limit(from, true, kOutside), least = limit(to, false, kOutside);
      if (Ratio::of(most.mean, least.mean) > Ratio{bound}) return std::nullopt;
      return ByLimits{most.other, least.other};
    }
    const QuotientBound found = QuotientOfMeans(labels_[from].tally, labels_[to].tally, per_pair_).bound();
    if (found.ratio > Ratio{bound}) return std::nullopt;
    return ByBets{found.slope, found.shift};
  }

 private:
  // P(output | label) at a limit, and the probabilities of its values given the label.
  struct Limit {
    Number mean;
    std::vector<Number> masses;
    Number other;  // the probability of the value on the other side
  };

  LabelTally tallied(std::size_t label) const {
    LabelTally result;
    std::unordered_map<Number, std::size_t, NumberHash> known;
    for (std::size_t place = 0; place < counts_[label].size(); ++place) {
      const auto [found, added] = known.try_emplace(column_->entries[label][place], known.size());
      if (added) {
        result.tally.values.push_back(found->first);
        result.tally.counts.push_back(0);
      }
      result.value_of.push_back(found->second);
      result.tally.counts[found->second] += counts_[label][place];
      result.tally.draws += counts_[label][place];
    }
    return result;
  }

  enum LimitSide { kWithin, kOutside };

  Limit limit(std::size_t label, bool upper, LimitSide edge) const {
    const Tally& tally = labels_[label].tally;
    if (tally.values.size() == 1) return {tally.values[0], {Number(1)}, Number(0)};
    const std::size_t side = upper ? tally.largest() : tally.smallest();
    const std::uint64_t others = tally.draws - tally.counts[side];
    const Number other =
        edge == kOutside || others == 0
            ? coarse_below(lower_limit(tally.draws, others, exact::rounded_below(per_limit_)))
            : number_of(beyond_lower_limit(tally.draws, others, exact::rounded_above(per_limit_), kCoarse));
    const Number share = Number(1) - other;
    std::vector<Number> masses(2, other);
    masses[side] = share;
    return {share * tally.values[side] + masses[1 - side] * tally.values[1 - side], masses, other};
  }

  // Adds mass for one of the values, in proportion to its draws; if it has none, all on the first input with this
  // value.
  void spread(std::size_t label, std::size_t value, const Number& mass, MemberBuilder& builder) const {
    const LabelTally& mine = labels_[label];
    const std::uint64_t draws = mine.tally.counts[value];
    for (std::size_t place = 0; place < mine.value_of.size(); ++place) {
      if (mine.value_of[place] != value) continue;
      const std::uint64_t x = inputs_.inputs[label][place];
      if (draws == 0) return builder.add(x, mass);
      builder.add(x, mass * number_of_count(counts_[label][place]) / number_of_count(draws));
    }
  }

  const ColumnInputs& inputs_;
  Budget& budget_;
  std::vector<std::vector<std::uint64_t>> counts_;  // number of draws, by label and place
  Number per_limit_, per_pair_;
  const LabelledColumn* column_ = nullptr;
  std::vector<LabelTally> labels_;
  bool takes_limits_ = false, by_limits_ = false;
};

// The wealth at an output stays below its threshold if and only if some distributions have the output's means and
// divergences from the draws' distributions which, times the numbers of draws, sum to less than the log of the
// threshold. Which distributions have such divergences does not depend on the output. A part fixes how much of
// this log is spent on `from` (the cost). For every nu, by Jensen's inequality,
//     mean f <= nu - exp(sum p log(nu - f) - cost / n)   and   mean g >= exp(sum p log(nu + g) - cost / n) - nu,
// with p the frequencies of the draws. A few numbers nu are tried.
class SampleBounds final : public MeanBounds {
 public:
  SampleBounds(const std::vector<std::vector<std::uint64_t>>& draws, const Number& per_pair) {
    for (const auto& of_label : draws) {
      const std::uint64_t all = std::accumulate(of_label.begin(), of_label.end(), std::uint64_t{0});
      draws_.push_back(static_cast<double>(all));
      std::vector<double>& mine = shares_.emplace_back();
      for (const std::uint64_t count : of_label) mine.push_back(static_cast<double>(count) / static_cast<double>(all));
      for (const auto& other : draws) {
        if (&other == &of_label) continue;
        const std::uint64_t others = std::accumulate(other.begin(), other.end(), std::uint64_t{0});
        log_threshold_ = std::max(log_threshold_, log_threshold_above(all, others, per_pair));
      }
    }
  }

  std::size_t parts() const override { return std::size(kSpent) - 1; }

  double most(std::size_t part, std::size_t label, std::span<const double> column, double elsewhere) const override {
    if (draws_[label] == 0 || elsewhere == 0 || elsewhere == kNoMean) return elsewhere;
    const double cost = log_threshold_ * kSpent[part + 1] / draws_[label];
    double best = 1;
    for (const double tried : kTried) {
      const double nu = 1 + tried;
      double logs = 0;
      for (std::size_t k = 0; k < column.size(); ++k) {
        if (shares_[label][k] == 0) continue;
        logs += shares_[label][k] * std::log(std::max(nu - column[k] / elsewhere - kTiny, 0.0));
      }
      best = std::min(best, nu - std::exp(logs - cost) + doubt(label) * nu);
    }
    return best * elsewhere;
  }

  void least(std::size_t label, std::span<const double> column, double elsewhere,
             std::span<double> by_part) const override {
    std::fill(by_part.begin(), by_part.end(), elsewhere);
    if (draws_[label] == 0) return;
    const double mean = sum_over(shares_[label], column);
    for (const double tried : kTried) {
      const double above = mean * tried;  // nu + the smallest entry
      double logs = 0;
      for (std::size_t k = 0; k < column.size(); ++k) {
        if (shares_[label][k] == 0) continue;
        logs += shares_[label][k] * std::log(above + std::max(column[k] * (1 - kTiny) - elsewhere, 0.0));
      }
      for (std::size_t part = 0; part < by_part.size(); ++part) {
        const double cost = log_threshold_ * (1 - kSpent[part]) / draws_[label];
        const double proposed = std::exp(logs - cost) - above;
        by_part[part] = std::max(by_part[part], elsewhere + proposed - doubt(label) * (above + mean));
      }
    }
  }

 private:
  static constexpr double kSpent[] = {0,       1.0 / 16, 1.0 / 8, 3.0 / 16, 1.0 / 4, 3.0 / 8,
                                      1.0 / 2, 5.0 / 8,  3.0 / 4, 7.0 / 8,  1};
  static constexpr double kTried[] = {0, 1.0 / 256, 1.0 / 64, 1.0 / 16, 1.0 / 4, 1, 4, 16};
  // Exceeds the rounding error of a difference.
  static constexpr double kTiny = 1e-12;
  // Error of a sum of logarithms, each at most 2^10 in absolute value, and of its exponential.
  double doubt(std::size_t label) const { return 0x1p-40 * static_cast<double>(shares_[label].size() + 64); }

  std::vector<std::vector<double>> shares_;  // frequencies of the draws, by label and place
  std::vector<double> draws_;
  double log_threshold_ = 0;
};

class SampleSet final : public PriorSet {
 public:
  SampleSet(Prior counts, Number confidence) : counts_(std::move(counts)), confidence_(std::move(confidence)) {}

  std::string words() const override {
    return "priors that " + counts_.total().to_string() + " draws allow at confidence " + decimal_text(confidence_);
  }
  std::optional<Number> confidence() const override { return confidence_; }
  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget& budget) const override {
    return std::make_unique<SampleSearch>(counts_, question, Number(1) - confidence_, budget);
  }

  std::optional<NamedInputs> named_inputs(Budget& budget) const override {
    return NamedInputs{counts_.numbered_rows(budget), true};
  }
  std::unique_ptr<MeanBounds> bounds(const SetQuestion& question, Budget& budget) const override {
    return std::make_unique<SampleBounds>(draws_of(counts_, question.inputs, budget),
                                          failure_of_pair(Number(1) - confidence_, question));
  }

 private:
  Prior counts_;
  Number confidence_;
};

}  // namespace

PriorSetPtr sampled(Prior counts, const Number& confidence) {
  return std::make_shared<SampleSet>(std::move(counts), confidence);
}

}  // namespace oddsbound::priors
