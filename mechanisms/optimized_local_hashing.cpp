// Optimized local hashing (Wang, Blocki, Li, Jha 2017): a public random hash function maps the input to one of g
// buckets, which is released by randomized response.
//
// The hash functions are h(x) = ((a x + b) mod p) mod g for 1 <= a < p, 0 <= b < p, where p is the least prime not
// below the number of inputs and g. For two different inputs x, x' the pair (a x + b, a x' + b) mod p takes every
// pair of different residues equally often. So all pairs of inputs collide with the same probability, and the
// estimator is exact.
#include <algorithm>
#include <map>

#include "mechanisms/family.h"
#include "mechanisms/k_randomized_response.h"
#include "mechanisms/random/distributions.h"

namespace oddsbound::mechanisms::optimized_local_hashing {

namespace {

bool is_prime(std::uint64_t n) {
  for (std::uint64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n >= 2;
}

std::uint64_t prime_from(std::uint64_t n) {
  while (!is_prime(n)) ++n;
  return n;
}

struct Hashes {
  std::uint64_t prime, buckets;

  std::uint64_t number() const { return prime * (prime - 1); }
  /// The bucket of an input under hash function number h = (a - 1) * prime + b.
  std::uint64_t bucket(std::uint64_t h, std::uint64_t x) const { return residue(h, x) % buckets; }
  /// The hash function that maps two different inputs to these residues, which are different.
  std::uint64_t mapping(std::uint64_t x, std::uint64_t to, std::uint64_t other_x, std::uint64_t other_to) const {
    const std::uint64_t difference = (x + prime - other_x) % prime;
    std::uint64_t a = (to + prime - other_to) % prime;
    for (std::uint64_t power = difference, left = prime - 2; left > 0; left /= 2) {  // Fermat: 1/x = x^(p-2)
      if (left % 2 == 1) a = a * power % prime;
      power = power * power % prime;
    }
    return (a - 1) * prime + (to + prime - a * x % prime) % prime;
  }
  /// The probability that two different inputs share a bucket.
  Number collision() const {
    std::uint64_t pairs = 0;
    for (std::uint64_t r = 0; r < buckets; ++r) {
      const std::uint64_t size = prime / buckets + (r < prime % buckets ? 1 : 0);
      pairs += size * (size - 1);
    }
    return whole(pairs) / whole(number());
  }

 private:
  std::uint64_t residue(std::uint64_t h, std::uint64_t x) const { return ((h / prime + 1) * x + h % prime) % prime; }
};

struct Rule {
  Hashes hashes;
  bool supports(std::uint64_t x, std::uint64_t y) const {
    return hashes.bucket(y / hashes.buckets, x) == y % hashes.buckets;
  }
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const { return supports(x, y) ? 0 : 1; }
  std::string label(std::uint64_t y) const {
    const std::uint64_t h = y / hashes.buckets;
    return "(" + std::to_string(h / hashes.prime + 1) + "," + std::to_string(h % hashes.prime) + "," +
           std::to_string(y % hashes.buckets) + ")";
  }
};

// Outputs of a pair: the bucket of the first input alone, of the second one alone, of both, and of neither.
PairClass pairs_of(const Hashes& hashes, const Number& truth, const Number& lie) {
  const std::uint64_t g = hashes.buckets;
  const Number collide = hashes.collision(), differ = Number(1) - collide;
  const Number both = collide * truth;
  const Number neither = (collide * whole(g - 1) + differ * whole(g - 2)) * lie;
  return {0,
          1,
          {{{differ * truth, differ * lie}, {differ * lie, differ * truth}, {both, both}, {neither, neither}}},
          [=](std::uint64_t from, std::uint64_t to, std::span<const std::size_t> kinds) {
            // Residues 0 and 1 are in buckets 0 and 1, and residue g is in bucket 0.
            const bool collides = kinds[0] == 2 || (kinds[0] == 3 && g == 2);
            const std::uint64_t bucket = kinds[0] < 2 ? kinds[0] : kinds[0] == 2 ? 0 : collides ? 1 : 2;
            return std::vector{hashes.mapping(from, 0, to, collides ? g : 1) * g + bucket};
          }};
}

// The number of outputs (hash function and bucket) by how many inputs are in the bucket. Residues 0 to p - 1 fill the
// buckets evenly; those of x = inputs, ..., p - 1 are missing. Returns nothing if these are too many to count.
std::map<std::uint64_t, std::uint64_t> buckets_by_size(const Hashes& hashes, std::uint64_t inputs) {
  constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 28;  // about a second
  const std::uint64_t p = hashes.prime, g = hashes.buckets, missing = p - inputs;
  if (missing > 0 && hashes.number() > kMostSteps / missing) return {};
  const auto full = [&](std::uint64_t bucket) { return p / g + (bucket < p % g ? 1 : 0); };
  std::map<std::uint64_t, std::uint64_t> outputs;
  for (std::uint64_t bucket = 0; bucket < g; ++bucket) outputs[full(bucket)] += hashes.number();
  std::vector<std::uint64_t> left_out;
  for (std::uint64_t h = 0; h < (missing > 0 ? hashes.number() : 0); ++h) {
    left_out.clear();
    for (std::uint64_t x = inputs; x < p; ++x) left_out.push_back(hashes.bucket(h, x));
    std::sort(left_out.begin(), left_out.end());
    for (std::size_t begin = 0, end = 0; begin < left_out.size(); begin = end) {
      while (end < left_out.size() && left_out[end] == left_out[begin]) ++end;
      --outputs[full(left_out[begin])];
      ++outputs[full(left_out[begin]) - (end - begin)];
    }
  }
  return outputs;
}

std::vector<OutputClass> outputs_of(const Hashes& hashes, std::uint64_t inputs, const Number& truth,
                                    const Number& lie) {
  std::vector<OutputClass> classes;
  for (const auto& [size, outputs] : buckets_by_size(hashes, inputs)) {
    const Number inside = whole(size) / whole(inputs), outside = Number(1) - inside;
    const Number mean = inside * truth + outside * lie;
    if (outputs == 0 || mean.is_zero()) continue;
    OutputClass& own = classes.emplace_back(OutputClass{whole(outputs) * mean / whole(hashes.number()), {}});
    if (!inside.is_zero()) own.likelihoods.push_back({inside, truth / mean});
    if (!outside.is_zero()) own.likelihoods.push_back({outside, lie / mean});
  }
  return classes;
}

class Hashing final : public Sampler {
 public:
  Hashing(const Hashes& hashes, const Number& truth) : hashes_(hashes), truth_(truth) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const std::uint64_t a = mechanisms::draw(UniformBelow(hashes_.prime - 1), source);
    const std::uint64_t b = mechanisms::draw(UniformBelow(hashes_.prime), source);
    const std::uint64_t h = a * hashes_.prime + b;
    std::uint64_t y = hashes_.bucket(h, x);
    if (truth_(source) == 0) {
      const std::uint64_t other = mechanisms::draw(UniformBelow(hashes_.buckets - 1), source);
      y = other + (other >= y ? 1 : 0);
    }
    output[0] = h * hashes_.buckets + y;
  }

 private:
  Hashes hashes_;
  Bernoulli truth_;
};

std::uint64_t chosen_buckets(const Level& epsilon, const Arguments& arguments) {
  constexpr std::int64_t kMost = 1'000'000;
  std::int64_t buckets = 0;
  if (const auto given = arguments.find<std::int64_t>("buckets")) {
    buckets = *given;
  } else if (epsilon.is_infinite()) {
    throw ParameterError("epsilon", "an infinite epsilon needs the number of 'buckets'");
  } else {
    buckets = std::max<std::int64_t>(2, nearest_integer(epsilon.exponential() + Number(1)));
  }
  if (buckets < 2 || buckets > kMost) {
    throw ParameterError("buckets", "found " + std::to_string(buckets) + " buckets, expected 2 to 1000000");
  }
  return static_cast<std::uint64_t>(buckets);
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const std::uint64_t g = chosen_buckets(epsilon, arguments);
  const std::uint64_t k = domain.input_numbers();
  constexpr std::uint64_t kMostSquared = std::uint64_t{1} << 31, kMostOutputs = std::uint64_t{1} << 62;
  const auto fail = [] { throw LimitError("optimized_local_hashing has more than 2^62 outputs for so many inputs"); };
  if (std::max(k, g) > kMostSquared) fail();
  const Hashes hashes{prime_from(std::max({k, g, std::uint64_t{2}})), g};
  if (hashes.number() > kMostOutputs / g) fail();
  const Number truth = odds_share(epsilon, Number(1), whole(g - 1));
  const Number lie = (Number(1) - truth) / whole(g - 1);
  const Rule rule{hashes};
  Mechanism result;
  result.channel = rule_channel(
      k, hashes.number() * g, {truth / whole(hashes.number()), lie / whole(hashes.number())}, rule,
      [=] { return pairs_of(hashes, truth, lie); }, [=] { return outputs_of(hashes, k, truth, lie); });
  result.sampler = std::make_shared<const Hashing>(hashes, truth);
  const Number collision = hashes.collision();
  result.estimator =
      event_estimator(domain, truth, collision * truth + (Number(1) - collision) * lie,
                      [rule](std::uint64_t j, std::span<const std::uint64_t> y) { return rule.supports(j, y[0]); });
  return result;
}

}  // namespace

Family family() {
  return {"optimized_local_hashing",
          "a random affine hash function and the bucket of the input under it, by randomized response",
          "Wang, Blocki, Li, Jha (2017)",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level"},
           {"buckets", FieldKind::kInteger, false, "by default the integer nearest to e^eps + 1, at least 2"}},
          build,
          false,
          true};
}

}  // namespace oddsbound::mechanisms::optimized_local_hashing
