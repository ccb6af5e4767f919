#include "mechanisms/function_sampler.h"

#include <algorithm>
#include <map>
#include <mutex>

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

// A part with its sampler. Parts with the same objects are of one kind.
struct DrawnPart {
  ScoredPart part;
  SamplerPtr sampler;
  Projection project;
};

// Parts begin..end-1, whose aggregates are the outcomes of a choice. Ranges of the same kinds of parts are of one kind.
struct Range {
  std::size_t begin, end;
  std::size_t first_half = 0, second_half = 0;  // indices of ranges; none for a single part
  std::uint64_t kind = 0;
  std::shared_ptr<const std::vector<std::int64_t>> results{};
};

// The probabilities of the results of a range, computed at the first question.
struct RangeLaws {
  std::once_flag made{};
  ClassLaws laws{};
};

class AggregateSampler final : public Sampler {
 public:
  /// With `by_ranges`, halves of a range can be aggregated from their aggregates.
  AggregateSampler(Domain domain, Aggregate kind, bool by_ranges, std::vector<DrawnPart> parts,
                   std::vector<std::uint32_t> output_of)
      : domain_(std::move(domain)),
        kind_(kind),
        by_ranges_(by_ranges),
        parts_(std::move(parts)),
        output_of_(std::move(output_of)) {
    std::map<std::tuple<const Channel*, const void*, const Sampler*, std::vector<std::size_t>>, std::uint64_t> kinds;
    for (const DrawnPart& one : parts_) {
      kind_of_part_.push_back(
          kinds
              .try_emplace({one.part.channel.get(), one.part.scores.get(), one.sampler.get(), one.part.coordinates},
                           kinds.size())
              .first->second);
    }
    if (!by_ranges_) {
      Budget budget;
      ranges_.push_back({0, parts_.size()});
      ranges_[0].results =
          std::make_shared<const std::vector<std::int64_t>>(possible_results(kind_, scored_parts(ranges_[0]), budget));
      return;
    }
    root_ = add_range(0, parts_.size());
    laws_ = std::vector<RangeLaws>(known_.size());
  }

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const bool at_once = source.observer() == nullptr || !by_ranges_;
    output[0] = output_of_[at_once ? place_of(ranges_[root_], drawn_at_once(x, source)) : draw_range(root_, x, source)];
  }

 private:
  class RangeChoice;

  std::size_t add_range(std::size_t begin, std::size_t end) {
    Range range{begin, end};
    if (end - begin > 1) {
      range.first_half = add_range(begin, begin + (end - begin) / 2);
      range.second_half = add_range(begin + (end - begin) / 2, end);
    }
    const auto first = kind_of_part_.begin();
    const auto [place, added] = known_.try_emplace(std::vector<std::uint64_t>(
        first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)));
    if (added) {
      Budget budget;
      place->second = {known_.size() - 1, std::make_shared<const std::vector<std::int64_t>>(
                                              possible_results(kind_, scored_parts(range), budget))};
    }
    range.kind = place->second.first;
    range.results = place->second.second;
    ranges_.push_back(std::move(range));
    return ranges_.size() - 1;
  }

  std::vector<ScoredPart> scored_parts(const Range& range) const {
    std::vector<ScoredPart> parts;
    for (std::size_t p = range.begin; p < range.end; ++p) parts.push_back(parts_[p].part);
    return parts;
  }

  static std::uint64_t place_of(const Range& range, std::int64_t result) {
    return static_cast<std::uint64_t>(std::lower_bound(range.results->begin(), range.results->end(), result) -
                                      range.results->begin());
  }

  std::int64_t drawn_score(std::size_t p, std::uint64_t x, RandomSource& source) const {
    const DrawnPart& one = parts_[p];
    std::vector<std::uint64_t> words(output_words(*one.part.channel));
    draw_part(*one.part.channel, *one.sampler, one.project(x), source, words);
    return (*one.part.scores)[join(*one.part.channel, words)];
  }

  std::int64_t drawn_at_once(std::uint64_t x, RandomSource& source) const {
    std::vector<std::int64_t> scores;
    for (std::size_t p = 0; p < parts_.size(); ++p) scores.push_back(drawn_score(p, x, source));
    return aggregate_of(kind_, scores);
  }

  std::uint64_t draw_range(std::size_t number, std::uint64_t x, RandomSource& source) const;

  Domain domain_;
  Aggregate kind_;
  bool by_ranges_;
  std::vector<DrawnPart> parts_;
  std::vector<std::uint32_t> output_of_;
  std::vector<std::uint64_t> kind_of_part_;
  std::map<std::vector<std::uint64_t>, std::pair<std::uint64_t, std::shared_ptr<const std::vector<std::int64_t>>>>
      known_;  // by the kinds of the parts: the kind of the range, and its results
  std::vector<Range> ranges_;
  std::size_t root_ = 0;
  mutable std::vector<RangeLaws> laws_;  // by kind
};

class AggregateSampler::RangeChoice final : public CodedChoice<RangeChoice> {
 public:
  RangeChoice(const AggregateSampler& sampler, std::size_t number, std::uint64_t x)
      : sampler_(sampler), range_(sampler.ranges_[number]), x_(x) {}

  Key key() const override { return {reinterpret_cast<std::uintptr_t>(&sampler_), range_.kind, x_}; }
  std::string describe() const override {
    return "aggregate of " + std::to_string(range_.end - range_.begin) + " parts for input " + std::to_string(x_);
  }
  std::uint64_t outcomes() const override { return range_.results->size(); }
  Number probability(std::uint64_t outcome) const override {
    RangeLaws& own = sampler_.laws_[range_.kind];
    std::call_once(own.made, [&] {
      Budget budget;
      own.laws = aggregate_laws(sampler_.kind_, sampler_.domain_, sampler_.scored_parts(range_), budget);
    });
    return own.laws.laws[own.laws.class_of[x_]][outcome];
  }
  unsigned check_width() const override { return no_words(); }

  std::uint64_t run(RandomSource& source) const {
    if (range_.end - range_.begin == 1) return place_of(range_, sampler_.drawn_score(range_.begin, x_, source));
    const Range& first = sampler_.ranges_[range_.first_half];
    const Range& second = sampler_.ranges_[range_.second_half];
    const std::int64_t a = (*first.results)[sampler_.draw_range(range_.first_half, x_, source)];
    const std::int64_t b = (*second.results)[sampler_.draw_range(range_.second_half, x_, source)];
    return place_of(range_, aggregate_of(sampler_.kind_, std::vector{a, b}));
  }

 private:
  const AggregateSampler& sampler_;
  const Range& range_;
  std::uint64_t x_;
};

std::uint64_t AggregateSampler::draw_range(std::size_t number, std::uint64_t x, RandomSource& source) const {
  return mechanisms::draw(RangeChoice(*this, number, x), source);
}

// The first part with the largest score, as the part with the largest of distinct scores: n * score + n - 1 - place.
// Returns false if these are too large.
bool make_distinct(std::vector<ScoredPart>& parts) {
  const auto n = static_cast<std::int64_t>(parts.size());
  for (std::int64_t p = 0; p < n; ++p) {
    ScoredPart& part = parts[static_cast<std::size_t>(p)];
    std::vector<std::int64_t> scores = *part.scores;
    for (std::int64_t& score : scores) {
      if (__builtin_mul_overflow(score, n, &score) || __builtin_add_overflow(score, n - 1 - p, &score)) return false;
      if (std::abs(score) > kLargestScore) return false;
    }
    part.scores = std::make_shared<const std::vector<std::int64_t>>(std::move(scores));
  }
  return true;
}

}  // namespace

SamplerPtr function_sampler(Stage inner, OutputFunction function) {
  return std::make_shared<const FunctionSampler>(std::move(inner), std::move(function));
}

SamplerPtr aggregate_sampler(const Domain& domain, Aggregate kind, std::vector<ScoredPart> parts,
                             const std::vector<SamplerPtr>& samplers, std::vector<std::uint32_t> output_of) {
  bool by_ranges = true;
  if (kind == Aggregate::kArgmax) {
    std::vector<ScoredPart> distinct = parts;
    by_ranges = make_distinct(distinct);
    if (by_ranges) {
      Budget budget;
      const auto n = static_cast<std::int64_t>(parts.size());
      std::vector<std::uint32_t> output_of_place = std::move(output_of);
      output_of.clear();
      for (const std::int64_t result : possible_results(Aggregate::kMax, distinct, budget)) {
        output_of.push_back(output_of_place[static_cast<std::size_t>(n - 1 - ((result % n) + n) % n)]);
      }
      parts = std::move(distinct);
      kind = Aggregate::kMax;
    }
  }
  std::vector<DrawnPart> drawn;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    drawn.push_back({parts[p], samplers[p], Projection(domain, parts[p].coordinates)});
  }
  return std::make_shared<const AggregateSampler>(domain, kind, by_ranges, std::move(drawn), std::move(output_of));
}

}  // namespace oddsbound::mechanisms
