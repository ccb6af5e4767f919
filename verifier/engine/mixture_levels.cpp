#include "verifier/engine/mixture_levels.h"

#include <algorithm>
#include <map>
#include <set>

#include "verifier/engine/column_scan.h"

namespace oddsbound::engine {

namespace {

// A term with its entries.
struct Term {
  const std::vector<std::size_t>& coordinates;
  Domain domain;
  std::unique_ptr<Columns> columns;
};

// An input of a term, and the rank of its entry of one output.
struct Extreme {
  std::uint64_t input;
  std::uint32_t rank;
};

using Ranks = std::span<const std::uint32_t>;

// The first largest and the first smallest rank; the last one if all are equal, so that two inputs differ.
Ranks::iterator largest(Ranks ranks) { return std::ranges::max_element(ranks); }
Ranks::iterator smallest(Ranks ranks) {
  const auto [low, high] = std::ranges::minmax_element(ranks);
  return *low == *high ? ranks.end() - 1 : low;
}

class MixtureLevels {
 public:
  MixtureLevels(MeasuredModel& subject, const MixtureChannel& mixture) : subject_(subject) {
    for (const Factor& factor : mixture.terms()) {
      terms_.push_back({factor.coordinates, subject.domain().restricted_to(factor.coordinates),
                        factor.channel->columns(subject.budget())});
    }
  }

  InputLevel among_all() {
    for (std::uint64_t y = 0; y < subject_.channel().outputs(); ++y) {
      const std::vector<Extreme> most = extremes(y, largest), least = extremes(y, smallest);
      if (!is_new(most, least) || !is_better(sum_of(most), sum_of(least))) continue;
      keep(y, most, least);
    }
    return found();
  }

  /// coordinate: of the term.
  InputLevel along(std::size_t t, std::size_t coordinate) {
    const Term& term = terms_[t];
    const Lines lines{term.domain.stride(coordinate), term.domain.values(coordinate)};
    for (std::uint64_t y = 0; y < subject_.channel().outputs(); ++y) {
      std::vector<Extreme> least = extremes(y, smallest), most = least;
      for (const auto& [ranks, first] : extremes_of_lines(term, lines, y)) {
        most[t].rank = ranks.first;
        least[t].rank = ranks.second;
        if (!is_new(most, least) || !is_better(sum_of(most), sum_of(least))) continue;
        const std::vector<std::uint64_t> line = lines.inputs_of(first);
        const auto column = term.columns->ranks(y, scratch_);
        const auto first_with = [&](std::uint32_t rank) {
          return *std::ranges::find_if(line, [&](auto x) { return column[x] == rank; });
        };
        most[t].input = first_with(ranks.first);
        least[t].input = ranks.first == ranks.second ? line.back() : first_with(ranks.second);
        keep(y, most, least);
      }
    }
    return found();
  }

  /// The level of a coordinate that no term sees.
  InputLevel along_unseen(std::size_t i) {
    InputPair pair{{0}, InputRow(subject_.domain().size()), InputRow(subject_.domain().size())};
    while (subject_.channel().entry_at(subject_.domain(), pair.from, pair.output).is_zero()) ++pair.output[0];
    pair.to[i] = static_cast<std::uint32_t>(subject_.domain().values(i) - 1);
    return {Level(), std::move(pair)};
  }

 private:
  // Returns the input of each term whose rank of output y is picked.
  std::vector<Extreme> extremes(std::uint64_t y, Ranks::iterator (*pick)(Ranks)) {
    subject_.budget().check();
    std::vector<Extreme> result;
    for (const Term& term : terms_) {
      const Ranks column = term.columns->ranks(y, scratch_);
      const auto place = pick(column);
      result.push_back({static_cast<std::uint64_t>(place - column.begin()), *place});
    }
    return result;
  }

  Number sum_of(const std::vector<Extreme>& extremes) const {
    Number sum;
    for (std::size_t t = 0; t < terms_.size(); ++t) sum += terms_[t].columns->pool().value(extremes[t].rank);
    return sum;
  }

  // Returns false if these entries were compared before: most outputs of a mixture of products are alike.
  bool is_new(const std::vector<Extreme>& most, const std::vector<Extreme>& least) {
    constexpr std::size_t kMostKept = 1 << 16;
    std::vector<std::uint32_t> ranks;
    for (std::size_t t = 0; t < terms_.size(); ++t) ranks.insert(ranks.end(), {most[t].rank, least[t].rank});
    if (compared_.contains(ranks)) return false;
    if (compared_.size() < kMostKept) compared_.insert(std::move(ranks));
    return true;
  }

  // Returns the largest and the smallest rank of every line, each pair once, with the first input of one such line.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> extremes_of_lines(const Term& term,
                                                                                     const Lines& lines,
                                                                                     std::uint64_t y) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> found;
    const auto column = term.columns->ranks(y, scratch_);
    const std::uint64_t block = lines.stride * lines.values;
    for (std::uint64_t begin = 0; begin < column.size(); begin += block) {
      for (std::uint64_t first = begin; first < begin + lines.stride; ++first) {
        subject_.budget().check_every();
        std::uint32_t high = column[first], low = high;
        for (std::uint64_t x = first; x < begin + block; x += lines.stride) {
          high = std::max(high, column[x]);
          low = std::min(low, column[x]);
        }
        found.try_emplace({high, low}, first);
      }
    }
    return found;
  }

  // Compares quotients without dividing: 0/0 is never better, and p/0 is better than any finite quotient.
  bool is_better(const Number& p, const Number& q) {
    if (compare_products(p, p_to_, p_from_, q) <= 0) return false;
    p_from_ = p;
    p_to_ = q;
    return true;
  }

  void keep(std::uint64_t y, const std::vector<Extreme>& from, const std::vector<Extreme>& to) {
    best_ = InputPair{{y}, row_of(from), row_of(to)};
  }

  InputRow row_of(const std::vector<Extreme>& inputs) const {
    InputRow row(subject_.domain().size());
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const InputRow own = terms_[t].domain.row(inputs[t].input);
      for (std::size_t k = 0; k < own.size(); ++k) row[terms_[t].coordinates[k]] = own[k];
    }
    return row;
  }

  // Begins anew.
  InputLevel found() {
    InputLevel level{level_between(p_from_, p_to_), std::move(best_)};
    p_from_ = Number(0);
    p_to_ = Number(1);
    compared_.clear();
    return level;
  }

  MeasuredModel& subject_;
  std::vector<Term> terms_;
  std::vector<std::uint32_t> scratch_;
  std::set<std::vector<std::uint32_t>> compared_;
  InputPair best_;
  Number p_from_{0}, p_to_{1};  // of the best pair; less than any quotient before the first
};

}  // namespace

InputLevel level_of_mixture(MeasuredModel& subject, const MixtureChannel& mixture) {
  return MixtureLevels(subject, mixture).among_all();
}

std::vector<InputLevel> levels_along_mixture(MeasuredModel& subject, const MixtureChannel& mixture,
                                             const std::vector<std::size_t>& coordinates) {
  MixtureLevels levels(subject, mixture);
  std::vector<InputLevel> along;
  for (const std::size_t i : coordinates) {
    std::optional<InputLevel> level;
    for (std::size_t t = 0; t < mixture.terms().size() && !level; ++t) {
      const std::vector<std::size_t>& own = mixture.terms()[t].coordinates;
      const auto place = std::ranges::find(own, i);
      if (place != own.end()) level = levels.along(t, static_cast<std::size_t>(place - own.begin()));
    }
    along.push_back(level ? *std::move(level) : levels.along_unseen(i));
  }
  return along;
}

}  // namespace oddsbound::engine
