#include "verifier/notions/output_ranges.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/errors.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/ratio_search.h"
#include "verifier/measures/tradeoff.h"

namespace oddsbound::notions {

namespace {

constexpr std::uint64_t kMostRanges = 32;          // checking one range then saves most of the work
constexpr std::uint64_t kLeastOutputs = 4;         // per range, unless there are fewer
constexpr std::uint64_t kMostOffers = 1ULL << 32;  // pairs x outputs: minutes of work

std::vector<OutputRange> ranges_of(std::uint64_t outputs) {
  const std::uint64_t length = std::max(kLeastOutputs, (outputs + kMostRanges - 1) / kMostRanges);
  std::vector<OutputRange> ranges;
  for (std::uint64_t begin = 0; begin < outputs; begin += length) {
    ranges.push_back({begin, std::min(outputs, begin + length)});
  }
  return ranges;
}

// The sides of a comparison with ranks in place of probabilities.
struct RankedSides {
  std::vector<std::vector<std::uint32_t>> ranks;  // [side][output]; empty for a label without mass
  const ValuePool* pool = nullptr;
  ValuePool own{};

  bool possible(std::uint64_t side) const { return !ranks[side].empty(); }
  Number at(std::uint64_t side, std::uint64_t output) const { return pool->value(ranks[side][output]); }
};

std::unique_ptr<RankedSides> ranked_inputs(MeasuredModel& subject) {
  auto sides = std::make_unique<RankedSides>();
  const Columns& columns = subject.columns();
  const std::vector<std::uint32_t> rows = rank_rows(columns, subject.budget());
  for (std::uint64_t x = 0; x < columns.inputs(); ++x) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(x * columns.outputs());
    sides->ranks.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(columns.outputs()));
  }
  sides->pool = &columns.pool();
  return sides;
}

// Single labels suffice: sets of labels are mixtures, whose quotients and excesses are at most the largest of the
// single ones.
std::unique_ptr<RankedSides> ranked_labels(MeasuredModel& subject, const Comparison& comparison) {
  const std::vector<Number>& weights = subject.prior().dense(subject.budget()).weights;
  std::vector<GivenInputs> of_label(comparison.labels.size());
  for (std::uint64_t x = 0; x < weights.size(); ++x) {
    if (weights[x].is_zero()) continue;
    GivenInputs& own = of_label[comparison.label_of[x]];
    own.inputs.push_back(x);
    own.weights.push_back(weights[x]);
  }
  std::vector<GivenInputs> with_mass;
  for (const GivenInputs& own : of_label) {
    if (!own.inputs.empty()) with_mass.push_back(own);
  }
  PoolBuilder builder;
  for (const auto& distribution : output_distributions(subject, with_mass)) {
    for (const Number& p : distribution) builder.add(p);
  }
  auto sides = std::make_unique<RankedSides>();
  std::vector<std::uint32_t> ranks;
  sides->own = std::move(builder).finish(ranks, subject.budget());
  sides->pool = &sides->own;
  auto next = ranks.begin();
  for (const GivenInputs& own : of_label) {
    auto& row = sides->ranks.emplace_back();
    if (own.inputs.empty()) continue;
    const auto end = next + static_cast<std::ptrdiff_t>(subject.columns().outputs());
    row.assign(next, end);
    next = end;
  }
  return sides;
}

struct ComparedPair {
  std::uint64_t from, to;
  const Comparison* comparison;
};

// Comparisons with one common summary: those between inputs at one level, or one between labels.
class Group {
 public:
  Group(MeasuredModel& subject, std::span<const Comparison* const> comparisons)
      : subject_(subject),
        sides_(comparisons[0]->labels.empty() ? ranked_inputs(subject) : ranked_labels(subject, *comparisons[0])) {
    for (const Comparison* comparison : comparisons) {
      if (!comparison->level.is_infinite()) add(*comparison);
    }
    if (pairs_.size() > kMostOffers / subject.columns().outputs()) {
      throw LimitError("pairs that are compared x outputs are more than 2^32, which no certificate goes through");
    }
  }

  std::vector<RangeMaximum> maxima() const {
    std::vector<RangeMaximum> found;
    for (const OutputRange& range : ranges_of(subject_.columns().outputs())) found.push_back({range, maximum(range)});
    return found;
  }

  std::vector<LargestExcess> excesses() const {
    std::map<std::uint64_t, LargestExcess> found;
    for (const ComparedPair& pair : pairs_) {
      const Number sum = excess(pair);
      const auto [place, added] = found.try_emplace(pair.from);
      if (!added && sum <= place->second.sum) continue;
      place->second = {party(pair, pair.from), given(pair), party(pair, pair.to), sum};
    }
    std::vector<LargestExcess> list;
    for (auto& [from, largest] : found) list.push_back(std::move(largest));
    return list;
  }

 private:
  void add(const Comparison& comparison) {
    const auto add_pair = [&](std::uint64_t from, std::uint64_t to) {
      if (from != to && sides_->possible(from) && sides_->possible(to)) {
        pairs_.push_back({from, to, &comparison});
      }
    };
    if (comparison.labels.empty() || comparison.label_pairs) {
      for (const auto& [from, to] : comparison.labels.empty() ? comparison.pairs : *comparison.label_pairs) {
        add_pair(from, to);
      }
      return;
    }
    for (std::uint64_t from = 0; from < comparison.labels.size(); ++from) {
      for (std::uint64_t to = 0; to < comparison.labels.size(); ++to) add_pair(from, to);
    }
  }

  std::optional<LargestQuotient> maximum(const OutputRange& range) const {
    if (pairs_.empty()) return std::nullopt;
    RatioSearch search(*sides_->pool);
    for (std::uint64_t y = range.begin; y < range.end; ++y) {
      for (std::size_t k = 0; k < pairs_.size(); ++k) {
        subject_.budget().check_every();
        const ComparedPair& pair = pairs_[k];
        search.offer(sides_->ranks[pair.from][y], sides_->ranks[pair.to][y], {y, k});
      }
    }
    RatioSearch::Best best{};
    if (!search.best(best, subject_.budget())) return std::nullopt;
    const ComparedPair& pair = pairs_[best.place.tag];
    const std::uint64_t y = best.place.output;
    return LargestQuotient{
        subject_.channel().output_label(y), party(pair, pair.from), party(pair, pair.to), given(pair),
        sides_->at(pair.from, y),           sides_->at(pair.to, y)};
  }

  // Outputs with the same two probabilities are counted and summed once.
  Number excess(const ComparedPair& pair) const {
    const Number& factor = pair.comparison->level.exponential();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> counts;
    for (std::uint64_t y = 0; y < sides_->ranks[pair.from].size(); ++y) {
      ++counts[{sides_->ranks[pair.from][y], sides_->ranks[pair.to][y]}];
    }
    std::vector<WeightedTerm> above, below;
    for (const auto& [ranks, count] : counts) {
      subject_.budget().check_every();
      const Number p = sides_->pool->value(ranks.first);
      const Number q = sides_->pool->value(ranks.second);
      if (compare_products(p, Number(1), factor, q) <= 0) continue;
      above.push_back({Number(count), p});
      below.push_back({Number(count), q});
    }
    return weighted_sum(above) - factor * weighted_sum(below);
  }

  Label party(const ComparedPair& pair, std::uint64_t side) const {
    if (pair.comparison->labels.empty()) return subject_.domain().tuple(side);
    return pair.comparison->labels[side];
  }
  Evidence given(const ComparedPair& pair) const {
    return pair.comparison->given.empty() ? Evidence() : pair.comparison->given[pair.from];
  }

  MeasuredModel& subject_;
  std::unique_ptr<RankedSides> sides_;
  std::vector<ComparedPair> pairs_;
};

struct Grouped {
  std::string coordinate;
  std::string level;
  std::vector<const Comparison*> comparisons;
};

// Returns one group per thing that a level is claimed about. Comparisons whose level is not claimed by itself
// (partial_dp pairs, context_ldp) form one group per level.
std::vector<Grouped> grouped(const Definition& definition) {
  std::vector<Grouped> groups;
  for (const Comparison& comparison : definition) {
    const bool claimed = comparison.tight == Comparison::Tight::kSome || comparison.tight == Comparison::Tight::kDelta;
    if (!claimed && (comparison.level.is_infinite() || comparison.pairs.empty())) continue;
    const Grouped key{claimed ? comparison.about : "", claimed ? "" : comparison.level.to_string(), {}};
    const auto place = std::find_if(groups.begin(), groups.end(), [&](const Grouped& own) {
      return own.coordinate == key.coordinate && own.level == key.level;
    });
    Grouped& own = place == groups.end() ? groups.emplace_back(key) : *place;
    own.comparisons.push_back(&comparison);
  }
  return groups;
}

std::size_t party_size(const Label& party) {
  const auto* values = std::get_if<std::vector<std::string>>(&party);
  if (values == nullptr) return std::get<std::string>(party).size();
  std::size_t size = 0;
  for (const std::string& value : *values) size += value.size() + 4;
  return size;
}

}  // namespace

std::vector<ComparedLevel> compared_levels(MeasuredModel& subject, const Definition& definition) {
  std::vector<ComparedLevel> levels;
  for (const auto& [coordinate, of_pairs, comparisons] : grouped(definition)) {
    const Group group(subject, comparisons);
    ComparedLevel level{coordinate, of_pairs, {}, {}};
    if (comparisons[0]->tight == Comparison::Tight::kDelta) {
      level.excesses = group.excesses();
    } else {
      level.ranges = group.maxima();
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

std::size_t written_size(const ComparedLevel& level) {
  constexpr std::size_t kAround = 96;  // keys and numbers of outputs
  std::size_t size = kAround;
  for (const RangeMaximum& range : level.ranges) {
    size += kAround;
    if (!range.largest) continue;
    const LargestQuotient& own = *range.largest;
    size += party_size(own.from) + party_size(own.to) + own.p_from.text_size() + own.p_to.text_size();
  }
  for (const LargestExcess& own : level.excesses) {
    size += kAround + party_size(own.from) + party_size(own.to) + own.sum.text_size();
  }
  return size;
}

}  // namespace oddsbound::notions
