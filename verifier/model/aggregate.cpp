// Sums by a recurrence for products of powers of polynomials (Euler; Knuth, The Art of Computer Programming, 4.7).
//
// Let a_1, ..., a_s be the generating polynomials of the distinct distributions, and m_1, ..., m_s how often each
// occurs. With A = product of the a_i and B = sum over i of m_i a_i' (product of the other a_j), the coefficients c_k
// of C = product of the a_i^(m_i) follow from A C' = B C:
//   k A_0 c_k = sum over j of B_j c_(k-1-j) - sum over j >= 1 of A_j (k-j) c_(k-j).
// Cost: deg C * deg A operations, where convolution takes (deg C)^2. Coefficients are weights: probabilities are
// divided by the total once, at the end, so the numbers in between have no denominators if that is possible.
#include "verifier/model/aggregate.h"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <limits>
#include <map>
#include <numeric>
#include <ranges>
#include <unordered_map>

#include "base/errors.h"
#include "verifier/exact/number.h"

namespace oddsbound::model {

namespace {

using Score = std::int64_t;
// The distribution of the score of one part: ascending scores of positive probability.
using ScoreLaw = std::vector<std::pair<Score, Number>>;

struct ScoreLawHash {
  std::size_t operator()(const ScoreLaw& law) const {
    std::size_t hash = law.size();
    for (const auto& [score, probability] : law) {
      hash = (hash * 1000003 + static_cast<std::size_t>(score)) * 1000003 + probability.hash();
    }
    return hash;
  }
};

// Distinct distributions of scores, by number.
class ScoreLaws {
 public:
  std::uint32_t number_of(ScoreLaw law) {
    const auto [place, added] = index_.try_emplace(std::move(law), static_cast<std::uint32_t>(laws_.size()));
    if (added) laws_.push_back(&place->first);
    return place->second;
  }
  const ScoreLaw& law(std::uint32_t number) const { return *laws_[number]; }

 private:
  std::unordered_map<ScoreLaw, std::uint32_t, ScoreLawHash> index_;
  std::vector<const ScoreLaw*> laws_;  // keys of a node-based map keep their addresses
};

// Returns the number of the distribution of the score for each input of a channel.
std::vector<std::uint32_t> scored_rows(const Channel& channel, const std::vector<Score>& scores, ScoreLaws& laws,
                                       Budget& budget) {
  const auto columns = channel.columns(budget);
  std::map<Score, std::vector<std::uint64_t>> outputs_of;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) outputs_of[scores[y]].push_back(y);
  std::vector<ScoreLaw> rows(channel.inputs());
  std::vector<std::uint32_t> scratch;
  // The score with the most outputs has the remaining probability.
  const auto rest = std::max_element(outputs_of.begin(), outputs_of.end(), [](const auto& a, const auto& b) {
                      return a.second.size() < b.second.size();
                    })->first;
  for (const auto& [score, outputs] : outputs_of) {
    if (score == rest) continue;
    std::vector<std::vector<std::uint32_t>> ranks(channel.inputs());
    for (const std::uint64_t y : outputs) {
      budget.check();
      const auto column = columns->ranks(y, scratch);
      for (std::uint64_t x = 0; x < column.size(); ++x) ranks[x].push_back(column[x]);
    }
    std::map<std::vector<std::uint32_t>, Number> known;
    for (std::uint64_t x = 0; x < rows.size(); ++x) {
      budget.check_every();
      std::sort(ranks[x].begin(), ranks[x].end());
      const auto [place, added] = known.try_emplace(ranks[x]);
      if (added) {
        std::vector<Number> terms;
        for (const std::uint32_t rank : ranks[x]) terms.push_back(columns->pool().value(rank));
        place->second = sum_of(terms);
      }
      if (!place->second.is_zero()) rows[x].emplace_back(score, place->second);
    }
  }
  std::vector<std::uint32_t> numbers;
  for (ScoreLaw& row : rows) {
    budget.check_every();
    Number left(1);
    for (const auto& [score, probability] : row) left -= probability;
    if (!left.is_zero()) {
      row.insert(std::find_if(row.begin(), row.end(), [&](const auto& one) { return one.first > rest; }), {rest, left});
    }
    numbers.push_back(laws.number_of(std::move(row)));
  }
  return numbers;
}

// A channel with its scores: equal channels may have different scores.
using ScoredChannel = std::pair<const Channel*, const std::vector<Score>*>;

ScoredChannel channel_of(const ScoredPart& part) { return {part.channel.get(), part.scores.get()}; }

// Parts of one channel on the same coordinates.
struct PartGroup {
  ScoredChannel channel;
  const std::vector<std::size_t>* coordinates;
  std::uint32_t times;
};

// Pairs of the number of a distribution and how often it occurs; with kArgmax in the order of the parts, each once.
using LawCounts = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct LawCountsHash {
  std::size_t operator()(const LawCounts& counts) const {
    std::size_t hash = counts.size();
    for (const auto& [law, count] : counts) hash = (hash * 1000003 + law) * 1000003 + count;
    return hash;
  }
};

void merge_equal(LawCounts& counts) {
  std::sort(counts.begin(), counts.end());
  std::size_t kept = 0;
  for (std::size_t k = 1; k < counts.size(); ++k) {
    if (counts[k].first == counts[kept].first) {
      counts[kept].second += counts[k].second;
    } else {
      counts[++kept] = counts[k];
    }
  }
  counts.resize(kept + 1);
}

// Weights proportional to the probabilities of a distribution, and their sum.
struct ScoreWeights {
  std::vector<Number> weights;
  Number total;
};

// Integer weights if the probabilities are small fractions, otherwise quotients by the first one. The probabilities
// themselves if they have symbols, since the first one may be 0 for some values.
ScoreWeights weights_of(const ScoreLaw& law) {
  if (std::any_of(law.begin(), law.end(), [](const auto& entry) { return entry.second.has_symbols(); })) {
    ScoreWeights result{{}, Number(1)};
    for (const auto& [score, probability] : law) result.weights.push_back(probability);
    return result;
  }
  std::int64_t common = 1;
  for (const auto& [score, probability] : law) {
    std::int64_t numerator = 0, denominator = 1;
    constexpr std::int64_t kMostCommon = std::int64_t{1} << 31;
    if (!probability.fits_ratio(numerator, denominator) || denominator > kMostCommon) {
      common = 0;
      break;
    }
    common = std::lcm(common, denominator);
    if (common > kMostCommon) {
      common = 0;
      break;
    }
  }
  const Number factor = common > 0 ? Number(common) : Number(1) / law[0].second;
  ScoreWeights result{{}, factor};
  for (const auto& [score, probability] : law) result.weights.push_back(probability * factor);
  return result;
}

using Coefficients = std::vector<Number>;

Coefficients times(const Coefficients& a, const Coefficients& b, Budget& budget) {
  Coefficients product(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].is_zero()) continue;
    for (std::size_t j = 0; j < b.size(); ++j) {
      budget.check_every();
      if (!b[j].is_zero()) product[i + j] += a[i] * b[j];
    }
  }
  return product;
}

// A polynomial and the power in which it occurs.
struct Power {
  Coefficients base;
  std::uint32_t exponent;
};

bool has_symbols(const std::vector<Power>& powers) {
  return std::any_of(powers.begin(), powers.end(), [](const Power& power) {
    return std::any_of(power.base.begin(), power.base.end(), [](const Number& own) { return own.has_symbols(); });
  });
}

// Returns the coefficients of the product of powers: by the recurrence at the top of this file, or with symbols, by
// which nothing is divided, by multiplication.
Coefficients product_of_powers(const std::vector<Power>& powers, Budget& budget) {
  if (has_symbols(powers)) {
    Coefficients product{Number(1)};
    for (const auto& [base, exponent] : powers) {
      for (std::uint32_t k = 0; k < exponent; ++k) product = times(product, base, budget);
    }
    return product;
  }
  Coefficients a{Number(1)}, b{Number(0)};  // of the first powers
  std::uint64_t degree = 0;
  for (const auto& [base, exponent] : powers) {
    degree += (base.size() - 1) * exponent;
    Coefficients derivative(std::max<std::size_t>(1, base.size() - 1));
    for (std::size_t j = 1; j < base.size(); ++j)
      derivative[j - 1] = base[j] * Number(static_cast<Score>(j * exponent));
    Coefficients next = times(b, base, budget);
    const Coefficients other = times(a, derivative, budget);
    next.resize(std::max(next.size(), other.size()));
    for (std::size_t j = 0; j < other.size(); ++j) next[j] += other[j];
    b = std::move(next);
    a = times(a, base, budget);
  }
  if (std::all_of(powers.begin(), powers.end(), [](const Power& power) { return power.exponent == 1; })) return a;
  const auto places = [](const Coefficients& of, std::size_t first) {
    std::vector<std::size_t> nonzero;
    for (std::size_t j = first; j < of.size(); ++j) {
      if (!of[j].is_zero()) nonzero.push_back(j);
    }
    return nonzero;
  };
  const std::vector<std::size_t> of_a = places(a, 1), of_b = places(b, 0);
  Coefficients c{Number(1)};
  for (const auto& [base, exponent] : powers) c[0] *= base[0].pow(exponent);
  for (std::uint64_t k = 1; k <= degree; ++k) {
    Number sum(0);
    for (const std::size_t j : of_b) {
      budget.check_every();
      if (j < k && !c[k - 1 - j].is_zero()) sum += b[j] * c[k - 1 - j];
    }
    for (const std::size_t j : of_a) {
      budget.check_every();
      if (j < k && !c[k - j].is_zero()) sum -= a[j] * Number(static_cast<Score>(k - j)) * c[k - j];
    }
    c.push_back(sum.is_zero() ? sum : sum / (a[0] * Number(static_cast<Score>(k))));
  }
  return c;
}

// Returns the distribution of the sum of independent scores.
ScoreLaw law_of_sum(const LawCounts& counts, const ScoreLaws& laws, Budget& budget) {
  Score step = 0, least = 0;
  for (const auto& [number, count] : counts) {
    const ScoreLaw& law = laws.law(number);
    least += law[0].first * count;
    for (const auto& [score, probability] : law) step = std::gcd(step, score - law[0].first);
  }
  step = std::max<Score>(step, 1);
  std::uint64_t degree_of_all = 0;
  for (const auto& [number, count] : counts) {
    const ScoreLaw& law = laws.law(number);
    degree_of_all += static_cast<std::uint64_t>((law.back().first - law[0].first) / step) * count;
  }
  budget.require_cells(1, degree_of_all + 1);
  budget.require_memory(4 * sizeof(Number) * (degree_of_all + 1));
  std::vector<Power> powers;
  Number total(1);
  for (const auto& [number, count] : counts) {
    const ScoreLaw& law = laws.law(number);
    const auto degree = static_cast<std::uint64_t>((law.back().first - law[0].first) / step);
    const ScoreWeights weights = weights_of(law);
    Coefficients base(degree + 1);
    for (std::size_t k = 0; k < law.size(); ++k) {
      base[static_cast<std::size_t>((law[k].first - law[0].first) / step)] = weights.weights[k];
    }
    powers.push_back({std::move(base), count});
    total *= weights.total.pow(count);
  }
  const Coefficients coefficients = product_of_powers(powers, budget);
  ScoreLaw result;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    budget.check_every();
    if (!coefficients[k].is_zero()) {
      result.emplace_back(least + static_cast<Score>(k) * step, coefficients[k] / total);
    }
  }
  return result;
}

// Returns P(score <= bound), or P(score < bound).
Number at_most(const ScoreLaw& law, Score bound, bool strictly = false) {
  std::vector<Number> terms;
  for (const auto& [score, probability] : law) {
    if (score < bound || (score == bound && !strictly)) terms.push_back(probability);
  }
  return terms.size() == law.size() ? Number(1) : sum_of(terms);
}

ScoreLaw law_of_max(const LawCounts& counts, const ScoreLaws& laws, std::span<const Score> results, Budget& budget) {
  ScoreLaw result;
  Number before(0);
  for (const Score bound : results) {
    budget.check();
    Number all(1);
    for (const auto& [number, count] : counts) {
      budget.check_every();
      all *= at_most(laws.law(number), bound).pow(count);
    }
    if (const Number mass = all - before; !mass.is_zero()) result.emplace_back(bound, mass);
    before = all;
  }
  return result;
}

ScoreLaw law_of_argmax(const LawCounts& parts, const ScoreLaws& laws, std::span<const Score> scores, Budget& budget) {
  std::vector<Number> chances(parts.size(), Number(0));
  for (const Score bound : scores) {
    // later[i]: the parts from i on are at most `bound`.
    std::vector<Number> later{Number(1)};
    for (std::size_t i = parts.size(); i-- > 1;) {
      budget.check_every();
      later.push_back(later.back() * at_most(laws.law(parts[i].first), bound));
    }
    Number earlier(1);
    for (std::size_t i = 0; i < parts.size() && !earlier.is_zero(); ++i) {
      budget.check_every();
      const ScoreLaw& law = laws.law(parts[i].first);
      const auto own = std::find_if(law.begin(), law.end(), [&](const auto& one) { return one.first == bound; });
      if (own != law.end()) chances[i] += earlier * own->second * later[parts.size() - 1 - i];
      earlier *= at_most(law, bound, true);
    }
  }
  ScoreLaw result;
  for (std::size_t i = 0; i < chances.size(); ++i) {
    if (!chances[i].is_zero()) result.emplace_back(static_cast<Score>(i), chances[i]);
  }
  return result;
}

std::vector<Score> distinct(std::vector<Score> scores) {
  std::sort(scores.begin(), scores.end());
  scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
  return scores;
}

using Bits = boost::dynamic_bitset<std::uint64_t>;

// The sums of an element of each set.
Bits sumset(const Bits& a, const Bits& b, Budget& budget) {
  Bits sums(a.size() + b.size() - 1);
  if (a.all() && b.all()) return sums.set();
  Bits wide = a;
  wide.resize(sums.size());
  for (std::size_t j = b.find_first(); j != Bits::npos; j = b.find_next(j)) {
    budget.check();
    sums |= wide << j;
  }
  return sums;
}

// How many parts have the same scores, by the scores.
using PartsByScores = std::unordered_map<const std::vector<Score>*, std::uint64_t>;

PartsByScores by_scores(std::span<const ScoredPart> parts, Budget& budget) {
  PartsByScores parts_with;
  for (const ScoredPart& part : parts) {
    budget.check_every();
    ++parts_with[part.scores.get()];
  }
  return parts_with;
}

std::vector<Score> possible_sums(const PartsByScores& parts_with, Budget& budget) {
  std::map<std::vector<Score>, std::uint64_t> sets;
  Score step = 0, least = 0;
  std::uint64_t spread = 0;
  for (const auto& [own, count] : parts_with) {
    std::vector<Score> scores = distinct(*own);
    least += scores[0] * static_cast<Score>(count);
    spread += static_cast<std::uint64_t>(scores.back() - scores[0]) * count;
    for (const Score score : scores) step = std::gcd(step, score - scores[0]);
    for (Score& score : scores | std::views::reverse) score -= scores[0];
    sets[std::move(scores)] += count;
  }
  step = std::max<Score>(step, 1);
  if (const std::uint64_t sums = spread / static_cast<std::uint64_t>(step) + 1; sums > budget.limits().max_cells) {
    throw LimitError("the sums lie among " + std::to_string(sums) + " numbers, more than the limit of " +
                     std::to_string(budget.limits().max_cells) + " (--max-cells)");
  }
  Bits sums(1, 1);
  for (const auto& [scores, count] : sets) {
    Bits own(static_cast<std::size_t>(scores.back() / step) + 1);
    for (const Score score : scores) own.set(static_cast<std::size_t>(score / step));
    for (std::uint64_t left = count; left > 0; left /= 2) {
      if (left % 2 == 1) sums = sumset(sums, own, budget);
      if (left > 1) own = sumset(own, own, budget);
    }
  }
  std::vector<Score> results;
  for (std::size_t k = sums.find_first(); k != Bits::npos; k = sums.find_next(k)) {
    results.push_back(least + static_cast<Score>(k) * step);
  }
  return results;
}

std::vector<Score> all_scores(const PartsByScores& parts_with) {
  std::vector<Score> scores;
  for (const auto& [own, count] : parts_with) scores.insert(scores.end(), own->begin(), own->end());
  return distinct(std::move(scores));
}

// The largest number is no smaller than the smallest number of any part.
std::vector<Score> possible_maxima(const PartsByScores& parts_with) {
  Score least = std::numeric_limits<Score>::min();
  for (const auto& [own, count] : parts_with) least = std::max(least, *std::min_element(own->begin(), own->end()));
  std::vector<Score> results = all_scores(parts_with);
  std::erase_if(results, [&](Score score) { return score < least; });
  return results;
}

// The smallest number is no larger than the largest number of any part.
std::vector<Score> possible_minima(const PartsByScores& parts_with) {
  Score most = std::numeric_limits<Score>::max();
  for (const auto& [own, count] : parts_with) most = std::min(most, *std::max_element(own->begin(), own->end()));
  std::vector<Score> results = all_scores(parts_with);
  std::erase_if(results, [&](Score score) { return score > most; });
  return results;
}

std::vector<PartGroup> groups_of(Aggregate kind, std::span<const ScoredPart> parts, Budget& budget) {
  std::vector<PartGroup> groups;
  std::map<std::pair<ScoredChannel, std::vector<std::size_t>>, std::size_t> known;
  for (const ScoredPart& part : parts) {
    budget.check_every();
    const auto [place, added] = known.try_emplace({channel_of(part), part.coordinates}, groups.size());
    if (added || kind == Aggregate::kArgmax) {
      groups.push_back({channel_of(part), &part.coordinates, 1});
    } else {
      ++groups[place->second].times;
    }
  }
  return groups;
}

}  // namespace

std::int64_t aggregate_of(Aggregate kind, std::span<const std::int64_t> scores) {
  switch (kind) {
    case Aggregate::kSum: return std::accumulate(scores.begin(), scores.end(), std::int64_t{0});
    case Aggregate::kMax: return *std::max_element(scores.begin(), scores.end());
    case Aggregate::kMin: return *std::min_element(scores.begin(), scores.end());
    case Aggregate::kArgmax: break;
  }
  return std::max_element(scores.begin(), scores.end()) - scores.begin();
}

std::vector<std::int64_t> possible_results(Aggregate kind, std::span<const ScoredPart> parts, Budget& budget) {
  const PartsByScores parts_with = by_scores(parts, budget);
  for (const auto& [scores, count] : parts_with) {
    for (const Score score : *scores) {
      budget.check_every();
      if (score > kLargestScore || score < -kLargestScore) throw LimitError("outputs beyond 2^40 cannot be aggregated");
    }
  }
  if (kind == Aggregate::kSum && parts.size() > kMostSummed) {
    throw LimitError("sums have at most " + std::to_string(kMostSummed) + " parts");
  }
  switch (kind) {
    case Aggregate::kSum: return possible_sums(parts_with, budget);
    case Aggregate::kMax: return possible_maxima(parts_with);
    case Aggregate::kMin: return possible_minima(parts_with);
    case Aggregate::kArgmax: break;
  }
  std::vector<Score> places(parts.size());
  std::iota(places.begin(), places.end(), 0);
  return places;
}

ClassLaws aggregate_laws(Aggregate kind, const Domain& domain, std::span<const ScoredPart> parts, Budget& budget) {
  if (kind == Aggregate::kMin) {
    // The smallest number is the negative of the largest of the negatives.
    std::map<const std::vector<Score>*, std::shared_ptr<const std::vector<Score>>> negatives;
    std::vector<ScoredPart> negated(parts.begin(), parts.end());
    for (ScoredPart& part : negated) {
      auto& own = negatives[part.scores.get()];
      if (!own) {
        std::vector<Score> scores = *part.scores;
        for (Score& score : scores) score = -score;
        own = std::make_shared<const std::vector<Score>>(std::move(scores));
      }
      part.scores = own;
    }
    ClassLaws found = aggregate_laws(Aggregate::kMax, domain, negated, budget);
    std::reverse(found.results.begin(), found.results.end());
    for (Score& result : found.results) result = -result;
    for (auto& law : found.laws) std::reverse(law.begin(), law.end());
    return found;
  }
  ClassLaws found{possible_results(kind, parts, budget), {}, {}};
  const std::vector<Score> scores =
      kind == Aggregate::kArgmax ? all_scores(by_scores(parts, budget)) : std::vector<Score>();
  budget.require_cells(domain.inputs(), found.results.size());

  ScoreLaws laws;
  std::map<ScoredChannel, std::vector<std::uint32_t>> rows;  // per channel and input: the number of its distribution
  for (const ScoredPart& part : parts) {
    budget.check_every();
    auto& own = rows[channel_of(part)];
    if (own.empty()) own = scored_rows(*part.channel, *part.scores, laws, budget);
  }
  const std::vector<PartGroup> groups = groups_of(kind, parts, budget);
  std::vector<Projection> projections;
  std::vector<const std::vector<std::uint32_t>*> rows_of_group;
  for (const PartGroup& group : groups) {
    projections.emplace_back(domain, *group.coordinates);
    rows_of_group.push_back(&rows[group.channel]);
  }
  std::unordered_map<LawCounts, std::uint32_t, LawCountsHash> classes;
  LawCounts counts;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    counts.clear();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      budget.check_every();
      counts.emplace_back((*rows_of_group[g])[projections[g](x)], groups[g].times);
    }
    if (kind != Aggregate::kArgmax) merge_equal(counts);
    const auto [place, added] = classes.try_emplace(counts, static_cast<std::uint32_t>(found.laws.size()));
    found.class_of.push_back(place->second);
    if (!added) continue;
    const ScoreLaw law = kind == Aggregate::kSum   ? law_of_sum(counts, laws, budget)
                         : kind == Aggregate::kMax ? law_of_max(counts, laws, found.results, budget)
                                                   : law_of_argmax(counts, laws, scores, budget);
    std::vector<Number>& row = found.laws.emplace_back(found.results.size());
    for (const auto& [result, probability] : law) {
      row[static_cast<std::size_t>(std::lower_bound(found.results.begin(), found.results.end(), result) -
                                   found.results.begin())] = probability;
    }
  }
  return found;
}

class ClassedChannel::ClassedColumns final : public Columns {
 public:
  ClassedColumns(std::unique_ptr<Columns> rows, std::shared_ptr<const std::vector<std::uint32_t>> class_of)
      : Columns(class_of->size(), rows->outputs()), rows_(std::move(rows)), class_of_(std::move(class_of)) {}
  const ValuePool& pool() const override { return rows_->pool(); }
  std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const override {
    std::vector<std::uint32_t> own;
    const auto by_class = rows_->ranks(y, own);
    scratch.resize(inputs());
    for (std::uint64_t x = 0; x < scratch.size(); ++x) scratch[x] = by_class[(*class_of_)[x]];
    return scratch;
  }

 private:
  std::unique_ptr<Columns> rows_;
  std::shared_ptr<const std::vector<std::uint32_t>> class_of_;
};

ClassedChannel::ClassedChannel(ChannelPtr rows, std::vector<std::uint32_t> class_of)
    : Channel(class_of.size(), rows->outputs()),
      rows_(std::move(rows)),
      class_of_(std::make_shared<const std::vector<std::uint32_t>>(std::move(class_of))) {}

std::unique_ptr<Columns> ClassedChannel::columns(Budget& budget) const {
  budget.require_cells(inputs(), outputs());
  return std::make_unique<ClassedColumns>(rows_->columns(budget), class_of_);
}

}  // namespace oddsbound::model
