// Unary encodings: the input as a string of k bits with a single one; every bit is drawn independently. First the parts
// that all share; then `unary_encoding`; then the two stages of `rappor` and `longitudinal_unary_encoding`, with kept
// bits and several reports of each.
#include <charconv>
#include <numeric>

#include "mechanisms/family.h"
#include "mechanisms/k_randomized_response.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/random/distributions.h"
#include "verifier/exact/surd.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/channel.h"
#include "verifier/model/pair_class.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::mechanisms {

namespace {

/// The probability that a bit is 1: the bit of the input itself (or a kept 1), and any other.
struct OfBits {
  Number own, other;
};

/// Draws one bit. The flag: whether it is the bit of the input itself.
using BitDraw = std::function<std::uint64_t(bool own, RandomSource& source)>;

struct BitRule {
  std::uint64_t bit;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    return (x == bit ? 2U : 0U) + static_cast<std::uint32_t>(y);
  }
  std::string label(std::uint64_t y) const { return y == 1 ? "1" : "0"; }
};

/// Two inputs differ in the distribution of two bits, their own ones: one part for each. `of_own` and `of_other` are
/// the probabilities of the words of the input's own bit and of another one.
PairClass pairs_by_bits(std::uint64_t inputs, std::span<const Number> of_own, std::span<const Number> of_other) {
  PairClass pairs{0, 1, std::vector<std::vector<PairedOutputs>>(2), {}};
  std::uint64_t possible = 0;  // a word of the other bits
  for (std::size_t y = 0; y < of_own.size(); ++y) {
    pairs.parts[0].push_back({of_own[y], of_other[y]});
    pairs.parts[1].push_back({of_other[y], of_own[y]});
    if (of_other[possible].is_zero()) possible = y;
  }
  pairs.output = [=](std::uint64_t from, std::uint64_t to, std::span<const std::size_t> kinds) {
    std::vector<std::uint64_t> output(inputs, possible);
    output[from] = kinds[0];
    output[to] = kinds[1];
    return output;
  };
  return pairs;
}

/// Outputs of single bits, by their number of ones: given own and other probabilities p and q of a one, P(y given x) is
/// q^w (1-q)^(k-w) times p/q if bit x is 1, else (1-p)/(1-q). Empty for numbers whose powers are long.
std::vector<OutputClass> outputs_by_ones(std::uint64_t k, const Number& own, const Number& other) {
  constexpr std::uint64_t kMost = 2048;
  if (k > kMost || !own.is_rational() || !other.is_rational() || other.is_zero() || other.is_one()) return {};
  const Number kept = own / other, lost = (Number(1) - own) / (Number(1) - other);
  const Number odds = other / (Number(1) - other);
  Number outputs = (Number(1) - other).pow(static_cast<std::int64_t>(k));  // C(k, w) q^w (1-q)^(k-w)
  std::vector<OutputClass> classes;
  for (std::uint64_t w = 0; w <= k; ++w) {
    const Number in = whole(w) / whole(k), out = Number(1) - in;
    const Number mean = in * kept + out * lost;
    OutputClass own_class{outputs * mean, {}};
    if (!in.is_zero() && !mean.is_zero()) own_class.likelihoods.push_back({in, kept / mean});
    if (!out.is_zero() && !mean.is_zero()) own_class.likelihoods.push_back({out, lost / mean});
    if (!mean.is_zero()) classes.push_back(std::move(own_class));
    outputs *= odds * whole(k - w) / whole(w + 1);
  }
  return classes;
}

/// A product of one channel per input, that of its own bit; `values` are the words' probabilities for another bit,
/// then those for the own one.
class BitsChannel : public ProductChannel, public WithPairClasses {
 public:
  BitsChannel(const Domain& domain, std::vector<Factor> bits, std::vector<Number> values)
      : ProductChannel(domain, std::move(bits)), values_(std::move(values)) {}
  bool has_pair_classes() const final { return input_numbers() > 1; }
  std::vector<PairClass> pair_classes() const final {
    const auto values = std::span(values_);
    const std::size_t words = values.size() / 2;
    return {pairs_by_bits(input_numbers(), values.last(words), values.first(words))};
  }
  std::vector<OutputClass> output_classes() const final {
    if (values_.size() != 4) return {};
    return outputs_by_ones(input_numbers(), values_[3], values_[1]);
  }

 private:
  std::vector<Number> values_;
};

class BitStringChannel final : public BitsChannel {
 public:
  using BitsChannel::BitsChannel;
  std::string label_of(std::span<const std::uint64_t> output) const override {
    std::string label;
    for (const std::uint64_t bit : output) label += bit == 1 ? '1' : '0';
    return label;
  }
  bool parse_label(std::string_view label, std::vector<std::uint64_t>& output) const override {
    if (label.size() != factors().size() || label.find_first_not_of("01") != std::string_view::npos) return false;
    output.clear();
    for (const char bit : label) output.push_back(bit == '1' ? 1 : 0);
    return true;
  }
};

class BitSampler final : public Sampler {
 public:
  BitSampler(std::shared_ptr<const BitDraw> draw, std::uint64_t bit) : draw_(std::move(draw)), bit_(bit) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = (*draw_)(x == bit_, source);
  }

 private:
  std::shared_ptr<const BitDraw> draw_;
  std::uint64_t bit_;
};

class BitStringSampler final : public Sampler {
 public:
  BitStringSampler(const Channel& channel, BitDraw draw) : bits_(std::make_shared<std::vector<BitSampler>>()) {
    const auto shared = std::make_shared<const BitDraw>(std::move(draw));
    bits_->reserve(channel.factors().size());
    for (std::size_t i = 0; i < channel.factors().size(); ++i) bits_->emplace_back(shared, i);
    parts_.reserve(channel.factors().size());
    for (const Factor& bit : channel.factors()) {
      parts_.push_back({bit.channel, SamplerPtr(bits_, &(*bits_)[parts_.size()]), bit.coordinates});
    }
  }
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const BitSampler* const bits = bits_->data();
    for (std::size_t i = 0; i < output.size(); ++i) {
      draw_part(*parts_[i].channel, bits[i], x, source, output.subspan(i, 1));
    }
  }
  std::span<const SamplerPart> parts() const override { return parts_; }

 private:
  std::shared_ptr<std::vector<BitSampler>> bits_;
  std::vector<SamplerPart> parts_;
};

/// Draws every bit of such a channel independently.
SamplerPtr bit_string_sampler(const Channel& channel, BitDraw draw) {
  return std::make_shared<const BitStringSampler>(channel, std::move(draw));
}

/// Returns the channel whose bit i is 1 with probability `own` if i is the input, else `other`; outputs have
/// labels like "0100".
ChannelPtr bit_string_channel(const Domain& domain, const Number& own, const Number& other) {
  const std::vector<Number> values{Number(1) - other, other, Number(1) - own, own};
  std::vector<std::size_t> all(domain.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::shared_ptr<const RuleValues> shared = rule_values(values);
  std::vector<Factor> bits;
  bits.reserve(domain.inputs());
  for (std::uint64_t i = 0; i < domain.inputs(); ++i) {
    bits.push_back({std::make_shared<const RuleChannel<BitRule>>(domain.inputs(), 2, shared, BitRule{i}), all});
  }
  return std::make_shared<const BitStringChannel>(domain, std::move(bits), values);
}

/// Estimates the fractions of the inputs from the frequency of each bit.
EstimatorPtr bit_string_estimator(const Domain& domain, const Number& own, const Number& other) {
  return event_estimator(domain, own, other,
                         [](std::uint64_t j, std::span<const std::uint64_t> bits) { return bits[j] == 1; });
}

struct CountRule {
  std::uint64_t bit, counts;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    return static_cast<std::uint32_t>((x == bit ? counts : 0) + y);
  }
  std::string label(std::uint64_t y) const { return std::to_string(y); }
};

class BitCountChannel final : public BitsChannel {
 public:
  using BitsChannel::BitsChannel;
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

// The fraction of ones of a bit over all reports has the same mean as one report.
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

// Appends the probability of each number of ones, for a kept bit that is 1 with probability `one`.
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

/// Bit i is kept as 1 with probability permanent.own if i is the input, else permanent.other. Each of `times`
/// reports of a kept bit is 1 with probability report.own if the kept bit is 1, else report.other. An output
/// counts, for every bit, the reports of 1: "(3,0,2)". Throws LimitError past the budget.
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
  const std::shared_ptr<const RuleValues> shared = rule_values(values);
  std::vector<Factor> bits;
  std::vector<SamplerPart> parts;
  for (const SamplerPart& bit : drawn->parts()) {
    budget.check();
    const auto channel = std::make_shared<const RuleChannel<CountRule>>(domain.inputs(), counts.size(), shared,
                                                                        CountRule{bits.size(), counts.size()});
    bits.push_back({channel, bit.coordinates});
    parts.push_back({channel, memoized_sampler({bit.channel, bit.sampler}, report_stage, runs), bit.coordinates});
  }
  Mechanism result;
  result.channel = std::make_shared<const BitCountChannel>(domain, std::move(bits), values);
  result.sampler = product_sampler(domain, std::move(parts));
  const OfBits one{permanent.own * report.own + (Number(1) - permanent.own) * report.other,
                   permanent.other * report.own + (Number(1) - permanent.other) * report.other};
  if (one.own != one.other && !one.own.has_symbols() && !one.other.has_symbols()) {
    result.estimator = std::make_shared<const CountEstimator>(domain, one, times);
  }
  return result;
}

}  // namespace

}  // namespace oddsbound::mechanisms

// Symmetric (basic RAPPOR: zeros and ones are flipped with the same probability) and optimized (Wang, Blocki, Li, Jha
// 2017: the one is kept with probability 1/2).

namespace oddsbound::mechanisms {

namespace {

OfBits optimized_bits(const Level& epsilon) {
  return {Number::ratio(1, 2), Number(1) - odds_share(epsilon, Number(1), Number(1))};
}

// parameter: the name of the level, and variant that of the mechanism, for messages.
OfBits symmetric_bits(const Level& epsilon, const std::string& parameter, const std::string& variant) {
  const Number own = half_odds_share(epsilon, parameter, "the " + variant + " variant");
  return {own, Number(1) - own};
}

}  // namespace

}  // namespace oddsbound::mechanisms

namespace oddsbound::mechanisms::unary_encoding {

namespace {

OfBits bits_of(const Arguments& arguments) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const bool optimized = arguments.find<std::string>("variant").value_or("optimized") == "optimized";
  return optimized ? optimized_bits(epsilon) : symmetric_bits(epsilon, "epsilon", "symmetric");
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const OfBits bits = bits_of(arguments);
  Mechanism result;
  result.channel = bit_string_channel(domain, bits.own, bits.other);
  const Bernoulli own(bits.own);
  const Bernoulli other(bits.other);
  result.sampler = bit_string_sampler(*result.channel, [own, other](bool is_own, RandomSource& source) {
    return is_own ? own(source) : other(source);
  });
  result.estimator = bit_string_estimator(domain, bits.own, bits.other);
  return result;
}

}  // namespace

Family family() {
  return {"unary_encoding",
          "the input as one bit among k, every bit flipped on its own",
          "Wang, Blocki, Li, Jha (2017); symmetric: Erlingsson, Pihur, Korolova (2014)",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level"},
           {"variant",
            FieldKind::kWord,
            false,
            "optimized (the default) or symmetric (which needs e^(eps/2) to be exact)",
            {"optimized", "symmetric"}}},
          build,
          false,
          true};
}

}  // namespace oddsbound::mechanisms::unary_encoding

// Two stages on the bits of a unary encoding: a permanent answer for every bit, and reports drawn from it.

namespace oddsbound::mechanisms {

namespace {

BitDraw two_stages(const OfBits& permanent, const OfBits& report) {
  const Bernoulli permanent_one(permanent.own), permanent_zero(permanent.other);
  const Bernoulli instant_one(report.own), instant_zero(report.other);
  return [=](bool own, RandomSource& source) {
    const std::uint64_t kept = own ? permanent_one(source) : permanent_zero(source);
    return kept == 1 ? instant_one(source) : instant_zero(source);
  };
}

Number bit_probability(const Arguments& arguments, const std::string& name) {
  const Number& value = arguments.get<Number>(name);
  if (value.sign() < 0 || value > Number(1)) {
    throw ParameterError(name, "found " + value.to_string() + ", expected a number from 0 to 1");
  }
  return value;
}

std::int64_t number_of_reports(const Arguments& arguments) {
  constexpr std::int64_t kMostReports = 10'000;
  const std::int64_t times = arguments.find<std::int64_t>("times").value_or(1);
  if (times < 1 || times > kMostReports) {
    throw ParameterError(
        "times", "found " + std::to_string(times) + ", expected an integer from 1 to " + std::to_string(kMostReports));
  }
  return times;
}

/// Returns the mechanism of both stages, for as many reports as "times" says.
Mechanism staged_bits(const Domain& domain, const OfBits& permanent, const OfBits& report, const Arguments& arguments,
                      Budget& budget) {
  const std::int64_t times = number_of_reports(arguments);
  if (times > 1) return memoized_bits(domain, permanent, report, times, budget);
  const Number own = permanent.own * report.own + (Number(1) - permanent.own) * report.other;
  const Number other = permanent.other * report.own + (Number(1) - permanent.other) * report.other;
  Mechanism result;
  result.channel = bit_string_channel(domain, own, other);
  result.sampler = bit_string_sampler(*result.channel, two_stages(permanent, report));
  result.estimator = bit_string_estimator(domain, own, other);
  return result;
}

/// The parameter "times" of such families.
Field times_field() {
  return {"times", FieldKind::kInteger, false,
          "how many reports are drawn from one permanent answer (default 1); the output then counts the ones of each "
          "bit"};
}

}  // namespace

}  // namespace oddsbound::mechanisms

// RAPPOR (Erlingsson, Pihur and Korolova 2014, without the Bloom filter): two stages on the bits of a unary
// encoding. The permanent randomized response keeps a bit with probability 1 - f and otherwise replaces it by a
// fair coin. The instantaneous one gives 1 with probability q for a permanent 1 and p for a permanent 0; it is
// drawn anew for every report from the same permanent bits.

namespace oddsbound::mechanisms::rappor {

namespace {

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Number half = bit_probability(arguments, "f") / Number(2);
  const Number p = bit_probability(arguments, "p");
  const Number q = bit_probability(arguments, "q");
  return staged_bits(domain, {Number(1) - half, half}, {q, p}, arguments, budget);
}

}  // namespace

Family family() {
  return {"rappor",
          "unary encoding with a permanent and an instantaneous randomized response for every bit",
          "Erlingsson, Pihur, Korolova (2014)",
          {{"f", FieldKind::kNumber, true, "how often the permanent stage replaces a bit by a fair coin"},
           {"p", FieldKind::kNumber, true, "how often a permanent 0 is reported as 1"},
           {"q", FieldKind::kNumber, true, "how often a permanent 1 is reported as 1"},
           times_field()},
          build,
          true};
}

}  // namespace oddsbound::mechanisms::rappor

// Longitudinal unary encoding (Arcolezi, Couchot, Al Bouna and Xiao 2021): the kept bits are those of a unary encoding
// at level eps, and every report flips them again. A kept 1 is reported as 1 with probability p', and a kept 0 with q'.
//   L-OSUE: kept bits are optimized, and q' = 1 - p'. A report then is an optimized encoding.
//   L-SUE: kept bits are symmetric, and q' = 1 - p'. A report then is a symmetric encoding.
//   L-OUE: kept bits are optimized, and p' = 1/2. The q' of a given level solves a quadratic equation, so it is stated.

namespace oddsbound::mechanisms::longitudinal_unary_encoding {

namespace {

enum class Variant { kOsue, kSue, kOue };

Variant variant_of(const Arguments& arguments) {
  const std::string word = arguments.find<std::string>("variant").value_or("osue");
  return word == "osue" ? Variant::kOsue : word == "sue" ? Variant::kSue : Variant::kOue;
}

// The level of a single report.
Level first_of(const Arguments& arguments, const Level& epsilon) {
  const auto first = arguments.find<Level>("first");
  if (!first) throw ParameterError("first", "the variants osue and sue need the level of a single report");
  if (*first > epsilon) {
    throw ParameterError("first", "found " + first->to_string() + ", expected at most epsilon, " + epsilon.to_string());
  }
  return *first;
}

// p' such that a kept 0 becomes 1 with probability `wanted`, where it is kept as 1 with probability `kept`:
// kept p' + (1 - kept) (1 - p') = wanted. Any p' if kept is 1/2; then wanted is 1/2, too.
OfBits symmetric_report(const Number& kept, const Number& wanted) {
  const Number half = Number::ratio(1, 2);
  const Number right = kept == half ? half : (Number(1) - kept - wanted) / (Number(1) - Number(2) * kept);
  return {right, Number(1) - right};
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const Variant variant = variant_of(arguments);
  if (variant == Variant::kOue) {
    if (arguments.has("first")) {
      throw ParameterError("first", "the variant oue takes q, the probability that a kept 0 is reported as 1, instead");
    }
    if (!arguments.has("q")) {
      throw ParameterError("q", "the variant oue needs q, the probability that a kept 0 is reported as 1");
    }
    const OfBits report{Number::ratio(1, 2), bit_probability(arguments, "q")};
    return staged_bits(domain, optimized_bits(epsilon), report, arguments, budget);
  }
  if (arguments.has("q")) throw ParameterError("q", "only the variant oue takes q");
  const Level first = first_of(arguments, epsilon);
  const bool optimized = variant == Variant::kOsue;
  const OfBits kept = optimized ? optimized_bits(epsilon) : symmetric_bits(epsilon, "epsilon", "sue");
  const OfBits wanted = optimized ? optimized_bits(first) : symmetric_bits(first, "first", "sue");
  return staged_bits(domain, kept, symmetric_report(kept.other, wanted.other), arguments, budget);
}

}  // namespace

Family family() {
  return {"longitudinal_unary_encoding",
          "the bits of a unary encoding are kept, and every report flips them again (L-OSUE, L-SUE, L-OUE)",
          "Arcolezi, Couchot, Al Bouna, Xiao (2021)",
          {{"epsilon", FieldKind::kLevel, true, "the level of the kept bits, for any number of reports"},
           {"variant", FieldKind::kWord, false, "osue (the default), sue or oue", {"osue", "sue", "oue"}},
           {"first", FieldKind::kLevel, false, "osue, sue: the level of a single report, at most epsilon"},
           {"q", FieldKind::kNumber, false, "oue: how often a kept 0 is reported as 1; a kept 1 is with 1/2"},
           times_field()},
          build,
          true};
}

}  // namespace oddsbound::mechanisms::longitudinal_unary_encoding
