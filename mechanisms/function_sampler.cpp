#include "mechanisms/function_sampler.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

namespace oddsbound::mechanisms {

namespace {

class FunctionSampler final : public Sampler {
 public:
  FunctionSampler(Stage inner, OutputFunction function) : inner_(std::move(inner)), function_(std::move(function)) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    std::vector<std::uint64_t> words(output_words(*inner_.channel));
    if (inner_.sampler->parts().empty()) {
      draw_part(*inner_.channel, *inner_.sampler, x, source, words);
    } else {
      // Each part is a choice of its own. All parts together may have too many outputs for one.
      inner_.sampler->draw(x, source, words);
    }
    output[0] = function_(words);
  }

 private:
  Stage inner_;
  OutputFunction function_;
};

// A part with its sampler.
struct DrawnPart {
  ScoredPart part;
  SamplerPtr sampler;
  Projection project;

  /// Draws the index of an output.
  std::uint64_t draw(std::uint64_t x, RandomSource& source) const {
    return draw_index(*part.channel, *sampler, project(x), source);
  }
};

using Results = std::vector<std::int64_t>;

std::uint64_t place_of(const Results& results, std::int64_t result) {
  return static_cast<std::uint64_t>(std::lower_bound(results.begin(), results.end(), result) - results.begin());
}

// The aggregates of ranges of parts as choices: a range draws the aggregates of its two halves. Ranges of equal parts
// are of one kind.
class Ranges {
 public:
  /// The parts may have other scores than those drawn, which are then given here.
  Ranges(const Domain& domain, Aggregate kind, const std::vector<DrawnPart>& parts, std::vector<ScoredPart> scored)
      : domain_(domain), kind_(kind), parts_(parts), scored_(std::move(scored)) {
    root_ = add(0, parts_.size());
    laws_ = std::vector<Laws>(results_.size());
  }

  /// Returns the aggregate of all parts.
  std::int64_t draw(std::uint64_t x, RandomSource& source) const {
    return (*results_[ranges_[root_].kind])[draw_range(root_, x, source)];
  }

 private:
  class RangeChoice;

  struct Range {
    std::size_t begin, end;
    std::size_t first_half = 0, second_half = 0;  // indices of ranges; none for a single part
    std::uint64_t kind = 0;
  };
  // The probabilities of the results of a range, computed at the first question.
  struct Laws {
    std::once_flag made{};
    ClassLaws laws{};
  };
  // A single part is known by its objects, others by the kinds of their halves.
  using PartKey = std::tuple<const Channel*, const void*, const Sampler*, std::vector<std::size_t>>;

  std::size_t add(std::size_t begin, std::size_t end) {
    Range range{begin, end};
    bool is_new = false;
    if (end - begin == 1) {
      const ScoredPart& own = scored_[begin];
      const auto [place, added] = kind_of_part_.try_emplace(
          PartKey{own.channel.get(), own.scores.get(), parts_[begin].sampler.get(), own.coordinates}, results_.size());
      range.kind = place->second;
      is_new = added;
    } else {
      range.first_half = add(begin, begin + (end - begin) / 2);
      range.second_half = add(begin + (end - begin) / 2, end);
      const auto [place, added] = kind_of_halves_.try_emplace(
          {ranges_[range.first_half].kind, ranges_[range.second_half].kind}, results_.size());
      range.kind = place->second;
      is_new = added;
    }
    if (is_new) {
      Budget budget;
      results_.push_back(std::make_shared<const Results>(possible_results(kind_, parts_of(range), budget)));
    }
    ranges_.push_back(range);
    return ranges_.size() - 1;
  }

  std::span<const ScoredPart> parts_of(const Range& range) const {
    return std::span(scored_).subspan(range.begin, range.end - range.begin);
  }

  std::uint64_t draw_range(std::size_t number, std::uint64_t x, RandomSource& source) const;

  const Domain& domain_;
  Aggregate kind_;
  const std::vector<DrawnPart>& parts_;
  std::vector<ScoredPart> scored_;
  std::map<PartKey, std::uint64_t> kind_of_part_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> kind_of_halves_;
  std::vector<std::shared_ptr<const Results>> results_;  // by kind
  std::vector<Range> ranges_;
  std::size_t root_ = 0;
  mutable std::vector<Laws> laws_;  // by kind
};

class Ranges::RangeChoice final : public CodedChoice<RangeChoice> {
 public:
  RangeChoice(const Ranges& ranges, std::size_t number, std::uint64_t x)
      : ranges_(ranges), range_(ranges.ranges_[number]), x_(x) {}

  Key key() const override { return {reinterpret_cast<std::uintptr_t>(&ranges_), range_.kind, x_}; }
  std::string describe() const override {
    return "aggregate of " + std::to_string(range_.end - range_.begin) + " parts for input " + std::to_string(x_);
  }
  std::uint64_t outcomes() const override { return results().size(); }
  Number probability(std::uint64_t outcome) const override {
    Laws& own = ranges_.laws_[range_.kind];
    std::call_once(own.made, [&] {
      Budget budget;
      own.laws = aggregate_laws(ranges_.kind_, ranges_.domain_, ranges_.parts_of(range_), budget);
    });
    return own.laws.laws[own.laws.class_of[x_]][outcome];
  }
  unsigned check_width() const override { return no_words(); }

  std::uint64_t run(RandomSource& source) const {
    if (range_.end - range_.begin == 1) {
      const std::uint64_t y = ranges_.parts_[range_.begin].draw(x_, source);
      return place_of(results(), (*ranges_.scored_[range_.begin].scores)[y]);
    }
    const auto drawn = [&](std::size_t half) {
      return (*ranges_.results_[ranges_.ranges_[half].kind])[ranges_.draw_range(half, x_, source)];
    };
    const std::int64_t a = drawn(range_.first_half);
    const std::int64_t b = drawn(range_.second_half);
    return place_of(results(), aggregate_of(ranges_.kind_, std::vector{a, b}));
  }

 private:
  const Results& results() const { return *ranges_.results_[range_.kind]; }

  const Ranges& ranges_;
  const Range& range_;
  std::uint64_t x_;
};

std::uint64_t Ranges::draw_range(std::size_t number, std::uint64_t x, RandomSource& source) const {
  return mechanisms::draw(RangeChoice(*this, number, x), source);
}

// The first part with the largest score, as the part with the largest of distinct scores: n * score + n - 1 - place.
// nullopt if these are too large.
std::optional<std::vector<ScoredPart>> with_distinct_scores(const std::vector<DrawnPart>& parts) {
  const auto n = static_cast<std::int64_t>(parts.size());
  std::vector<ScoredPart> distinct;
  for (std::int64_t p = 0; p < n; ++p) {
    ScoredPart part = parts[static_cast<std::size_t>(p)].part;
    std::vector<std::int64_t> scores = *part.scores;
    for (std::int64_t& score : scores) {
      if (__builtin_mul_overflow(score, n, &score) || __builtin_add_overflow(score, n - 1 - p, &score) ||
          std::abs(score) > kLargestScore) {
        return std::nullopt;
      }
    }
    part.scores = std::make_shared<const std::vector<std::int64_t>>(std::move(scores));
    distinct.push_back(std::move(part));
  }
  return distinct;
}

class AggregateSampler final : public Sampler {
 public:
  AggregateSampler(Domain domain, Aggregate kind, std::vector<DrawnPart> parts, Results results,
                   std::vector<std::uint32_t> output_of)
      : domain_(std::move(domain)),
        kind_(kind),
        parts_(std::move(parts)),
        results_(std::move(results)),
        output_of_(std::move(output_of)) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = output_of_[place_of(results_, drawn(x, source))];
  }

 private:
  std::int64_t drawn(std::uint64_t x, RandomSource& source) const {
    if (source.observer() != nullptr) {
      std::call_once(made_, [&] { make_ranges(); });
      if (ranges_) {
        const std::int64_t result = ranges_->draw(x, source);
        if (kind_ != Aggregate::kArgmax) return result;
        const auto n = static_cast<std::int64_t>(parts_.size());
        return n - 1 - ((result % n) + n) % n;
      }
    }
    std::vector<std::int64_t> scores;
    for (const DrawnPart& one : parts_) scores.push_back((*one.part.scores)[one.draw(x, source)]);
    return aggregate_of(kind_, scores);
  }

  void make_ranges() const {
    if (kind_ == Aggregate::kArgmax) {
      if (auto distinct = with_distinct_scores(parts_)) {
        ranges_ = std::make_unique<const Ranges>(domain_, Aggregate::kMax, parts_, std::move(*distinct));
      }
      return;
    }
    std::vector<ScoredPart> scored;
    for (const DrawnPart& part : parts_) scored.push_back(part.part);
    ranges_ = std::make_unique<const Ranges>(domain_, kind_, parts_, std::move(scored));
  }

  Domain domain_;
  Aggregate kind_;
  std::vector<DrawnPart> parts_;
  Results results_;
  std::vector<std::uint32_t> output_of_;
  mutable std::once_flag made_;
  mutable std::unique_ptr<const Ranges> ranges_;  // made at the first question of an observer
};

}  // namespace

SamplerPtr function_sampler(Stage inner, OutputFunction function) {
  return std::make_shared<const FunctionSampler>(std::move(inner), std::move(function));
}

SamplerPtr aggregate_sampler(const Domain& domain, Aggregate kind, const std::vector<ScoredPart>& parts,
                             const std::vector<SamplerPtr>& samplers, std::vector<std::int64_t> results,
                             std::vector<std::uint32_t> output_of) {
  std::vector<DrawnPart> drawn;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    drawn.push_back({parts[p], samplers[p], Projection(domain, parts[p].coordinates)});
  }
  return std::make_shared<const AggregateSampler>(domain, kind, std::move(drawn), std::move(results),
                                                  std::move(output_of));
}

}  // namespace oddsbound::mechanisms
