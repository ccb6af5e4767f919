#include "mechanisms/bit_counts.h"

#include <charconv>

#include "mechanisms/bit_strings.h"
#include "mechanisms/memoized.h"
#include "mechanisms/random/categorical.h"
#include "mechanisms/rule_channel.h"
#include "verifier/model/dense_channel.h"
#include "verifier/model/memoized_channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::mechanisms {

namespace {

struct CountRule {
  std::uint64_t bit, counts;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    return static_cast<std::uint32_t>((x == bit ? counts : 0) + y);
  }
  std::string label(std::uint64_t y) const { return std::to_string(y); }
};

class BitCountChannel final : public ProductChannel {
 public:
  using ProductChannel::ProductChannel;
  bool parse_label(std::string_view label, std::vector<std::uint64_t>& output) const override {
    output.clear();
    const char* place = label.data();
    const char* const end = place + label.size();
    for (std::size_t f = 0; f < factors().size(); ++f) {
      if (place == end || *place != (f == 0 ? '(' : ',')) return false;
      std::uint64_t count = 0;
      const auto [rest, error] = std::from_chars(place + 1, end, count);
      if (error != std::errc() || count >= factors()[f].channel->outputs()) return false;
      place = rest;
      output.push_back(count);
    }
    return place + 1 == end && *place == ')' && label_of(output) == label;
  }
};

// The share of ones of a bit has this mean: report by report that of one.
class CountEstimator final : public ShareEstimator {
 public:
  CountEstimator(const Domain& domain, const OfBits& one, std::int64_t times)
      : ShareEstimator(domain), other_(one.other), spread_(one.own - one.other), times_(times) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    return (Number::ratio(static_cast<std::int64_t>(output[j]), times_) - other_) / spread_;
  }

 private:
  Number other_, spread_;
  std::int64_t times_;
};

// Of a kept bit that is 1 with this probability: how likely each number of ones is.
void add_counts(const Number& one, const std::vector<std::vector<Number>>& given, std::vector<Number>& values) {
  for (std::size_t y = 0; y < given[0].size(); ++y) {
    values.push_back((Number(1) - one) * given[0][y] + one * given[1][y]);
  }
}

ChannelPtr report_channel(const std::vector<std::vector<Number>>& rows, Budget& budget) {
  PoolBuilder entries;
  for (const std::vector<Number>& row : rows) {
    for (const Number& entry : row) entries.add(entry);
  }
  return DenseChannel::from_rows(2, {"0", "1"}, std::move(entries), budget);
}

}  // namespace

Mechanism memoized_bits(const Domain& domain, const OfBits& permanent, const OfBits& report, std::int64_t times,
                        Budget& budget) {
  const auto runs = static_cast<std::uint64_t>(times);
  const Counts counts(2, runs);
  budget.require_cells(domain.inputs(), counts.size());
  const std::vector<std::vector<Number>> rows{{Number(1) - report.other, report.other},
                                              {Number(1) - report.own, report.own}};
  const std::vector<std::vector<Number>> given = count_probabilities(rows, counts, budget);
  std::vector<Number> values;
  add_counts(permanent.other, given, values);
  add_counts(permanent.own, given, values);

  const ChannelPtr kept = bit_string_channel(domain, permanent.own, permanent.other);
  const SamplerPtr drawn = bit_string_sampler(
      *kept, [own = Bernoulli(permanent.own), other = Bernoulli(permanent.other)](bool is_own, RandomSource& source) {
        return is_own ? own(source) : other(source);
      });
  const ChannelPtr reported = report_channel(rows, budget);
  const Stage report_stage{reported, row_sampler(reported)};
  std::vector<Factor> bits;
  std::vector<SamplerPart> parts;
  for (const SamplerPart& bit : drawn->parts()) {
    budget.look();
    const ChannelPtr channel =
        rule_channel(domain.inputs(), counts.size(), values, CountRule{bits.size(), counts.size()});
    bits.push_back({channel, bit.coordinates});
    parts.push_back({channel, memoized_sampler({bit.channel, bit.sampler}, report_stage, runs), bit.coordinates});
  }
  Mechanism result;
  result.channel = std::make_shared<const BitCountChannel>(domain, std::move(bits));
  result.sampler = product_sampler(domain, std::move(parts));
  const OfBits one{permanent.own * report.own + (Number(1) - permanent.own) * report.other,
                   permanent.other * report.own + (Number(1) - permanent.other) * report.other};
  if (one.own != one.other && !one.own.has_symbols() && !one.other.has_symbols()) {
    result.estimator = std::make_shared<const CountEstimator>(domain, one, times);
  }
  return result;
}

}  // namespace oddsbound::mechanisms
