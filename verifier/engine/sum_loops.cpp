#include "verifier/engine/sum_loops.h"

#include <algorithm>

#include "verifier/engine/for_avx2_too.h"
#include "verifier/exact/interval.h"

namespace oddsbound::engine {

namespace {

// The sources of a target, with the entries of an output: sum_k from[cell_k] entries[class_k].
struct FixedTarget {
  const SumStep::Source* sources;
  std::size_t count;
  const double* entries;
};

// For few lanes, whose number is a constant.
template <std::size_t Lanes>
[[gnu::always_inline]] inline void add_few(const FixedTarget& target, const double* from, double* to) {
  double sum[Lanes];
  for (std::size_t l = 0; l < Lanes; ++l) {
    sum[l] = from[target.sources[0].cell * Lanes + l] * target.entries[target.sources[0].entry];
  }
  for (std::size_t k = 1; k < target.count; ++k) {
    const double* source = from + target.sources[k].cell * Lanes;
    const double entry = target.entries[target.sources[k].entry];
    for (std::size_t l = 0; l < Lanes; ++l) sum[l] += source[l] * entry;
  }
  for (std::size_t l = 0; l < Lanes; ++l) to[l] = sum[l];
}

// Two sources at a time, which saves half of the loads and stores of `to`.
[[gnu::always_inline]] inline void add_many(const FixedTarget& target, const double* from, std::size_t lanes,
                                            double* __restrict__ to) {
  const auto cell = [&](std::size_t k) { return from + target.sources[k].cell * lanes; };
  const auto entry = [&](std::size_t k) { return target.entries[target.sources[k].entry]; };
  const double* a = cell(0);
  const double of_a = entry(0);
  if (target.count == 1) {
    for (std::size_t l = 0; l < lanes; ++l) to[l] = a[l] * of_a;
    return;
  }
  const double* b = cell(1);
  const double of_b = entry(1);
  std::size_t k = 2;
  if (target.count == 2) {
    for (std::size_t l = 0; l < lanes; ++l) to[l] = a[l] * of_a + b[l] * of_b;
  } else {
    const double* c = cell(k);
    const double of_c = entry(k++);
    for (std::size_t l = 0; l < lanes; ++l) to[l] = a[l] * of_a + b[l] * of_b + c[l] * of_c;
  }
  for (; k + 1 < target.count; k += 2) {
    const double *c = cell(k), *d = cell(k + 1);
    const double of_c = entry(k), of_d = entry(k + 1);
    for (std::size_t l = 0; l < lanes; ++l) to[l] = to[l] + c[l] * of_c + d[l] * of_d;
  }
  if (k == target.count) return;
  const double* c = cell(k);
  const double of_c = entry(k);
  for (std::size_t l = 0; l < lanes; ++l) to[l] += c[l] * of_c;
}

[[gnu::always_inline]] inline void find_maximum(const FixedTarget& target, const double* from, std::size_t lanes,
                                                double* to) {
  std::fill_n(to, lanes, 0);
  for (std::size_t k = 0; k < target.count; ++k) {
    const double* source = from + target.sources[k].cell * lanes;
    const double entry = target.entries[target.sources[k].entry];
    for (std::size_t l = 0; l < lanes; ++l) to[l] = std::max(to[l], source[l] * entry);
  }
}

// Calls add(target, place) for the targets [begin, end) and the outputs [first, last).
template <typename Add>
[[gnu::always_inline]] inline void for_targets(const SumStep& step, std::size_t begin, std::size_t end,
                                               std::size_t first, std::size_t last, std::size_t lanes, double* to,
                                               const Add& add) {
  to += begin * (last - first) * lanes;
  for (std::size_t t = begin; t < end; ++t) {
    const std::size_t source = step.begin[t];
    FixedTarget target{step.sources.data() + source, step.begin[t + 1] - source, nullptr};
    for (std::size_t y = first; y < last; ++y, to += lanes) {
      target.entries = step.entries + y * step.classes;
      add(target, to);
    }
  }
}

template <std::size_t Lanes>
[[gnu::always_inline]] inline void fix_few(const SumStep& step, const double* from, std::size_t first, std::size_t last,
                                           double* to) {
  for_targets(step, 0, step.first_maximum, first, last, Lanes, to,
              [&](const FixedTarget& target, double* place) { add_few<Lanes>(target, from, place); });
}

}  // namespace

LogTable::LogTable() {
  for (std::size_t j = 0; j < kSize; ++j) {
    inverse_[j] = 1 / (1 + (static_cast<double>(j) + 0.5) / kSize);
    Ball log(inverse_[j]);  // of the rounded inverse, so that the rounding does not count
    arb_log(log.get(), log.get(), Ball::kBits);
    minus_log_[j] = -nearest_double(log);
  }
  Ball two;
  arb_const_log2(two.get(), Ball::kBits);
  log_2_ = nearest_double(two);
}

const LogTable& LogTable::get() {
  static const LogTable table;
  return table;
}

ODDSBOUND_FOR_AVX2_TOO
void fix_outputs(const SumStep& step, const double* from, std::size_t lanes, std::size_t first, std::size_t end,
                 double* to) {
  switch (lanes) {
    case 1: fix_few<1>(step, from, first, end, to); break;
    case 2: fix_few<2>(step, from, first, end, to); break;
    case 3: fix_few<3>(step, from, first, end, to); break;
    case 4: fix_few<4>(step, from, first, end, to); break;
    case 8: fix_few<8>(step, from, first, end, to); break;
    case 9: fix_few<9>(step, from, first, end, to); break;
    default:
      for_targets(step, 0, step.first_maximum, first, end, lanes, to,
                  [&](const FixedTarget& target, double* place) { add_many(target, from, lanes, place); });
  }
  for_targets(step, step.first_maximum, step.targets(), first, end, lanes, to,
              [&](const FixedTarget& target, double* place) { find_maximum(target, from, lanes, place); });
}

ODDSBOUND_FOR_AVX2_TOO
void set_maxima(const double* masses, std::size_t labels, std::size_t lanes, double* __restrict__ term) {
  std::copy_n(masses, lanes, term);
  for (std::size_t a = 1; a < labels; ++a) {
    for (std::size_t l = 0; l < lanes; ++l) term[l] = std::max(term[l], masses[a * lanes + l]);
  }
}

// The table is read first, because GCC does not vectorize these loads.
ODDSBOUND_FOR_AVX2_TOO
void LogTable::add_logs(const double* mass, const double* inverse, double scale, std::size_t lanes,
                        double* __restrict__ term) const {
  constexpr std::size_t kTogether = 32;
  std::array<double, kTogether> x, own_inverse, own_minus_log;
  for (std::size_t first = 0; first < lanes; first += kTogether) {
    const std::size_t count = std::min(kTogether, lanes - first);
    const double *own_mass = mass + first, *by = inverse + first;
    double* __restrict__ sum = term + first;
    for (std::size_t l = 0; l < count; ++l) x.data()[l] = own_mass[l] * by[l] * scale;
    for (std::size_t l = 0; l < count; ++l) {
      const std::size_t j = place_of(x.data()[l]);
      own_inverse.data()[l] = inverse_.data()[j];
      own_minus_log.data()[l] = minus_log_.data()[j];
    }
    for (std::size_t l = 0; l < count; ++l) {
      sum[l] += own_mass[l] * log_of(x.data()[l], own_inverse.data()[l], own_minus_log.data()[l]);
    }
  }
}

ODDSBOUND_FOR_AVX2_TOO
void set_excesses(const double* from, double from_scale, const double* to, double to_scale, std::size_t lanes,
                  double* __restrict__ term) {
  for (std::size_t l = 0; l < lanes; ++l) term[l] = std::max(0.0, from[l] * from_scale - to[l] * to_scale);
}

ODDSBOUND_FOR_AVX2_TOO
double tree_sum(double* terms, std::size_t count) {
  while (count > 1) {
    const std::size_t half = (count + 1) / 2, pairs = count - half;
    const double* __restrict__ upper = terms + half;
    double* __restrict__ lower = terms;
    for (std::size_t i = 0; i < pairs; ++i) lower[i] += upper[i];
    count = half;
  }
  return count == 0 ? 0 : terms[0];
}

}  // namespace oddsbound::engine
