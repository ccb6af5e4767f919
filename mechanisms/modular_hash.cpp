// A hash function that is chosen by a seed: h(x) = ((a x + b) mod p) mod g, for a seed (a - 1) p + b with 1 <= a < p
// and 0 <= b < p (Carter and Wegman 1979). It draws nothing. With `public` and randomized response on the bucket it is
// local hashing.
#include "mechanisms/family.h"
#include "mechanisms/k_randomized_response.h"
#include "mechanisms/mechanism.h"

namespace oddsbound::mechanisms::modular_hash {

namespace {

constexpr std::int64_t kMostPrime = 1000;  // at most a million seeds

struct Rule {
  std::uint64_t prime, buckets, values;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    const std::uint64_t seed = x / values, value = x % values;
    const std::uint64_t a = seed / prime + 1, b = seed % prime;
    return (a * value + b) % prime % buckets == y ? 1 : 0;
  }
  std::string label(std::uint64_t y) const { return std::to_string(y); }
};

class Hash final : public Sampler {
 public:
  explicit Hash(const Rule& rule) : rule_(rule) {}
  void draw(std::uint64_t x, RandomSource&, std::span<std::uint64_t> output) const override {
    output[0] = 0;
    while (rule_.slot(x, output[0]) == 0) ++output[0];
  }

 private:
  Rule rule_;
};

std::uint64_t integer_from(const Arguments& arguments, const std::string& name, std::int64_t least, std::int64_t most) {
  const auto value = arguments.get<std::int64_t>(name);
  if (value < least || value > most) {
    throw ParameterError(name, "found " + std::to_string(value) + ", expected an integer from " +
                                   std::to_string(least) + " to " + std::to_string(most));
  }
  return static_cast<std::uint64_t>(value);
}

bool is_prime(std::uint64_t n) {
  for (std::uint64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n >= 2;
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const std::uint64_t prime = integer_from(arguments, "prime", 2, kMostPrime);
  if (!is_prime(prime)) {
    throw ParameterError("prime", "found " + std::to_string(prime) + ", which is not a prime");
  }
  const std::uint64_t buckets = integer_from(arguments, "buckets", 1, static_cast<std::int64_t>(prime));
  const std::uint64_t seeds = prime * (prime - 1), inputs = domain.inputs();
  if (domain.size() < 2 || domain.values(0) != seeds) {
    throw ModelError("modular_hash needs a first coordinate with " + std::to_string(seeds) +
                     " values, the seeds for this prime, and at least one more");
  }
  if (inputs / seeds > prime) {
    throw ModelError("modular_hash is for at most as many values as the prime, " + std::to_string(prime) +
                     ", and there are " + std::to_string(inputs / seeds));
  }
  const Rule rule{prime, buckets, inputs / seeds};
  Mechanism result;
  result.channel = rule_channel(inputs, buckets, {Number(0), Number(1)}, rule);
  result.sampler = std::make_shared<const Hash>(rule);
  return result;
}

}  // namespace

Family family() {
  return {"modular_hash",
          "a bucket of the input, by the hash function ((a x + b) mod p) mod g that the first coordinate chooses",
          "Carter, Wegman (1979)",
          {{"prime", FieldKind::kInteger, true, "p, at most 1000; the first coordinate has p (p - 1) values"},
           {"buckets", FieldKind::kInteger, true, "g, at most p"}},
          build};
}

}  // namespace oddsbound::mechanisms::modular_hash
