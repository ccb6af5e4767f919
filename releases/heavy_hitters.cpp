#include "releases/heavy_hitters.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "base/errors.h"
#include "releases/threshold.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::releases {

namespace {

constexpr std::uint32_t kUnlisted = static_cast<std::uint32_t>(-1);

// exp(h(m)): the cost of a decrement of a count that is m - 1 or more above the threshold.
Number cost_of_test(const Number& a, std::uint64_t m) {
  const auto power = [&](std::uint64_t k) { return Number(1) + a - a.pow(static_cast<std::int64_t>(k)); };
  return power(m) / power(m - 1);
}

// touched: by level, from level 1: the number of intervals with an attribute that changes.
Level loss_of_tests(const std::vector<std::uint64_t>& touched, SmallRatio scale, std::optional<SmallRatio> count_scale,
                    std::uint64_t margin) {
  if (touched[0] == 0) return {};
  const Number nats = Number(1) / scale.number();
  const Number a = Number::exp_of(-nats);
  const auto count = [](std::uint64_t n) { return Number(static_cast<std::int64_t>(n)); };
  const Number first = count(touched[0]) * nats;
  Number sum = first + (touched.size() > 1 ? count(touched[1]) * nats : Number(0));
  if (count_scale) {
    const Number estimate = Number(1) / count_scale->number();
    sum += estimate + std::max(first, estimate);
  } else {
    sum += first;
  }
  Number exponential = Number::exp_of(sum);
  for (std::size_t i = 1; i + 2 <= touched.size(); ++i) {
    exponential = exponential * cost_of_test(a, 1 + i * margin).pow(static_cast<std::int64_t>(touched[i + 1]));
  }
  return Level::of_exponential(exponential);
}

// The listed combinations of the attributes of an interval, and the combination of each person.
struct PrefixInterval {
  std::vector<std::vector<std::uint32_t>> list;
  std::vector<std::uint32_t> at;  // kUnlisted: not listed
};

class HeavyHitters final : public Step {
 public:
  explicit HeavyHitters(HeavyHittersRequest request) : request_(std::move(request)) {}

  std::string words() const override {
    std::string text = "combinations of " + std::to_string(request_.attributes.size()) + " attributes that ";
    if (request_.threshold) {
      text += "more than " + std::to_string(*request_.threshold) + " people have";
    } else {
      text += "at least " + decimal_text(request_.share.number()) + " of all people have";
    }
    text += ", tests with " + Noise(Noise::Kind::kLaplace, request_.scale).words();
    return request_.count_scale ? text + ", counts with scale " + decimal_text(request_.count_scale->number()) : text;
  }

  Loss loss(const Attributes& changed) const override {
    return pure_loss(loss_of_tests(touched_by(changed), request_.scale, request_.count_scale, request_.margin));
  }

  // All attributes with several values have the same cost.
  std::vector<CostPart> parts() const override {
    Attributes changing;
    for (const std::size_t i : request_.attributes) {
      if (request_.schema.values(i) > 1) changing.push_back(i);
    }
    if (changing.empty()) return {};
    return {{words(), changing, loss({changing[0]}), true}};
  }

  StepPtr within(std::uint64_t window) const override {
    HeavyHittersRequest request = request_;
    request.window = window;
    return heavy_hitters_step(std::move(request));
  }

  // Output: the number of listed combinations; for each its values and, if published, its count; then all test
  // results, if published.
  std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const override {
    std::vector<std::int64_t> tests;
    const PrefixInterval all = build(table, source, tests);
    std::vector<std::int64_t> told{static_cast<std::int64_t>(all.list.size())};
    std::vector<std::int64_t> counts(all.list.size());
    for (const std::uint32_t place : all.at) {
      if (place != kUnlisted) ++counts[place];
    }
    const auto window = static_cast<std::int64_t>(request_.window), people = static_cast<std::int64_t>(table.people());
    for (std::size_t k = 0; k < all.list.size(); ++k) {
      told.insert(told.end(), all.list[k].begin(), all.list[k].end());
      if (!request_.count_scale) continue;
      const Noise noise(Noise::Kind::kLaplace, *request_.count_scale);
      told.push_back(noise.added(counts[k], -window, people + window, source));
    }
    if (request_.lists) told.insert(told.end(), tests.begin(), tests.end());
    return told;
  }

  std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t) const override {
    std::vector<ToldNumber> answers;
    const Domain shown = request_.schema.restricted_to(request_.attributes);
    for (const Listed& one : listed_in(request_, told)) {
      ToldNumber& answer = answers.emplace_back();
      answer.about = words_of(shown, one.values);
      answer.number = one.count;
      if (one.count) answer.margin = Noise(Noise::Kind::kLaplace, *request_.count_scale).margin();
    }
    return answers;
  }

  // For a share: count - threshold is half the count, rounded down, so it does not fall as people are added.
  std::optional<Promise> promise() const override {
    if (request_.threshold) return std::nullopt;
    const SmallRatio share = request_.share;
    return Promise{"every combination that at least " + decimal_text(share.number()) + " of all people have is listed",
                   least_for([&](std::uint64_t people) {
                     const auto count = static_cast<std::int64_t>(share_above(share.top, share.bottom, people));
                     return static_cast<double>(share.bottom / share.top) * missed_in_tests(request_, count, people);
                   })};
  }

  // The paper's numbers of people, for eta = 1/20, with this step's noise; its own number is the promise.
  std::vector<PlannedFigure> plan(const PlanQuestion&) const override {
    const double share = request_.share.number().approx(), scale = request_.scale.number().approx();
    const auto margin = static_cast<double>(request_.margin);
    if (request_.threshold || share > 0.1 || margin < scale * std::log(16 / share)) return {};
    constexpr double kEta = 0.05;
    const auto attributes = static_cast<double>(request_.attributes.size());
    const double list =
        (16 * margin * std::log(attributes) + 16 * scale * std::log(attributes / (kEta * share))) / share;
    std::vector<PlannedFigure> figures{{"people who are enough to list every such combination with probability 0.975",
                                        std::ceil(list * (1 + 1e-9)), "partial-DP paper, Lemma 30"}};
    if (request_.count_scale) {
      const double counts = request_.count_scale->number().approx() / share * std::log(256 / (kEta * kEta * share));
      figures.push_back({"people who are enough for counts within that share as well, with probability 0.95",
                         std::ceil(std::max(list, counts) * (1 + 1e-9)), "partial-DP paper, Theorem 15, corrected"});
    }
    return figures;
  }

  // For a threshold: how many people must have a combination so that all such combinations are listed.
  std::vector<std::string> notes(std::span<const std::int64_t> told, std::size_t people) const override {
    if (!request_.threshold || told[0] != 0) return Step::notes(told, people);
    const auto enough = least_for([&](std::uint64_t count) {
      const std::uint64_t combinations = std::max<std::uint64_t>(1, people / count);
      return static_cast<double>(combinations) * missed_in_tests(request_, static_cast<std::int64_t>(count), people);
    });
    if (!enough) return {};
    return {"in at least 95 % of runs every combination that at least " + std::to_string(*enough) +
            " people have is listed"};
  }

  // Keyed by combination: the position in the list depends on the other combinations.
  std::vector<KeyedNumber> keyed(std::span<const std::int64_t> told) const override {
    std::vector<KeyedNumber> numbers;
    for (const Listed& one : listed_in(request_, told)) {
      const std::vector<std::uint64_t> values(one.values.begin(), one.values.end());
      numbers.push_back({key_of(values), one.count ? static_cast<double>(*one.count) : 1});
    }
    return numbers;
  }

 private:
  std::size_t levels() const { return levels_of(request_.attributes.size(), request_.test_leaves); }
  // log2 of the number of attributes in an interval of the first tested level.
  std::size_t first_width() const { return request_.test_leaves ? 0 : 1; }

  std::vector<std::uint64_t> touched_by(const Attributes& changed) const {
    std::vector<std::uint64_t> touched(levels());
    for (std::size_t level = 1; level <= levels(); ++level) {
      const std::size_t width = level - 1 + first_width();
      std::size_t last = static_cast<std::size_t>(-1);
      for (std::size_t k = 0; k < request_.attributes.size(); ++k) {
        const std::size_t i = request_.attributes[k];
        // An attribute with a single value never changes.
        if (request_.schema.values(i) < 2 || !std::binary_search(changed.begin(), changed.end(), i)) continue;
        if (k >> width == last) continue;
        last = k >> width;
        ++touched[level - 1];
      }
    }
    return touched;
  }

  PrefixInterval single(const PeopleTable& table, std::size_t k, RandomSource& source,
                        std::vector<std::int64_t>& tests) const {
    PrefixInterval nothing;
    nothing.list.emplace_back();
    nothing.at.assign(table.people(), 0);
    if (k >= request_.attributes.size()) return nothing;
    PrefixInterval interval;
    const std::size_t i = request_.attributes[k];
    for (std::uint32_t v = 0; v < request_.schema.values(i); ++v) interval.list.push_back({v});
    interval.at = table.column(i);
    return request_.test_leaves ? joined(interval, nothing, 1, table, source, tests) : interval;
  }

  // Returns the interval of all attributes. Halves are made on demand, so that few are in memory at once.
  PrefixInterval build(const PeopleTable& table, RandomSource& source, std::vector<std::int64_t>& tests) const {
    std::vector<PrefixInterval> below;
    const std::size_t widths = levels_of(request_.attributes.size(), false), leaves = std::size_t{1} << widths;
    std::size_t level = request_.test_leaves ? 2 : 1;
    for (std::size_t k = 0; k < leaves; k += 2) {
      const PrefixInterval left = single(table, k, source, tests), right = single(table, k + 1, source, tests);
      below.push_back(joined(left, right, level, table, source, tests));
    }
    while (below.size() > 1) {
      ++level;
      std::vector<PrefixInterval> above;
      for (std::size_t k = 0; k < below.size(); k += 2) {
        above.push_back(joined(below[k], below[k + 1], level, table, source, tests));
        below[k] = below[k + 1] = {};
      }
      below = std::move(above);
    }
    return std::move(below[0]);
  }

  // Tests every pair of combinations listed by the two halves, whether or not anybody has it.
  PrefixInterval joined(const PrefixInterval& left, const PrefixInterval& right, std::size_t level,
                        const PeopleTable& table, RandomSource& source, std::vector<std::int64_t>& tests) const {
    const std::size_t width = right.list.size();
    if (width != 0 && left.list.size() > request_.limit / width) {
      throw LimitError(
          "heavy hitters test more than " + std::to_string(request_.limit) +
          " combinations of one interval; a larger share, or more noise, lists fewer ('limit' allows more)");
    }
    std::vector<std::int64_t> counts(left.list.size() * width);
    for (std::size_t p = 0; p < table.people(); ++p) {
      if (left.at[p] != kUnlisted && right.at[p] != kUnlisted) ++counts[left.at[p] * width + right.at[p]];
    }
    const auto margin = static_cast<std::int64_t>(request_.margin);
    const std::int64_t threshold = static_cast<std::int64_t>(first_threshold(request_, table.people())) +
                                   static_cast<std::int64_t>(level - 1) * margin;
    PrefixInterval result;
    std::vector<std::uint32_t> places(counts.size(), kUnlisted);
    for (std::size_t c = 0; c < counts.size(); ++c) {
      const std::int64_t above = std::max(counts[c] - threshold, -margin);
      const bool enters = draw(ClampedLaplace(request_.scale, above, 1), source) == 1;
      tests.push_back(enters ? 1 : 0);
      if (!enters) continue;
      places[c] = static_cast<std::uint32_t>(result.list.size());
      std::vector<std::uint32_t>& values = result.list.emplace_back(left.list[c / width]);
      values.insert(values.end(), right.list[c % width].begin(), right.list[c % width].end());
    }
    result.at.resize(table.people(), kUnlisted);
    for (std::size_t p = 0; p < table.people(); ++p) {
      if (left.at[p] == kUnlisted || right.at[p] == kUnlisted) continue;
      result.at[p] = places[left.at[p] * width + right.at[p]];
    }
    return result;
  }

  HeavyHittersRequest request_;
};

}  // namespace

std::size_t levels_of(std::size_t attributes, bool test_leaves) {
  return std::max<std::size_t>(1, std::bit_width(attributes - 1)) + (test_leaves ? 1 : 0);
}

SmallRatio scale_for(const Level& epsilon, std::size_t levels, SmallRatio share) {
  const std::vector<std::uint64_t> one(levels, 1);
  constexpr std::uint64_t kHundredths = 100, kMost = std::uint64_t{1} << 20;
  const double tests = levels > 1 ? 4 : 3;
  for (auto k = static_cast<std::uint64_t>(std::max(1.0, kHundredths * tests / epsilon.approx() - 2)); k <= kMost;
       ++k) {
    const SmallRatio scale{k, kHundredths};
    if (loss_of_tests(one, scale, scale, margin_for(scale, share)) <= epsilon) return scale;
  }
  throw ModelError("epsilon is too small: the scale of the noise would be above " +
                   std::to_string(kMost / kHundredths));
}

std::uint64_t margin_for(SmallRatio scale, SmallRatio share) {
  return static_cast<std::uint64_t>(
      std::max(1.0, std::ceil(scale.number().approx() * std::log(16 / share.number().approx()))));
}

std::uint64_t first_threshold(const HeavyHittersRequest& request, std::uint64_t people) {
  return request.threshold ? *request.threshold : share_above(request.share.top, 2 * request.share.bottom, people);
}

std::vector<Listed> listed_in(const HeavyHittersRequest& request, std::span<const std::int64_t> told) {
  std::vector<Listed> listed(static_cast<std::size_t>(told[0]));
  std::size_t at = 1;
  for (Listed& one : listed) {
    while (one.values.size() < request.attributes.size()) {
      one.values.push_back(static_cast<std::uint32_t>(told[at++]));
    }
    if (request.count_scale) one.count = told[at++];
  }
  return listed;
}

StepPtr heavy_hitters_step(HeavyHittersRequest request) {
  return std::make_shared<const HeavyHitters>(std::move(request));
}

namespace {

class Point final : public Step {
 public:
  explicit Point(PointRequest request) : request_(std::move(request)) {
    // Counts are only compared with a fraction of all people.
    request_.hitters.window = 0;
    request_.hitters.lists = false;
    hitters_ = heavy_hitters_step(request_.hitters);
  }

  std::string words() const override {
    return "the combination of people with " + request_.people.words() + " in " +
           words_of(request_.people.schema, request_.people.inputs) + "; " + hitters_->words();
  }
  Loss loss(const Attributes& changed) const override { return hitters_->loss(changed); }
  std::vector<CostPart> parts() const override { return hitters_->parts(); }
  StepPtr within(std::uint64_t) const override { return std::make_shared<const Point>(*this); }

  std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const override {
    const SmallRatio share = request_.hitters.share;
    const auto least = static_cast<std::int64_t>(share_below(share.top, share.bottom, table.people()));
    std::set<InputRow> with, without;
    for (Listed& one : listed_in(request_.hitters, hitters_->run(table, source))) {
      if (*one.count <= least) continue;
      const bool labeled = one.values.back() == 1;
      one.values.pop_back();
      (labeled ? with : without).insert(std::move(one.values));
    }
    const InputRow found = with.empty() ? least_outside(without) : *with.begin();
    return {found.begin(), found.end()};
  }

  // With the error 5 share, let k = 5/2 share of all people. Suppose that every combination of inputs and label
  // that k people have is listed with a count above the share, and that no combination without people is. Then
  // fewer than 2 k people are on the wrong side: people with the label, if their combination is not listed, and
  // people without it who have the published combination.
  std::optional<Promise> promise() const override {
    const SmallRatio share = request_.hitters.share, counts = request_.hitters.count_scale.value();
    if (5 * share.top >= share.bottom) return std::nullopt;
    const double combinations = static_cast<double>(2 * share.bottom / (5 * share.top));
    const double listed = listed_on_average(request_.hitters);
    const auto broken = [&](std::uint64_t people) {
      const auto count = static_cast<std::int64_t>(share_above(5 * share.top, 2 * share.bottom, people));
      // A lower bound on how far that is above the share.
      const auto above = static_cast<std::int64_t>(share_above(3 * share.top, 2 * share.bottom, people));
      const auto most = static_cast<std::int64_t>(share_below(share.top, share.bottom, people));
      return combinations * (missed_in_tests(request_.hitters, count, people) + laplace_tail(counts, above)) +
             listed * laplace_tail(counts, most + 1);
    };
    return Promise{"at most " + decimal_text(Number(5) * share.number()) +
                       " of all people are on the wrong side, if those with the label are those with one combination",
                   least_for(broken)};
  }

  std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t) const override {
    const InputRow values(told.begin(), told.end());
    return {{request_.people.words() + " where " +
                 words_of(request_.people.schema.restricted_to(request_.people.inputs), values),
             {},
             {}}};
  }

 private:
  // Returns the least combination outside of `taken`, or the first of all if there is none.
  InputRow least_outside(const std::set<InputRow>& taken) const {
    const InputRow first(request_.people.inputs.size(), 0);
    InputRow row = first;
    while (taken.contains(row)) {
      std::size_t i = row.size();
      while (i > 0 && row[i - 1] + 1 == request_.people.schema.values(request_.people.inputs[i - 1])) row[--i] = 0;
      if (i == 0) return first;
      ++row[i - 1];
    }
    return row;
  }

  PointRequest request_;
  StepPtr hitters_;
};

}  // namespace

StepPtr point_step(PointRequest request) { return std::make_shared<const Point>(std::move(request)); }

}  // namespace oddsbound::releases
