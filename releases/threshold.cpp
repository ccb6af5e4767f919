#include "releases/threshold.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "mechanisms/random/distributions.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::releases {

namespace {

Loss noise_loss(SmallRatio scale) { return Noise(Noise::Kind::kLaplace, scale).loss(1); }

Loss larger_of(const Loss& a, const Loss& b) { return {std::max(a.pure, b.pure), std::max(a.rho, b.rho)}; }

class Threshold final : public Step {
 public:
  explicit Threshold(ThresholdRequest request) : request_(std::move(request)) {
    request_.hitters.window = 0;
    for (std::size_t length = 0; length <= digits(); ++length) {
      request_.hitters.attributes.assign(request_.people.inputs.begin(),
                                         request_.people.inputs.begin() + static_cast<std::ptrdiff_t>(length));
      request_.hitters.attributes.push_back(request_.people.label);
      hitters_.push_back(request_.hitters);
      steps_.push_back(heavy_hitters_step(request_.hitters));
    }
  }

  std::string words() const override {
    return "a threshold at or above which people are " + request_.people.words() + ", by the digits of " +
           words_of(request_.people.schema, request_.people.inputs);
  }

  Loss loss(const Attributes& changed) const override {
    const bool label = std::binary_search(changed.begin(), changed.end(), request_.people.label);
    if (!label && !meet(request_.people.inputs, changed)) return {};
    Loss sum = search_loss(changed, label, 0, digits() + 1);
    if (label) sum += noise_loss(request_.label_scale);
    return sum += choice_loss();
  }

  std::vector<CostPart> parts() const override {
    Attributes all = request_.people.inputs_and_label();
    std::sort(all.begin(), all.end());
    Loss once = choice_loss(), hitters;
    const Loss comparison = noise_loss(request_.search_scale);
    for (std::uint64_t c = 0; c < comparisons_for(digits()); ++c) once += comparison;
    for (const StepPtr& step : steps_) {
      for (const CostPart& part : step->parts()) hitters = larger_of(hitters, part.loss);
    }
    return {{words() + ": who is", {request_.people.label}, noise_loss(request_.label_scale)},
            {words() + ": comparisons", all, once},
            {words() + ": prefixes", all, hitters, true}};
  }

  StepPtr within(std::uint64_t) const override { return std::make_shared<const Threshold>(*this); }

  std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const override {
    const std::uint64_t people = table.people();
    const auto few = static_cast<std::int64_t>(share_below(request_.error.top, 2 * request_.error.bottom, people));
    const std::int64_t many = static_cast<std::int64_t>(people) - few;
    std::int64_t labeled = 0;
    for (std::size_t p = 0; p < people; ++p) labeled += request_.people.has_label(table, p) ? 1 : 0;
    const std::int64_t seen = Noise(Noise::Kind::kLaplace, request_.label_scale).added(labeled, few, many, source);
    if (seen == few) return told_of(last(), true);
    if (seen == many) return told_of(0, true);
    const std::vector<std::uint64_t> numbers = numbers_of(table);
    std::size_t length = searched(table, numbers, source);
    const std::optional<std::uint64_t> found = prefix_of(table, length, source);
    if (!found) length = 0;
    const std::uint64_t prefix = found.value_or(0) << (digits() - length);
    const std::uint64_t rest = last() >> length;
    const std::vector<std::uint64_t> ends{prefix, prefix + rest - rest / 2, prefix + rest};
    std::vector<std::uint64_t> right(ends.size());
    for (std::size_t p = 0; p < people; ++p) {
      for (std::size_t k = 0; k < ends.size(); ++k) {
        right[k] += (numbers[p] >= ends[k]) == request_.people.has_label(table, p) ? 1 : 0;
      }
    }
    return told_of(ends[draw(Selection(request_.rate, 0, std::move(right)), source)], found.has_value());
  }

  std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t) const override {
    const InputRow values(told.begin(), told.end() - 1);
    std::vector<ToldNumber> answers{
        {request_.people.words() + " from " +
             words_of(request_.people.schema.restricted_to(request_.people.inputs), values) + " on",
         {},
         {}}};
    if (told.back() == 1) answers.push_back({"no prefix found: one of the first, middle and last of all", {}, {}});
    return answers;
  }

  std::optional<Promise> promise() const override {
    return Promise{"at most " + decimal_text(request_.error.number()) +
                       " of all people are on the wrong side, if those with the label are those from some number on",
                   least_for([&, slack = slack()](std::uint64_t people) { return broken(people, slack); })};
  }

 private:
  std::size_t digits() const { return request_.people.inputs.size(); }
  std::uint64_t last() const { return (std::uint64_t{1} << digits()) - 1; }

  std::vector<std::int64_t> told_of(std::uint64_t number, bool found) const {
    std::vector<std::int64_t> told;
    for (std::size_t i = digits(); i > 0; --i) told.push_back(static_cast<std::int64_t>(number >> (i - 1) & 1));
    told.push_back(found ? 0 : 1);
    return told;
  }

  double comparisons() const { return static_cast<double>(comparisons_for(digits())); }

  // Returns the least t >= 1 for which some comparison is too low by more than t with probability at most
  // kMostBroken / 8.
  std::int64_t slack() const {
    const auto t = least_for([&](std::uint64_t off) {
      return 8 * comparisons() * laplace_tail(request_.search_scale, static_cast<std::int64_t>(off) + 1);
    });
    return static_cast<std::int64_t>(t.value_or(kMostPeople));
  }

  // The number of people in a fraction of `error`, rounded down and up.
  std::int64_t below(std::uint64_t top, std::uint64_t bottom, std::uint64_t people) const {
    return static_cast<std::int64_t>(share_below(top * request_.error.top, bottom * request_.error.bottom, people));
  }
  std::int64_t above(std::uint64_t top, std::uint64_t bottom, std::uint64_t people) const {
    return static_cast<std::int64_t>(share_above(top * request_.error.top, bottom * request_.error.bottom, people));
  }

  // Returns an upper bound on the probability that more than A = floor(error * people) people are on the wrong
  // side, if the people with the label are those from some number z on (partial-DP paper, Theorem 33, with the
  // constants of this noise). With gamma = error / 10, the search looks for m = ceil(3/2 gamma people) on either
  // side. All bounds fall as people are added.
  double broken(std::uint64_t people, std::int64_t t) const {
    // The noisy count of the label is low but more than A people have it, or the reverse.
    const double label = 2 * laplace_tail(request_.label_scale, below(1, 1, people) + 1 - below(1, 2, people));
    // No two people with one number are on both sides, so a prefix of one digit is not found, and 0 or 1 is right.
    if (digits() == 1) {
      return label + laplace_tail(request_.search_scale, above(3, 20, people)) + wrong_end(below(1, 1, people) + 1);
    }
    // If no comparison is too low by more than t, any prefix longer than the one found has at most m - 1 + t
    // people on one of its sides. So one of the three numbers has at most that many on its wrong side, which is
    // less than A by at least 17/20 A - 1 - t.
    const double lost = comparisons() * laplace_tail(request_.search_scale, t + 1);
    return label + lost + unfound(people) + wrong_end(below(17, 20, people) + 1 - t);
  }

  // Two of the three numbers may have more than A people on the wrong side; the third has at least `fewer` fewer.
  double wrong_end(std::int64_t fewer) const {
    return 1 / (1 + std::exp(request_.rate.number().approx() * static_cast<double>(fewer)) / 2);
  }

  // Returns an upper bound on the probability that heavy hitters do not find the prefix of the length at which the
  // search ends. One prefix of each length has people on both sides: that of z. If these are m - u, the comparison
  // holds with probability P(noise >= u), and then the prefix is not found with probability h(u). At most one
  // length is the last that holds: lengths with m people or more add at most h(0), and there are at most as many
  // others as comparisons. While h < 1 it is a sum of exponentials in u, so P(noise >= u) h(u) is largest at an
  // end.
  double unfound(std::uint64_t people) const {
    const std::int64_t sought = above(3, 20, people);
    const SmallRatio counts = request_.hitters.count_scale.value();
    const auto h = [&](std::int64_t u) {
      // One of two combinations is not listed, or has a count below 6/5 gamma people, which is 3/10 gamma people
      // fewer.
      return 2 * missed_in_tests(hitters_[digits() - 1], sought - u, people) +
             2 * laplace_tail(counts, below(3, 100, people) + 1 - u);
    };
    std::int64_t low = 0, sure = sought;
    while (sure - low > 1) {
      const std::int64_t middle = low + (sure - low) / 2;
      (h(middle) >= 1 ? sure : low) = middle;
    }
    const auto holds = [&](std::int64_t u) { return laplace_tail(request_.search_scale, u); };
    const double fewer = comparisons() * std::max(holds(1) * std::min(1.0, h(1)), holds(sure - 1));
    // Another prefix has a count of 6/5 gamma people on the side where it has none.
    double listed = 0;
    for (std::size_t l = 1; l < digits(); ++l) listed = std::max(listed, listed_on_average(hitters_[l]));
    return std::min(1.0, h(0)) + fewer + listed * laplace_tail(counts, above(3, 25, people));
  }

  // The scores of all three ends change by at most 1.
  Loss choice_loss() const {
    const Number rate = request_.rate.number();
    return pure_loss(Level::of_exponential(Number::exp_of(Number(2) * rate)), rate * rate / Number(2));
  }

  // Returns the largest loss over all paths of the search from here on: comparisons, and the heavy hitters at the
  // end.
  Loss search_loss(const Attributes& changed, bool label, std::size_t low, std::size_t high) const {
    if (high - low == 1) return steps_[low]->loss(changed);
    const std::size_t middle = (low + high) / 2;
    Loss most = larger_of(search_loss(changed, label, low, middle), search_loss(changed, label, middle, high));
    const Attributes looked_at(request_.people.inputs.begin(),
                               request_.people.inputs.begin() + static_cast<std::ptrdiff_t>(middle));
    if (label || meet(looked_at, changed)) most += noise_loss(request_.search_scale);
    return most;
  }

  std::vector<std::uint64_t> numbers_of(const PeopleTable& table) const {
    std::vector<std::uint64_t> numbers(table.people());
    for (const std::size_t i : request_.people.inputs) {
      for (std::size_t p = 0; p < numbers.size(); ++p) numbers[p] = numbers[p] << 1 | table.column(i)[p];
    }
    return numbers;
  }

  // Returns the largest number m for which some prefix of this length has at least m people on each side.
  std::int64_t on_both_sides(const PeopleTable& table, const std::vector<std::uint64_t>& numbers,
                             std::size_t length) const {
    std::map<std::uint64_t, std::pair<std::int64_t, std::int64_t>> sides;
    for (std::size_t p = 0; p < numbers.size(); ++p) {
      auto& [with, without] = sides[numbers[p] >> (digits() - length)];
      ++(request_.people.has_label(table, p) ? with : without);
    }
    std::int64_t most = 0;
    for (const auto& [prefix, side] : sides) most = std::max(most, std::min(side.first, side.second));
    return most;
  }

  // Binary search with noise. With gamma = error / 10: the longest prefix that 3/2 gamma of all people share on
  // either side. The empty prefix always qualifies.
  std::size_t searched(const PeopleTable& table, const std::vector<std::uint64_t>& numbers,
                       RandomSource& source) const {
    const auto least =
        static_cast<std::int64_t>(share_above(3 * request_.error.top, 20 * request_.error.bottom, table.people()));
    std::size_t low = 0, high = digits() + 1;
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      const std::int64_t at = on_both_sides(table, numbers, middle) - least + 1;
      (draw(ClampedLaplace(request_.search_scale, at, 1), source) == 1 ? low : high) = middle;
    }
    return low;
  }

  // Returns, among prefixes with a count of at least 6/5 gamma of all people on either side, the one with the
  // most. The empty prefix is always found.
  std::optional<std::uint64_t> prefix_of(const PeopleTable& table, std::size_t length, RandomSource& source) const {
    std::map<std::uint64_t, std::vector<std::int64_t>> counts;
    for (const Listed& one : listed_in(hitters_[length], steps_[length]->run(table, source))) {
      std::uint64_t prefix = 0;
      for (std::size_t i = 0; i < length; ++i) prefix = prefix << 1 | one.values[i];
      counts[prefix].push_back(*one.count);
    }
    auto most =
        static_cast<std::int64_t>(share_above(3 * request_.error.top, 25 * request_.error.bottom, table.people())) - 1;
    std::optional<std::uint64_t> best;
    if (length == 0) best = 0;
    for (const auto& [prefix, sides] : counts) {
      if (sides.size() < 2 || std::min(sides[0], sides[1]) <= most) continue;
      most = std::min(sides[0], sides[1]);
      best = prefix;
    }
    return best;
  }

  ThresholdRequest request_;
  std::vector<HeavyHittersRequest> hitters_;  // by the length of the prefix
  std::vector<StepPtr> steps_;
};

}  // namespace

std::uint64_t comparisons_for(std::size_t attributes) { return static_cast<std::uint64_t>(std::bit_width(attributes)); }

StepPtr threshold_step(ThresholdRequest request) { return std::make_shared<const Threshold>(std::move(request)); }

namespace {

// The relative error of the sum of a promise's probabilities is far below this.
constexpr double kRounding = 1e-9;

bool kept(double broken) { return broken * (1 + kRounding) <= kMostBroken; }

std::int64_t threshold_at(const HeavyHittersRequest& request, std::size_t level, std::uint64_t people) {
  return static_cast<std::int64_t>(first_threshold(request, people) + (level - 1) * request.margin);
}

}  // namespace

double laplace_tail(SmallRatio scale, std::int64_t least) {
  const double nats = static_cast<double>(scale.bottom) / static_cast<double>(scale.top), a = std::exp(-nats);
  if (least >= 1) return std::exp(-nats * static_cast<double>(least)) / (1 + a);
  return 1 - std::exp(-nats * static_cast<double>(1 - least)) / (1 + a);
}

double missed_in_tests(const HeavyHittersRequest& request, std::int64_t count, std::uint64_t people) {
  const std::size_t widths = levels_of(request.attributes.size(), false);
  const auto margin = static_cast<std::int64_t>(request.margin);
  // A test fails if noise <= threshold - count.
  const auto failed = [&](std::size_t level) {
    return laplace_tail(request.scale, std::max(count - threshold_at(request, level, people), -margin));
  };
  double sum = request.test_leaves ? static_cast<double>(request.attributes.size()) * failed(1) : 0;
  for (std::size_t width = 1; width <= widths; ++width) {
    sum += std::ldexp(1, static_cast<int>(widths - width)) * failed(width + (request.test_leaves ? 1 : 0));
  }
  return sum;
}

double listed_on_average(const HeavyHittersRequest& request) {
  const double light = laplace_tail(request.scale, static_cast<std::int64_t>(request.margin) + 1);
  // With a share of all people, people / (threshold - margin + 1) < 2 / share from the second level on.
  const auto heavy = [&](std::size_t level) {
    if (level < 2) return std::numeric_limits<double>::infinity();
    if (!request.threshold) return 2 / request.share.number().approx();
    const std::int64_t least = threshold_at(request, level - 1, 0) + 1;
    return static_cast<double>(kMostPeople) / static_cast<double>(least);
  };
  std::vector<double> lists;
  for (const std::size_t i : request.attributes) lists.push_back(static_cast<double>(request.schema.values(i)));
  lists.resize(std::size_t{1} << levels_of(request.attributes.size(), false), 1);
  for (std::size_t level = request.test_leaves ? 2 : 1; lists.size() > 1; ++level) {
    std::vector<double> joined;
    for (std::size_t k = 0; k < lists.size(); k += 2) {
      // The noises of the two halves are independent.
      const double tested = lists[k] * lists[k + 1];
      joined.push_back(std::min(tested, heavy(level) + light * tested));
    }
    lists = std::move(joined);
  }
  return lists[0];
}

std::optional<std::uint64_t> least_for(const std::function<double(std::uint64_t)>& broken) {
  std::uint64_t too_few = 0, enough = 1;
  while (!kept(broken(enough))) {
    if (enough == kMostPeople) return std::nullopt;
    too_few = enough;
    enough *= 2;
  }
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (kept(broken(middle)) ? enough : too_few) = middle;
  }
  return enough;
}

std::string words_of(const Promise& promise, std::optional<std::size_t> people) {
  const std::string usually = "in at least 95 % of runs " + promise.words;
  if (!promise.people) return "it is not known how many people are needed so that " + usually;
  const std::string from = "with " + std::to_string(*promise.people) + " people or more, " + usually;
  if (!people || *people >= *promise.people) return from;
  return std::to_string(*people) + (*people == 1 ? " person is" : " people are") + " too few to rely on it: " + from;
}

}  // namespace oddsbound::releases
