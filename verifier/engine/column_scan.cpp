#include "verifier/engine/column_scan.h"

#include <algorithm>

#include "base/errors.h"

namespace oddsbound::engine {

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

// Finds the inputs of the largest quotient: the first input with the high rank, and the first with the low rank.
// For equal ranks `to` is the last one, so that the two sides differ if they can.
InputLevel locate(MeasuredModel& subject, const RatioSearch::Best& best, const std::vector<std::uint64_t>& from,
                  const std::vector<std::uint64_t>& to) {
  std::vector<std::uint32_t> scratch;
  const auto column = subject.columns().ranks(best.place.output, scratch);
  InputPair pair;
  pair.output = subject.channel().split(best.place.output);
  pair.from = subject.domain().row(
      *std::find_if(from.begin(), from.end(), [&](std::uint64_t x) { return column[x] == best.high; }));
  std::optional<std::uint64_t> found;
  for (const std::uint64_t x : to) {
    if (column[x] == best.low && (!found || best.low == best.high)) found = x;
  }
  pair.to = subject.domain().row(*found);
  const ValuePool& pool = subject.columns().pool();
  return {best.infinite ? Level::infinite() : level_between(pool.value(best.high), pool.value(best.low)),
          std::move(pair)};
}

std::vector<std::uint64_t> all_inputs(const MeasuredModel& subject) {
  std::vector<std::uint64_t> inputs(subject.channel().inputs());
  for (std::uint64_t x = 0; x < inputs.size(); ++x) inputs[x] = x;
  return inputs;
}

RatioSearch::Best best_of(const RatioSearch& search, Budget& budget) {
  RatioSearch::Best best{};
  if (!search.best(best, budget)) throw ModelError("no output has positive probability");
  return best;
}

Extremes extremes_of_line(std::span<const std::uint32_t> ranks, const Lines& lines, std::uint64_t first) {
  Extremes result;
  for (std::uint64_t v = 0; v < lines.values; ++v) result.take(ranks[first + v * lines.stride]);
  return result;
}

// Returns true if, by the approximations, some line that starts in [first, first + count) can still hold the
// largest quotient. Written so that the compiler vectorizes it: usually no other part of the scan touches every
// entry.
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
      const Extremes extremes = extremes_of_line(ranks, lines, first);
      search.offer(extremes.high, extremes.low, {y, first});
    }
  }
}

// The same line by line, for strides too short to vectorize. [begin, end) holds whole blocks.
void scan_short_lines(RatioSearch& search, std::span<const std::uint32_t> ranks, std::span<const double> approx,
                      const Lines& lines, std::uint64_t y, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t block = lines.stride * lines.values;
  for (std::uint64_t base = begin; base < end; base += block) {
    for (std::uint64_t first = base; first < base + lines.stride; ++first) {
      double high = approx[first];
      double low = approx[first];
      for (std::uint64_t x = first + lines.stride; x < first + block; x += lines.stride) {
        high = std::max(high, approx[x]);
        low = std::min(low, approx[x]);
      }
      if (!search.can_matter(high, low)) continue;
      const Extremes extremes = extremes_of_line(ranks, lines, first);
      search.offer(extremes.high, extremes.low, {y, first});
    }
  }
}

// Returns true if some pair in [begin, end) can still hold the largest quotient. For lines of two values: the
// stride is a compile-time constant, so the compiler vectorizes over whole blocks.
template <std::uint64_t kStride>
bool any_pair_can_matter(const RatioSearch& search, const double* approx, std::uint64_t begin, std::uint64_t end) {
  unsigned matters = 0;
  for (std::uint64_t base = begin; base < end; base += 2 * kStride) {
    for (std::uint64_t j = base; j < base + kStride; ++j) {
      const double a = approx[j];
      const double b = approx[j + kStride];
      matters |= static_cast<unsigned>(search.can_matter(a > b ? a : b, a > b ? b : a));
    }
  }
  return matters != 0;
}

template <std::uint64_t kStride>
void scan_pairs(RatioSearch& search, std::span<const std::uint32_t> ranks, std::span<const double> approx,
                std::uint64_t y) {
  constexpr std::uint64_t kPiece = 256;
  static_assert(kPiece % (2 * kStride) == 0, "a piece holds whole blocks");
  for (std::uint64_t begin = 0; begin < ranks.size(); begin += kPiece) {
    const std::uint64_t end = std::min<std::uint64_t>(begin + kPiece, ranks.size());
    if (!any_pair_can_matter<kStride>(search, approx.data(), begin, end)) continue;
    scan_short_lines(search, ranks, approx, {kStride, 2}, y, begin, end);
  }
}

void scan_along(RatioSearch& search, std::span<const std::uint32_t> ranks, std::span<const double> approx,
                const Lines& lines, std::uint64_t y) {
  static_assert(kShortStride == 32);
  if (lines.stride >= kShortStride) return scan_lines(search, ranks, approx, lines, y);
  if (lines.values == 2 && lines.stride == 1) return scan_pairs<1>(search, ranks, approx, y);
  if (lines.values == 2 && lines.stride == 2) return scan_pairs<2>(search, ranks, approx, y);
  if (lines.values == 2 && lines.stride == 4) return scan_pairs<4>(search, ranks, approx, y);
  if (lines.values == 2 && lines.stride == 8) return scan_pairs<8>(search, ranks, approx, y);
  if (lines.values == 2 && lines.stride == 16) return scan_pairs<16>(search, ranks, approx, y);
  scan_short_lines(search, ranks, approx, lines, y, 0, ranks.size());
}

}  // namespace

std::unique_ptr<RatioScan<AmongInputs>> AmongInputs::begin(MeasuredModel& subject) const {
  assert(!groups || std::none_of(groups->begin(), groups->end(), [](const auto& group) { return group.empty(); }));
  return std::make_unique<Accumulator>(*this, RatioSearch(subject.columns().pool()));
}

void AmongInputs::offer(RatioSearch& search, ColumnView& column) const {
  const std::span<const std::uint32_t> ranks = column.ranks();
  const Extremes all = !groups || to_all ? extremes_of(ranks) : Extremes();
  if (!groups) return search.offer(all.high, all.low, {column.output(), 0});
  for (std::size_t g = 0; g < groups->size(); ++g) {
    Extremes extremes;
    for (const std::uint64_t x : (*groups)[g]) extremes.take(ranks[x]);
    search.offer(extremes.high, to_all ? all.low : extremes.low, {column.output(), g});
  }
}

InputLevel AmongInputs::finish(const RatioSearch& search, MeasuredModel& subject) const {
  const RatioSearch::Best best = best_of(search, subject.budget());
  const std::vector<std::uint64_t> from = groups ? (*groups)[best.place.tag] : all_inputs(subject);
  return locate(subject, best, from, groups && to_all ? all_inputs(subject) : from);
}

std::vector<std::uint64_t> Lines::inputs_of(std::uint64_t first) const {
  std::vector<std::uint64_t> inputs;
  for (std::uint64_t v = 0; v < values; ++v) inputs.push_back(first + v * stride);
  return inputs;
}

std::unique_ptr<LineScan> AlongCoordinates::begin(MeasuredModel& subject) const {
  std::vector<Lines> lines;
  for (const std::size_t i : coordinates) lines.push_back({subject.domain().stride(i), subject.domain().values(i)});
  return std::make_unique<LineScan>(std::move(lines), subject.columns().pool());
}

LineScan::LineScan(std::vector<Lines> lines, const ValuePool& pool)
    : lines_(std::move(lines)), searches_(lines_.size(), RatioSearch(pool)) {}

void LineScan::offer(ColumnView& column) {
  const std::span<const std::uint32_t> ranks = column.ranks();
  const std::span<const double> approx = column.approx();
  for (std::size_t c = 0; c < lines_.size(); ++c) {
    if (searches_[c].is_infinite()) continue;
    assert(ranks.size() % (lines_[c].stride * lines_[c].values) == 0);
    scan_along(searches_[c], ranks, approx, lines_[c], column.output());
  }
}

bool LineScan::is_saturated() const {
  return std::all_of(searches_.begin(), searches_.end(), [](const RatioSearch& s) { return s.is_infinite(); });
}

void LineScan::take(LineScan&& later) {
  for (std::size_t c = 0; c < searches_.size(); ++c) searches_[c].merge(std::move(later.searches_[c]));
}

LineScan LineScan::successor() const {
  LineScan next = *this;
  next.searches_.clear();
  for (const RatioSearch& search : searches_) next.searches_.push_back(search.successor());
  return next;
}

std::vector<InputLevel> LineScan::finish(MeasuredModel& subject) const {
  std::vector<InputLevel> levels;
  for (std::size_t c = 0; c < searches_.size(); ++c) {
    const RatioSearch::Best best = best_of(searches_[c], subject.budget());
    const std::vector<std::uint64_t> line = lines_[c].inputs_of(best.place.tag);
    levels.push_back(locate(subject, best, line, line));
  }
  return levels;
}

}  // namespace oddsbound::engine
