#include "verifier/search/column_scan.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/search/ratio_search.h"
#include "verifier/structure/cases.h"

namespace oddsbound {

namespace {

constexpr std::uint64_t kShortStride = 32;

struct Extremes {
  std::uint32_t high = 0;
  std::uint32_t low = UINT32_MAX;
  void take(std::uint32_t rank) {
    high = std::max(high, rank);
    low = std::min(low, rank);
  }
};

Extremes extremes_of(std::span<const std::uint32_t> column) {
  Extremes result;
  for (const std::uint32_t rank : column) result.take(rank);
  return result;
}

// Finds the inputs of a winning pair again: the first with the high rank, and the first (for equal ranks the last, so
// that the two sides differ where they can) with the low one.
template <typename Inputs>
InputLevel locate(Subject& subject, const RatioSearch::Best& best, const Inputs& from, const Inputs& to) {
  std::vector<std::uint32_t> scratch;
  const auto column = subject.columns().ranks(best.place.output, scratch);
  InputLevel result;
  result.output = subject.channel().split(best.place.output);
  result.from = *std::find_if(from.begin(), from.end(), [&](std::uint64_t x) { return column[x] == best.high; });
  bool found = false;
  for (const std::uint64_t x : to) {
    if (column[x] != best.low || (found && best.low != best.high)) continue;
    result.to = x;
    found = true;
  }
  const ValuePool& pool = subject.columns().pool();
  result.level = best.infinite ? Level::infinite() : level_between(pool.value(best.high), pool.value(best.low));
  return result;
}

std::vector<std::uint64_t> all_inputs(const Subject& subject) {
  std::vector<std::uint64_t> inputs(subject.channel().inputs());
  for (std::uint64_t x = 0; x < inputs.size(); ++x) inputs[x] = x;
  return inputs;
}

RatioSearch::Best best_of(const RatioSearch& search, Budget& budget) {
  RatioSearch::Best best{};
  if (!search.best(best, budget)) throw ModelError("no output has positive probability");
  return best;
}

using Ranks = std::span<const std::uint32_t>;

// The best of what `offer(search, column, y)` offers, output by output.
template <typename Offer>
RatioSearch::Best scan(Subject& subject, Offer offer) {
  const Columns& columns = subject.columns();
  RatioSearch search(columns.pool());
  std::vector<std::uint32_t> scratch;
  for (std::uint64_t y = 0; y < columns.outputs() && !search.is_infinite(); ++y) {
    subject.budget().look();
    offer(search, columns.ranks(y, scratch), y);
  }
  return best_of(search, subject.budget());
}

// The groups of inputs that agree outside one coordinate: `stride` apart, `values` of them.
struct Lines {
  std::uint64_t stride;
  std::uint64_t values;

  std::vector<std::uint64_t> inputs_of(std::uint64_t first) const {
    std::vector<std::uint64_t> inputs;
    for (std::uint64_t v = 0; v < values; ++v) inputs.push_back(first + v * stride);
    return inputs;
  }

  Extremes extremes(std::span<const std::uint32_t> ranks, std::uint64_t first) const {
    Extremes result;
    for (std::uint64_t v = 0; v < values; ++v) result.take(ranks[first + v * stride]);
    return result;
  }
};

// True if, by approximations, some line that starts in [first, first + count) can still matter. Written so that the
// compiler vectorizes it; it is the only part of the scan that touches every entry in the usual case.
bool any_can_matter(const RatioSearch& search, const double* column, const Lines& lines, std::uint64_t count) {
  constexpr std::uint64_t kChunk = 256;
  double high[kChunk];
  double low[kChunk];
  for (std::uint64_t begin = 0; begin < count; begin += kChunk) {
    const std::uint64_t size = std::min(kChunk, count - begin);
    const double* start = column + begin;
    std::copy(start, start + size, high);
    std::copy(start, start + size, low);
    for (std::uint64_t v = 1; v < lines.values; ++v) {
      const double* row = start + v * lines.stride;
      for (std::uint64_t j = 0; j < size; ++j) {
        high[j] = row[j] > high[j] ? row[j] : high[j];
        low[j] = row[j] < low[j] ? row[j] : low[j];
      }
    }
    unsigned matters = 0;
    for (std::uint64_t j = 0; j < size; ++j) matters |= static_cast<unsigned>(search.can_matter(high[j], low[j]));
    if (matters != 0) return true;
  }
  return false;
}

void scan_lines(RatioSearch& search, std::span<const std::uint32_t> ranks, std::span<const double> approx,
                const Lines& lines, std::uint64_t y) {
  const std::uint64_t block = lines.stride * lines.values;
  for (std::uint64_t base = 0; base < ranks.size(); base += block) {
    if (!any_can_matter(search, approx.data() + base, lines, lines.stride)) continue;
    for (std::uint64_t first = base; first < base + lines.stride; ++first) {
      const Extremes extremes = lines.extremes(ranks, first);
      search.offer(extremes.high, extremes.low, {y, first});
    }
  }
}

// The same line by line, for strides too short to be worth a vector.
void scan_short_lines(RatioSearch& search, std::span<const std::uint32_t> ranks, std::span<const double> approx,
                      const Lines& lines, std::uint64_t y) {
  const std::uint64_t block = lines.stride * lines.values;
  for (std::uint64_t base = 0; base < ranks.size(); base += block) {
    for (std::uint64_t first = base; first < base + lines.stride; ++first) {
      double high = approx[first];
      double low = approx[first];
      for (std::uint64_t x = first + lines.stride; x < first + block; x += lines.stride) {
        high = std::max(high, approx[x]);
        low = std::min(low, approx[x]);
      }
      if (!search.can_matter(high, low)) continue;
      const Extremes extremes = lines.extremes(ranks, first);
      search.offer(extremes.high, extremes.low, {y, first});
    }
  }
}

// With several cases some input is in another one than the first of `from`, and told apart from it.
InputLevel level_from_by_cases(Subject& subject, const std::vector<std::uint64_t>& from) {
  const std::span<const Case> cases = subject.cases();
  const auto& first = cases[0].inputs;
  const bool in_first = std::find(first.begin(), first.end(), from[0]) != first.end();
  const std::vector<std::vector<std::uint64_t>> pair{{from[0], in_first ? cases[1].inputs[0] : first[0]}};
  return *level_by_cases(subject, pair);
}

std::vector<InputLevel> level_along_by_cases(Subject& subject, std::span<const std::size_t> coordinates) {
  std::vector<InputLevel> levels;
  for (const std::size_t i : coordinates) {
    const Lines lines{subject.domain().stride(i), subject.domain().values(i)};
    std::vector<std::vector<std::uint64_t>> groups;
    for (std::uint64_t x = 0; x < subject.channel().inputs(); ++x) {
      if (subject.domain().digit(x, i) == 0) groups.push_back(lines.inputs_of(x));
    }
    levels.push_back(*level_by_cases(subject, groups));
  }
  return levels;
}

}  // namespace

InputLevel level_within_groups(Subject& subject, std::span<const std::vector<std::uint64_t>> groups) {
  if (const auto level = level_by_cases(subject, groups)) return *level;
  const RatioSearch::Best best = scan(subject, [&](RatioSearch& search, Ranks column, std::uint64_t y) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Extremes extremes;
      for (const std::uint64_t x : groups[g]) extremes.take(column[x]);
      search.offer(extremes.high, extremes.low, {y, g});
    }
  });
  return locate(subject, best, groups[best.place.tag], groups[best.place.tag]);
}

InputLevel level_from(Subject& subject, const std::vector<std::uint64_t>& from) {
  if (subject.cases().size() > 1) return level_from_by_cases(subject, from);
  const RatioSearch::Best best = scan(subject, [&](RatioSearch& search, Ranks column, std::uint64_t y) {
    Extremes sensitive;
    for (const std::uint64_t x : from) sensitive.take(column[x]);
    search.offer(sensitive.high, extremes_of(column).low, {y, 0});
  });
  return locate(subject, best, from, all_inputs(subject));
}

InputLevel level_over_all(Subject& subject) {
  if (!subject.cases().empty()) {
    const std::vector<std::uint64_t> all = all_inputs(subject);
    return level_within_groups(subject, std::span(&all, 1));
  }
  const RatioSearch::Best best = scan(subject, [&](RatioSearch& search, Ranks column, std::uint64_t y) {
    const Extremes extremes = extremes_of(column);
    search.offer(extremes.high, extremes.low, {y, 0});
  });
  const std::vector<std::uint64_t> inputs = all_inputs(subject);
  return locate(subject, best, inputs, inputs);
}

std::vector<InputLevel> level_along(Subject& subject, std::span<const std::size_t> coordinates) {
  if (!subject.cases().empty()) return level_along_by_cases(subject, coordinates);
  const Columns& columns = subject.columns();
  std::vector<RatioSearch> searches(coordinates.size(), RatioSearch(columns.pool()));
  std::vector<Lines> lines;
  for (const std::size_t i : coordinates) lines.push_back({subject.domain().stride(i), subject.domain().values(i)});
  std::vector<std::uint32_t> scratch;
  std::vector<double> approx_scratch;
  for (std::uint64_t y = 0; y < columns.outputs(); ++y) {
    subject.budget().look();
    const auto approx = columns.approx(y, approx_scratch);
    const auto ranks = columns.ranks(y, scratch);
    for (std::size_t c = 0; c < coordinates.size(); ++c) {
      if (searches[c].is_infinite()) continue;
      if (lines[c].stride < kShortStride) {
        scan_short_lines(searches[c], ranks, approx, lines[c], y);
      } else {
        scan_lines(searches[c], ranks, approx, lines[c], y);
      }
    }
  }
  std::vector<InputLevel> levels;
  for (std::size_t c = 0; c < coordinates.size(); ++c) {
    const RatioSearch::Best best = best_of(searches[c], subject.budget());
    const std::vector<std::uint64_t> line = lines[c].inputs_of(best.place.tag);
    levels.push_back(locate(subject, best, line, line));
  }
  return levels;
}

}  // namespace oddsbound
