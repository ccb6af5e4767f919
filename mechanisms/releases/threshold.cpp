#include "mechanisms/releases/threshold.h"

#include <algorithm>
#include <bit>
#include <map>

#include "mechanisms/random/selection.h"

namespace oddsbound::mechanisms {

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
    return "from where on people are " + request_.people.words() + ", by " +
           words_of(request_.people.schema, request_.people.inputs) + " as digits";
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
    if (seen == few) return bits(last());
    if (seen == many) return bits(0);
    const std::vector<std::uint64_t> numbers = numbers_of(table);
    const std::size_t length = searched(table, numbers, source);
    const std::uint64_t prefix = prefix_of(table, length, source) << (digits() - length);
    const std::uint64_t rest = last() >> length;
    const std::vector<std::uint64_t> ends{prefix, prefix + rest - rest / 2, prefix + rest};
    std::vector<std::uint64_t> right(ends.size());
    for (std::size_t p = 0; p < people; ++p) {
      for (std::size_t k = 0; k < ends.size(); ++k) {
        right[k] += (numbers[p] >= ends[k]) == request_.people.has_label(table, p) ? 1 : 0;
      }
    }
    return bits(ends[draw(Selection(request_.rate, 0, std::move(right)), source)]);
  }

  std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t) const override {
    const InputRow values(told.begin(), told.end());
    return {{request_.people.words() + " from " +
                 words_of(request_.people.schema.restricted_to(request_.people.inputs), values) + " on",
             {},
             {}}};
  }

 private:
  std::size_t digits() const { return request_.people.inputs.size(); }
  std::uint64_t last() const { return (std::uint64_t{1} << digits()) - 1; }

  std::vector<std::int64_t> bits(std::uint64_t number) const {
    std::vector<std::int64_t> told;
    for (std::size_t i = digits(); i > 0; --i) told.push_back(static_cast<std::int64_t>(number >> (i - 1) & 1));
    return told;
  }

  // Scores of all three ends move by 1 at most.
  Loss choice_loss() const {
    const Number rate = request_.rate.number();
    return pure_loss(Level::of_exponential(Number::exp_of(Number(2) * rate)), rate * rate / Number(2));
  }

  // The most over all paths of the search from here on: of comparisons, and of the heavy hitters in the end.
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

  // How many people share a prefix of so many digits and are on either side, at least, for the prefix with most such.
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

  // With gamma = error / 10: the longest prefix that 3/2 gamma of all people share on either side. None holds always.
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

  // One that 6/5 gamma of all people are counted to have on either side, of those the one with most; else the first.
  std::uint64_t prefix_of(const PeopleTable& table, std::size_t length, RandomSource& source) const {
    std::map<std::uint64_t, std::vector<std::int64_t>> counts;
    for (const Listed& one : listed_in(hitters_[length], steps_[length]->run(table, source))) {
      std::uint64_t prefix = 0;
      for (std::size_t i = 0; i < length; ++i) prefix = prefix << 1 | one.values[i];
      counts[prefix].push_back(*one.count);
    }
    auto most =
        static_cast<std::int64_t>(share_above(3 * request_.error.top, 25 * request_.error.bottom, table.people())) - 1;
    std::uint64_t best = 0;
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

}  // namespace oddsbound::mechanisms
