// Hadamard response on n symbols (Acharya, Sun and Zhang 2019): symbol i owns row i + 1 of Sylvester's Hadamard
// matrix of order K, the least power of two above n (row 0 is all ones and has no owner). The output is one whose
// entry in this row is +1 with odds e^eps. The context-aware LDP paper builds its schemes from it; they follow below.
#include <algorithm>
#include <bit>
#include <map>

#include "mechanisms/family.h"
#include "mechanisms/k_randomized_response.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/random/distributions.h"
#include "verifier/exact/level.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::mechanisms {

namespace {

/// Returns K: the least power of two above n.
std::uint64_t hadamard_order(std::uint64_t symbols) { return std::bit_ceil(symbols + 1); }

/// Whether the entry of a row is +1.
bool hadamard_positive(std::uint64_t row, std::uint64_t y) {
  return (static_cast<unsigned>(__builtin_popcountll(row & y)) & 1U) == 0;
}

struct OwnRow {
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const { return hadamard_positive(x + 1, y) ? 0 : 1; }
  std::string label(std::uint64_t y) const { return std::to_string(y); }
};

/// The probabilities 2e / (K (1 + e)) and 2 / (K (1 + e)) of outputs where the row is +1 and -1, with e = e^eps.
struct HadamardEntries {
  Number positive, negative;
};

HadamardEntries hadamard_entries(std::uint64_t order, const Level& epsilon) {
  const Number positive = odds_share(epsilon, Number(1), Number(1));
  const Number half = Number(2) / whole(order);
  return {positive * half, (Number(1) - positive) * half};
}

/// Returns an output where the rows have these signs; the rows are different and neither is row 0.
std::uint64_t output_with_signs(std::uint64_t row, std::uint64_t other, bool positive, bool other_positive) {
  // A bit of `row` alone flips the sign of `row` alone; if there is none, `other` has a bit of its own, and a bit of
  // both flips both signs.
  const auto flips_first = [](std::uint64_t a, std::uint64_t b) {
    const std::uint64_t own = a & ~b, lowest = own & -own;
    if (own != 0) return lowest;
    const std::uint64_t rest = b & ~a;
    return (a & -a) ^ (rest & -rest);
  };
  return (positive ? 0 : flips_first(row, other)) ^ (other_positive ? 0 : flips_first(other, row));
}

/// Rows of two symbols are orthogonal, and so is either to row 0: each pair of signs is on a quarter of the outputs.
PairClass hadamard_pairs(const Level& epsilon) {
  const Number half = Number::ratio(1, 2);
  const Number positive = odds_share(epsilon, Number(1), Number(1)) * half, negative = half - positive;
  return {0,
          1,
          {{{positive, negative}, {negative, positive}, {positive, positive}, {negative, negative}}},
          [](std::uint64_t from, std::uint64_t to, std::span<const std::size_t> kinds) {
            const bool first = kinds[0] == 0 || kinds[0] == 2, second = kinds[0] == 1 || kinds[0] == 2;
            return std::vector{output_with_signs(from + 1, to + 1, first, second)};
          }};
}

/// Outputs by the number of symbols whose row is +1 there. Let y > 0 have t trailing zero bits, and let n be the number
/// of rows 0..n-1, of which row 0 has no owner. Rows r and r + 2^t differ in sign at y if r < 2^t modulo 2^(t+1), so
/// each 2^(t+1) successive rows from a multiple of it sum to 0. The m = n mod 2^(t+1) last rows begin at a multiple B;
/// they sum to s m if m <= 2^t, else to s (2^(t+1) - m), where s is the sign of row B at y. The bits of y above t are
/// free, so if 0 < B < K both signs are equally frequent; row 0 is +1 everywhere, and B = K only if m = 0.
std::vector<OutputClass> hadamard_outputs(std::uint64_t symbols, const HadamardEntries& entries) {
  const std::uint64_t order = hadamard_order(symbols), rows = symbols + 1;
  std::vector<OutputClass> classes;
  const auto add = [&](std::uint64_t outputs, std::uint64_t positive) {
    const Number in = whole(positive) / whole(symbols), out = Number(1) - in;
    const Number output = in * entries.positive + out * entries.negative;
    if (output.is_zero()) return;
    OutputClass& own = classes.emplace_back(OutputClass{whole(outputs) * output, {}});
    if (!in.is_zero()) own.likelihoods.push_back({in, entries.positive / output});
    if (!out.is_zero()) own.likelihoods.push_back({out, entries.negative / output});
  };
  add(1, symbols);
  for (std::uint64_t half = 1; half < order; half *= 2) {  // 2^t
    const std::uint64_t outputs = order / (2 * half), last = rows % (2 * half);
    const std::uint64_t excess = last <= half ? last : 2 * half - last;
    if (last == rows || excess == 0) {
      add(outputs, (rows + excess) / 2 - 1);
    } else {
      add(outputs / 2, (rows + excess) / 2 - 1);
      add(outputs / 2, (rows - excess) / 2 - 1);
    }
  }
  return classes;
}

/// Returns the response as a channel from n symbols to outputs 0..K-1.
ChannelPtr hadamard_channel(std::uint64_t symbols, const Level& epsilon) {
  const std::uint64_t order = hadamard_order(symbols);
  const HadamardEntries entries = hadamard_entries(order, epsilon);
  return rule_channel(
      symbols, order, {entries.positive, entries.negative}, OwnRow{}, [=] { return hadamard_pairs(epsilon); },
      [=] { return hadamard_outputs(symbols, entries); });
}

/// Draws an output for a row: the sign with odds e^eps, then one of the K/2 outputs of that sign.
class HadamardDraw {
 public:
  HadamardDraw(std::uint64_t order, const Level& epsilon)
      : order_(order), sign_(odds_share(epsilon, Number(1), Number(1))) {}
  std::uint64_t operator()(std::uint64_t row, RandomSource& source) const {
    const bool positive = sign_(source) == 1;
    const std::uint64_t y = mechanisms::draw(UniformBelow(order_), source);
    // Flipping a bit that the row has flips the sign: this pairs the outputs of one sign with those of the other.
    return hadamard_positive(row, y) == positive ? y : y ^ (row & -row);
  }

 private:
  std::uint64_t order_;
  Bernoulli sign_;
};

}  // namespace

}  // namespace oddsbound::mechanisms

// The hadamard_response family (Acharya, Sun, Zhang 2019).

namespace oddsbound::mechanisms::hadamard_response {

namespace {

class Response final : public Sampler {
 public:
  explicit Response(const HadamardDraw& draw) : draw_(draw) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = draw_(x + 1, source);
  }

 private:
  HadamardDraw draw_;
};

// Rows are orthogonal: the sign of a row's entry times (e + 1)/(e - 1) has mean 1 for the row's owner and 0 for
// others, with e = e^eps.
class Shares final : public ShareEstimator {
 public:
  Shares(const Domain& domain, const Number& gain) : ShareEstimator(domain), gain_(gain) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    return hadamard_positive(j + 1, output[0]) ? gain_ : -gain_;
  }

 private:
  Number gain_;
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  Mechanism result;
  result.channel = hadamard_channel(domain.input_numbers(), epsilon);
  result.sampler = std::make_shared<const Response>(HadamardDraw(result.channel->outputs(), epsilon));
  if (is_informative(epsilon)) result.estimator = std::make_shared<const Shares>(domain, sign_gain(epsilon));
  return result;
}

}  // namespace

Family family() {
  return {"hadamard_response",
          "an output of one's row of a Hadamard matrix: sign +1 with odds e^eps, then any output of that sign",
          "Acharya, Sun, Zhang (2019); context-aware LDP paper, Section 2",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level"}},
          build,
          false,
          true};
}

}  // namespace oddsbound::mechanisms::hadamard_response

// Hadamard response within each block; the block itself is revealed. Context-aware LDP paper, Section 6.

namespace oddsbound::mechanisms::block_hadamard_response {

namespace {

class Response final : public Sampler {
 public:
  Response(std::shared_ptr<const UnionChannel> channel, const Level& epsilon) : channel_(std::move(channel)) {
    std::map<std::uint64_t, std::shared_ptr<const HadamardDraw>> known;
    for (const DisjointPart& block : channel_->disjoint_parts()) {
      auto& draw = known[block.channel->outputs()];
      if (!draw) draw = std::make_shared<const HadamardDraw>(block.channel->outputs(), epsilon);
      draws_.push_back(draw);
    }
  }
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const UnionChannel::Place place = channel_->input_place(x);
    output[0] = channel_->disjoint_parts()[place.part].first_output + (*draws_[place.part])(place.position + 1, source);
  }

 private:
  std::shared_ptr<const UnionChannel> channel_;
  std::vector<std::shared_ptr<const HadamardDraw>> draws_;  // per block
};

// Equation (19), per output.
class Shares final : public ShareEstimator {
 public:
  Shares(const Domain& domain, std::shared_ptr<const UnionChannel> channel, const Number& gain)
      : ShareEstimator(domain), channel_(std::move(channel)), gain_(gain) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    const UnionChannel::Place in = channel_->input_place(j);
    const UnionChannel::Place out = channel_->output_place(output[0]);
    if (in.part != out.part) return Number(0);
    return hadamard_positive(in.position + 1, out.position) ? gain_ : -gain_;
  }

 private:
  std::shared_ptr<const UnionChannel> channel_;
  Number gain_;
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  std::map<std::uint64_t, ChannelPtr> by_size;
  std::vector<DisjointPart> parts;
  std::uint64_t outputs = 0;
  for (std::vector<std::uint64_t>& block : arguments.get<Partition>("blocks").members()) {
    ChannelPtr& channel = by_size[block.size()];
    if (!channel) channel = hadamard_channel(block.size(), epsilon);
    parts.push_back({channel, std::move(block), outputs});
    outputs += channel->outputs();
  }
  const auto channel = std::make_shared<const UnionChannel>(domain.inputs(), std::move(parts));
  Mechanism result;
  result.channel = channel;
  result.sampler = std::make_shared<const Response>(channel, epsilon);
  if (is_informative(epsilon)) {
    const Number gain = sign_gain(epsilon);
    result.estimator = std::make_shared<const Shares>(domain, channel, gain);
    Number squares(0);  // of the sizes of blocks
    for (const DisjointPart& part : channel->disjoint_parts()) {
      squares += whole(part.inputs.size()) * whole(part.inputs.size());
    }
    result.distance_bound = {"context-aware LDP paper, Proposition 5 and Theorem 4",
                             {Number(12) * gain * gain * squares}};
  }
  return result;
}

}  // namespace

Family family() {
  return {
      "block_hadamard_response",
      "Hadamard response within each block; the block itself is published",
      "context-aware LDP paper, Section 6",
      {{"blocks", FieldKind::kPartition, true, "lists of inputs, or coordinates on which the inputs of a block agree"},
       {"epsilon", FieldKind::kLevel, true, "the block-structured LDP level"}},
      build};
}

}  // namespace oddsbound::mechanisms::block_hadamard_response

// Hadamard response for the sensitive inputs only. Any other input names itself with probability (e^eps - 1) /
// (e^eps + 1), and otherwise gives a uniform one of the outputs of the sensitive inputs. Context-aware LDP paper,
// Section 5, equations (13) to (16), with row x + 1 in (13) in place of the printed x: row 1 is all ones, and its
// "distribution" would sum to 2 e^eps / (e^eps + 1).

namespace oddsbound::mechanisms::high_low_hadamard_response {

namespace {

// The place of an input: the row of a sensitive one (from 1), or the direct output of any other.
struct Places {
  std::uint64_t order;                // S
  std::vector<std::uint64_t> row;     // 0 for inputs that are not sensitive
  std::vector<std::uint64_t> direct;  // their outputs
};

struct Rule {
  std::shared_ptr<const Places> places;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    constexpr std::uint32_t kPositive = 0, kNegative = 1, kDirect = 2, kNever = 3;
    const std::uint64_t row = places->row[x];
    if (y >= places->order) return row == 0 && places->direct[x] == y ? kDirect : kNever;
    return row != 0 && hadamard_positive(row, y) ? kPositive : kNegative;
  }
  std::string label(std::uint64_t y) const { return std::to_string(y); }
};

class Response final : public Sampler {
 public:
  Response(std::shared_ptr<const Places> places, const Level& epsilon, const Number& direct)
      : places_(std::move(places)), hadamard_(places_->order, epsilon), direct_(direct) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    if (const std::uint64_t row = places_->row[x]; row != 0) {
      output[0] = hadamard_(row, source);
    } else if (direct_(source) == 1) {
      output[0] = places_->direct[x];
    } else {
      output[0] = mechanisms::draw(UniformBelow(places_->order), source);
    }
  }

 private:
  std::shared_ptr<const Places> places_;
  HadamardDraw hadamard_;
  Bernoulli direct_;
};

// Equations (15) and (16), per output; the terms in 1/(e + 1) of (15) cancel.
class Shares final : public ShareEstimator {
 public:
  Shares(const Domain& domain, std::shared_ptr<const Places> places, const Number& gain)
      : ShareEstimator(domain), places_(std::move(places)), gain_(gain) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    const std::uint64_t row = places_->row[j];
    if (row == 0) return output[0] == places_->direct[j] ? gain_ : Number(0);
    if (output[0] >= places_->order) return Number(0);
    return hadamard_positive(row, output[0]) ? gain_ : -gain_;
  }

 private:
  std::shared_ptr<const Places> places_;
  Number gain_;
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const std::vector<std::uint64_t>& sensitive = arguments.get<Inputs>("sensitive").inputs;
  auto places = std::make_shared<Places>();
  places->order = hadamard_order(sensitive.size());
  places->row.assign(domain.inputs(), 0);
  places->direct.assign(domain.inputs(), 0);
  for (const std::uint64_t x : sensitive) places->row[x] = 1;
  std::uint64_t rows = 0;
  std::uint64_t outputs = places->order;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    if (places->row[x] != 0) {
      places->row[x] = ++rows;
    } else {
      places->direct[x] = outputs++;
    }
  }
  const HadamardEntries entries = hadamard_entries(places->order, epsilon);
  const Number positive = odds_share(epsilon, Number(1), Number(1));
  const Number direct = Number(2) * positive - Number(1);  // (e - 1) / (e + 1)
  Mechanism result;
  result.channel =
      rule_channel(domain.inputs(), outputs, {entries.positive, entries.negative, direct, Number(0)}, Rule{places});
  result.sampler = std::make_shared<const Response>(places, epsilon, direct);
  if (is_informative(epsilon)) {
    const Number gain = sign_gain(epsilon);
    result.estimator = std::make_shared<const Shares>(domain, places, gain);
    const Number hidden = whole(sensitive.size());
    result.distance_bound = {"context-aware LDP paper, Proposition 4 (27) and Theorem 3 (12)",
                             {Number(3) * hidden * hidden * gain * gain, gain * whole(domain.inputs())}};
  }
  return result;
}

}  // namespace

Family family() {
  return {"high_low_hadamard_response",
          "Hadamard response for the sensitive inputs; the others name themselves with probability (e-1)/(e+1)",
          "context-aware LDP paper, Section 5, equations (13) to (16), row corrected",
          {{"sensitive", FieldKind::kInputs, true, "the inputs to hide"},
           {"epsilon", FieldKind::kLevel, true, "the high-low LDP level"}},
          build};
}

}  // namespace oddsbound::mechanisms::high_low_hadamard_response
