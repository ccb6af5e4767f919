// Subset selection (Ye and Barg 2018; Wang et al. 2016): releases a set of d inputs, more likely by a factor e^eps
// if it contains the true one. Sets have numbers, in lexicographic order, if there are at most 2^62. Otherwise losses
// and levels follow from the classes of pairs alone, and only the sets of witnesses are ever written. Then dBitFlip,
// which releases a random set of d inputs, and a noisy bit for each of them.
#include <algorithm>
#include <bit>
#include <optional>

#include "mechanisms/family.h"
#include "mechanisms/k_randomized_response.h"
#include "mechanisms/random/distributions.h"
#include "verifier/exact/surd.h"

namespace oddsbound::mechanisms::subset_selection {

namespace {

// Subsets of size `size` of the numbers below `count`, in lexicographic order.
class Subsets {
 public:
  /// Throws LimitError if there are more than 2^62.
  Subsets(std::uint64_t count, std::uint64_t size) : count_(count), size_(size), number_(binomial(count, size)) {
    constexpr std::uint64_t kMostStored = 1 << 16;
    if (number_ == 0 || size > kMostStored / (count + 1)) return;
    auto table = std::make_shared<std::vector<std::uint64_t>>();
    try {
      for (std::uint64_t n = 0; n <= count; ++n) {
        for (std::uint64_t k = 0; k <= size; ++k) table->push_back(binomial(n, k));
      }
    } catch (const LimitError&) {
      return;  // some coefficient that is never used is too large
    }
    binomials_ = std::move(table);
  }
  std::uint64_t number() const { return number_; }
  std::uint64_t size() const { return size_; }

  std::vector<std::uint64_t> at(std::uint64_t rank) const {
    std::vector<std::uint64_t> members;
    for (std::uint64_t next = 0; members.size() < size_; ++next) {
      const std::uint64_t with = choose(count_ - next - 1, size_ - members.size() - 1);
      if (rank < with) {
        members.push_back(next);
      } else {
        rank -= with;
      }
    }
    return members;
  }

  std::uint64_t rank(std::span<const std::uint64_t> members) const {
    std::uint64_t rank = 0;
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (; next < members[i]; ++next) rank += choose(count_ - next - 1, size_ - i - 1);
      ++next;
    }
    return rank;
  }

 private:
  std::uint64_t choose(std::uint64_t n, std::uint64_t k) const {
    return binomials_ ? (*binomials_)[n * (size_ + 1) + k] : binomial(n, k);
  }

  std::uint64_t count_, size_, number_;
  std::shared_ptr<const std::vector<std::uint64_t>> binomials_;  // null: computed when they are used
};

std::string set_label(const Domain& domain, const std::vector<std::uint64_t>& members) {
  std::string text;
  for (const std::uint64_t x : members) text += (text.empty() ? "{" : ",") + input_label(domain, x);
  return text + "}";
}

struct Rule {
  Domain domain;
  Subsets subsets;

  bool contains(std::uint64_t x, std::uint64_t y) const {
    const std::vector<std::uint64_t> members = subsets.at(y);
    return std::binary_search(members.begin(), members.end(), x);
  }
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const { return contains(x, y) ? 0 : 1; }
  auto at(std::uint64_t y) const {
    std::vector<std::uint32_t> slots(domain.inputs(), 1);
    for (const std::uint64_t x : subsets.at(y)) slots[x] = 0;
    return [slots = std::move(slots)](std::uint64_t x) { return slots[x]; };
  }
  std::string label(std::uint64_t y) const { return set_label(domain, subsets.at(y)); }
};

// The sets of a pair of inputs, by which of the two they contain.
enum SetKind : std::uint64_t { kFirstAlone = 0, kSecondAlone = 1, kBoth = 2, kNeither = 3 };

bool has_first(std::uint64_t kind) { return kind == kFirstAlone || kind == kBoth; }
bool has_second(std::uint64_t kind) { return kind == kSecondAlone || kind == kBoth; }

// Such a set, with the least other inputs.
std::vector<std::uint64_t> least_set(std::uint64_t size, std::uint64_t kind, std::uint64_t from, std::uint64_t to) {
  std::vector<std::uint64_t> members;
  if (has_first(kind)) members.push_back(from);
  if (has_second(kind)) members.push_back(to);
  for (std::uint64_t next = 0; members.size() < size; ++next) {
    if (next != from && next != to) members.push_back(next);
  }
  std::sort(members.begin(), members.end());
  return members;
}

// Returns the output that is a set of this kind.
using SetOutput = std::function<std::uint64_t(std::uint64_t kind, std::uint64_t from, std::uint64_t to)>;

// A fraction (d-1)/(k-1) of the sets with one input, and d/(k-1) of those without it, contain the other input.
PairClass pairs_of(std::uint64_t k, std::uint64_t d, const Number& included, SetOutput output) {
  const auto part = [&](std::uint64_t of) { return whole(of) / whole(k - 1); };
  const Number one = included * part(k - d), other = (Number(1) - included) * part(d);
  const Number both = included * part(d - 1), neither = (Number(1) - included) * part(k - 1 - d);
  return {0,
          1,
          {{{one, other}, {other, one}, {both, both}, {neither, neither}}},
          [output = std::move(output)](std::uint64_t from, std::uint64_t to, std::span<const std::size_t> kinds) {
            return std::vector{output(kinds[0], from, to)};
          }};
}

// Sets are images of each other under permutations of the inputs, so all C(k, d) have the same probability. One of the
// C(k-1, d-1) sets with the true input has probability included / C(k-1, d-1) = included k / (d C(k, d)).
std::vector<OutputClass> outputs_of(std::uint64_t k, std::uint64_t d, const Number& included) {
  const Number in = whole(d) / whole(k), out = Number(1) - in;
  return {{Number(1), {{in, included / in}, {out, (Number(1) - included) / out}}}};
}

// n choose k, of any size, from the exponents of its primes (Legendre), as a balanced product.
Number large_binomial(std::uint64_t n, std::uint64_t k) {
  std::vector<bool> composite(n + 1, false);
  std::vector<Number> powers;
  for (std::uint64_t p = 2; p <= n; ++p) {
    if (composite[p]) continue;
    for (std::uint64_t multiple = p * p; multiple <= n; multiple += p) composite[multiple] = true;
    std::int64_t exponent = 0;
    for (std::uint64_t power = p; power <= n; power *= p) {
      exponent += static_cast<std::int64_t>(n / power - k / power - (n - k) / power);
    }
    if (exponent > 0) powers.push_back(whole(p).pow(exponent));
  }
  for (; powers.size() > 1; powers.resize((powers.size() + 1) / 2)) {
    for (std::size_t i = 0; 2 * i < powers.size(); ++i) {
      powers[i] = 2 * i + 1 < powers.size() ? powers[2 * i] * powers[2 * i + 1] : powers[2 * i];
    }
  }
  return powers.empty() ? Number(1) : powers[0];
}

// More than 2^62 sets, which have no numbers. An output is a set of the pair class: its kind and the two inputs.
class UnnumberedSets final : public Channel, public WithPairClasses {
 public:
  UnnumberedSets(const Domain& domain, std::uint64_t size, const Number& included)
      : Channel(domain.inputs(), UINT64_MAX),
        domain_(domain),
        size_(size),
        included_(included),
        sets_(large_binomial(domain.inputs(), size)) {
    if (input_numbers() >> kBits != 0) throw LimitError("subset_selection is for fewer than 2^30 inputs");
  }

  Number output_count() const override { return sets_; }
  std::string label_of(std::span<const std::uint64_t> output) const override {
    return set_label(domain_, members_of(output[0]));
  }
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override {
    const std::vector<std::uint64_t> members = members_of(output[0]);
    // C(k-1, d-1) = C(k, d) d / k, and C(k-1, d) = C(k, d) (k - d) / k.
    const bool in = std::binary_search(members.begin(), members.end(), x);
    const Number sets = sets_ * whole(in ? size_ : input_numbers() - size_) / whole(input_numbers());
    return (in ? included_ : Number(1) - included_) / sets;
  }
  std::unique_ptr<Columns> columns(Budget& budget) const override {
    budget.require_cells(inputs(), outputs());
    throw LimitError("subset_selection has more than 2^62 outputs");
  }
  bool has_pair_classes() const override { return true; }
  std::vector<PairClass> pair_classes() const override {
    return {pairs_of(input_numbers(), size_, included_, [](std::uint64_t kind, std::uint64_t from, std::uint64_t to) {
      return kind << (2 * kBits) | from << kBits | to;
    })};
  }
  std::vector<OutputClass> output_classes() const override { return outputs_of(input_numbers(), size_, included_); }

 private:
  static constexpr unsigned kBits = 30;
  std::vector<std::uint64_t> members_of(std::uint64_t y) const {
    constexpr std::uint64_t kInput = (std::uint64_t{1} << kBits) - 1;
    return least_set(size_, y >> (2 * kBits), y >> kBits & kInput, y & kInput);
  }

  Domain domain_;
  std::uint64_t size_;
  Number included_;
  Number sets_;  // how many there are
};

class Selection final : public Sampler {
 public:
  Selection(std::uint64_t inputs, const Subsets& subsets, const Number& included)
      : inputs_(inputs),
        subsets_(subsets),
        with_(inputs - 1, subsets.size() - 1),
        without_(inputs - 1, subsets.size()),
        included_(included) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const bool included = subsets_.size() == inputs_ || included_(source) == 1;
    const Subsets& others = included ? with_ : without_;
    std::vector<std::uint64_t> members = others.at(mechanisms::draw(UniformBelow(others.number()), source));
    for (std::uint64_t& other : members) other += other >= x ? 1 : 0;
    if (included) members.insert(std::lower_bound(members.begin(), members.end(), x), x);
    output[0] = subsets_.rank(members);
  }

 private:
  std::uint64_t inputs_;
  Subsets subsets_, with_, without_;
  Bernoulli included_;
};

std::uint64_t chosen_size(std::uint64_t k, const Level& epsilon, const Arguments& arguments) {
  if (const auto given = arguments.find<std::int64_t>("size")) {
    const auto most = static_cast<std::int64_t>(std::max<std::uint64_t>(1, k - 1));
    if (*given < 1 || *given > most) {
      throw ParameterError("size", "found the size " + std::to_string(*given) + ", expected 1 to " +
                                       std::to_string(most) + " for " + std::to_string(k) + " inputs");
    }
    return static_cast<std::uint64_t>(*given);
  }
  if (epsilon.is_infinite()) return 1;
  const Number best = whole(k) / (epsilon.exponential() + Number(1));
  return static_cast<std::uint64_t>(std::max<std::int64_t>(1, nearest_integer(best)));
}

// nullopt if there are more than 2^62.
std::optional<Subsets> numbered_subsets(std::uint64_t inputs, std::uint64_t size) {
  try {
    return Subsets(inputs, size);
  } catch (const LimitError&) {
    return std::nullopt;
  }
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const std::uint64_t k = domain.inputs();
  const std::uint64_t d = chosen_size(k, epsilon, arguments);
  const Number included = odds_share(epsilon, whole(d), whole(k - d));  // C(k-1, d-1) to C(k-1, d) is d to k - d
  const std::optional<Subsets> known = numbered_subsets(k, d);
  if (!known) return {std::make_shared<const UnnumberedSets>(domain, d, included)};
  const Subsets& subsets = *known;
  const std::uint64_t without = binomial(k - 1, d);
  const Number in = included / whole(binomial(k - 1, d - 1));
  const Number out = without == 0 ? Number(0) : (Number(1) - included) / whole(without);
  const Rule rule{domain, subsets};
  Mechanism result;
  const auto pairs = [=] {
    return pairs_of(k, d, included, [=](std::uint64_t kind, std::uint64_t from, std::uint64_t to) {
      return subsets.rank(least_set(d, kind, from, to));
    });
  };
  result.channel =
      rule_channel(k, subsets.number(), {in, out}, rule, pairs, [=] { return outputs_of(k, d, included); });
  result.sampler = std::make_shared<const Selection>(k, subsets, included);
  // Another input is in the set with probability (d-1)/(k-1) if the set contains the true one, else d/(k-1).
  const Number other =
      k == 1 ? Number(0) : (included * whole(d - 1) + (Number(1) - included) * whole(d)) / whole(k - 1);
  result.estimator =
      event_estimator(domain, included, other,
                      [rule](std::uint64_t j, std::span<const std::uint64_t> y) { return rule.contains(j, y[0]); });
  return result;
}

}  // namespace

Family family() {
  return {"subset_selection",
          "a set of d inputs, e^eps times more likely if the true one is among them",
          "Ye, Barg (2018); Wang et al. (2016)",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level"},
           {"size", FieldKind::kInteger, false, "d; by default the integer nearest to k / (e^eps + 1), at least 1"}},
          build,
          false,
          true};
}

}  // namespace oddsbound::mechanisms::subset_selection

// dBitFlip (Ding, Kulkarni and Yekhanin 2017, for a single report): d of the k inputs are drawn at random and
// published. With each of them comes a bit, whether it is the true input, which is right with odds e^(epsilon / 2).

namespace oddsbound::mechanisms::d_bit_flip {

namespace {

using subset_selection::Subsets;

// An output is a set and a bit for each of its members, in their order: set << d | bits, the first member's bit
// highest.
struct Outputs {
  Domain domain;
  Subsets sets;
  std::uint64_t bits;

  std::uint64_t number() const { return sets.number() << bits; }
  std::uint64_t word(std::uint64_t y) const { return y & ((std::uint64_t{1} << bits) - 1); }
  bool bit(std::uint64_t y, std::size_t place) const { return (y >> (bits - 1 - place) & 1) == 1; }
};

// Slots: three per number of ones, for inputs outside of the set, members with a one, and members with a zero.
enum Membership : std::uint32_t { kOutside = 0, kOne = 1, kZero = 2 };

std::uint32_t slot_of(std::uint64_t ones, Membership membership) {
  return static_cast<std::uint32_t>(3 * ones) + membership;
}

struct Rule {
  Outputs outputs;

  auto at(std::uint64_t y) const {
    const auto ones = static_cast<std::uint64_t>(std::popcount(outputs.word(y)));
    std::vector<std::uint32_t> slots(outputs.domain.inputs(), slot_of(ones, kOutside));
    const std::vector<std::uint64_t> members = outputs.sets.at(y >> outputs.bits);
    for (std::size_t i = 0; i < members.size(); ++i) {
      slots[members[i]] = slot_of(ones, outputs.bit(y, i) ? kOne : kZero);
    }
    return [slots = std::move(slots)](std::uint64_t x) { return slots[x]; };
  }
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    const auto ones = static_cast<std::uint64_t>(std::popcount(outputs.word(y)));
    const std::vector<std::uint64_t> members = outputs.sets.at(y >> outputs.bits);
    const auto place = std::lower_bound(members.begin(), members.end(), x);
    if (place == members.end() || *place != x) return slot_of(ones, kOutside);
    return slot_of(ones, outputs.bit(y, static_cast<std::size_t>(place - members.begin())) ? kOne : kZero);
  }
  std::string label(std::uint64_t y) const {
    std::string text;
    const std::vector<std::uint64_t> members = outputs.sets.at(y >> outputs.bits);
    for (std::size_t i = 0; i < members.size(); ++i) {
      text += (i == 0 ? "" : " ") + input_label(outputs.domain, members[i]) + (outputs.bit(y, i) ? ":1" : ":0");
    }
    return text;
  }
};

// The probability that a bit is right, and that it is wrong.
struct Odds {
  Number right, wrong;
};

std::vector<Number> values_of(const Outputs& outputs, const Odds& odds) {
  const auto d = static_cast<std::int64_t>(outputs.bits);
  const Number set = Number(1) / whole(outputs.sets.number());
  const auto others = [&](std::int64_t zeros, std::int64_t ones) {
    return zeros < 0 || ones < 0 ? Number(0) : set * odds.right.pow(zeros) * odds.wrong.pow(ones);
  };
  std::vector<Number> values;
  for (std::int64_t ones = 0; ones <= d; ++ones) {
    values.push_back(others(d - ones, ones));
    values.push_back(odds.right * others(d - ones, ones - 1));
    values.push_back(odds.wrong * others(d - ones - 1, ones));
  }
  return values;
}

// A kind of output for two inputs: which of them are in the set, and their bits.
struct PairKind {
  std::uint64_t set;  // SetKind
  bool first, second;
};

// The other members of the set have the same bits for both inputs, so they are left out.
PairClass pairs_of(const Outputs& outputs, const Odds& odds) {
  const std::uint64_t k = outputs.domain.input_numbers(), d = outputs.bits;
  const Number pairs = whole(k) * whole(k - 1);
  PairClass result{0, 1, std::vector<std::vector<PairedOutputs>>(1), {}};
  std::vector<PairKind> kinds;
  const auto add = [&](const PairKind& kind, const Number& mass, const Number& from, const Number& to) {
    if (mass.is_zero() || (from.is_zero() && to.is_zero())) return;
    kinds.push_back(kind);
    result.parts[0].push_back({mass * from, mass * to});
  };
  const auto &r = odds.right, &w = odds.wrong;
  const Number alone = whole(d) * whole(k - d) / pairs, both = whole(d) * whole(d - 1) / pairs;
  add({subset_selection::kFirstAlone, true, false}, alone, r, w);
  add({subset_selection::kFirstAlone, false, false}, alone, w, r);
  add({subset_selection::kSecondAlone, false, true}, alone, w, r);
  add({subset_selection::kSecondAlone, false, false}, alone, r, w);
  add({subset_selection::kBoth, true, false}, both, r * r, w * w);
  add({subset_selection::kBoth, false, true}, both, w * w, r * r);
  add({subset_selection::kBoth, true, true}, both, r * w, r * w);
  add({subset_selection::kBoth, false, false}, both, r * w, r * w);
  if (d < k)
    add({subset_selection::kNeither, false, false}, whole(k - d) * whole(k - d - 1) / pairs, Number(1), Number(1));
  result.output = [=](std::uint64_t from, std::uint64_t to, std::span<const std::size_t> chosen) {
    const PairKind& kind = kinds[chosen[0]];
    const std::vector<std::uint64_t> members = subset_selection::least_set(d, kind.set, from, to);
    std::uint64_t bits = 0;
    for (const std::uint64_t member : members) {
      const bool one = (member == from && kind.first) || (member == to && kind.second);
      bits = bits << 1 | (one ? 1 : 0);
    }
    return std::vector{outputs.sets.rank(members) << d | bits};
  };
  return result;
}

class Flipping final : public Sampler {
 public:
  Flipping(Outputs outputs, const Number& right) : outputs_(std::move(outputs)), right_(right) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = mechanisms::draw(UniformBelow(outputs_.sets.number()), source);
    for (const std::uint64_t member : outputs_.sets.at(output[0])) {
      const bool right = right_(source) == 1;
      output[0] = output[0] << 1 | (right == (member == x) ? 1 : 0);
    }
  }

 private:
  Outputs outputs_;
  Bernoulli right_;
};

// Each member of the set stands for k/d inputs, and others carry no information (Section 3 of the paper).
class BitEstimator final : public ShareEstimator {
 public:
  BitEstimator(Outputs outputs, const Odds& odds)
      : ShareEstimator(outputs.domain),
        outputs_(std::move(outputs)),
        one_(whole(outputs_.domain.inputs()) / whole(outputs_.bits) * odds.right / (odds.right - odds.wrong)),
        zero_(-(whole(outputs_.domain.inputs()) / whole(outputs_.bits)) * odds.wrong / (odds.right - odds.wrong)) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    const std::vector<std::uint64_t> members = outputs_.sets.at(output[0] >> outputs_.bits);
    const auto place = std::lower_bound(members.begin(), members.end(), j);
    if (place == members.end() || *place != j) return Number(0);
    return outputs_.bit(output[0], static_cast<std::size_t>(place - members.begin())) ? one_ : zero_;
  }

 private:
  Outputs outputs_;
  Number one_, zero_;
};

Odds odds_of(const Level& epsilon) {
  const Number right = half_odds_share(epsilon, "epsilon", "d_bit_flip");
  return {right, Number(1) - right};
}

Outputs outputs_of(const Domain& domain, const Arguments& arguments) {
  constexpr std::int64_t kMostBits = 62;
  const std::uint64_t k = domain.inputs();
  const auto most = static_cast<std::int64_t>(std::min<std::uint64_t>(k, kMostBits));
  const auto bits = arguments.get<std::int64_t>("bits");
  if (bits < 1 || bits > most) {
    throw ParameterError("bits", "found " + std::to_string(bits) + ", expected an integer from 1 to " +
                                     std::to_string(most) + " for " + std::to_string(k) + " inputs");
  }
  Outputs outputs{domain, Subsets(k, static_cast<std::uint64_t>(bits)), static_cast<std::uint64_t>(bits)};
  if (outputs.sets.number() > std::uint64_t{1} << (kMostBits - bits)) {
    throw LimitError("d_bit_flip has more than 2^62 outputs for so many inputs");
  }
  return outputs;
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Odds odds = odds_of(arguments.get<Level>("epsilon"));
  const Outputs outputs = outputs_of(domain, arguments);
  Mechanism result;
  result.channel = rule_channel(domain.inputs(), outputs.number(), values_of(outputs, odds), Rule{outputs},
                                [=] { return pairs_of(outputs, odds); });
  result.sampler = std::make_shared<const Flipping>(outputs, odds.right);
  if (is_informative(arguments.get<Level>("epsilon"))) {
    result.estimator = std::make_shared<const BitEstimator>(outputs, odds);
  }
  return result;
}

}  // namespace

Family family() {
  return {"d_bit_flip",
          "d random inputs, each with a bit: whether it is the true one, right with odds e^(eps/2)",
          "Ding, Kulkarni, Yekhanin (2017)",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level for d > 1 (e^(eps/2) must be exact); eps/2 for d = 1"},
           {"bits", FieldKind::kInteger, true, "d"}},
          build,
          false,
          true};
}

}  // namespace oddsbound::mechanisms::d_bit_flip
