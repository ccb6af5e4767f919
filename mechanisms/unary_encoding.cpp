// Unary encoding: the input as one bit among k, each bit flipped on its own. Symmetric (basic RAPPOR: both kinds of bit
// flipped alike) or optimized (Wang, Blocki, Li, Jha 2017: the one bit is kept with probability 1/2).
#include "mechanisms/bit_strings.h"
#include "mechanisms/family.h"
#include "mechanisms/formulas.h"
#include "mechanisms/random/categorical.h"
#include "verifier/exact/rational_power.h"

namespace oddsbound::mechanisms::unary_encoding {

namespace {

struct Bits {
  Number own, other;
};

Bits bits_of(const Arguments& arguments) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  if (arguments.find<std::string>("variant").value_or("optimized") == "optimized") {
    return {Number::ratio(1, 2), Number(1) - odds_share(epsilon, Number(1), Number(1))};
  }
  if (epsilon.is_infinite()) return {Number(1), Number(0)};
  try {
    const Number root = rational_power(epsilon.exponential(), Number::ratio(1, 2));
    return {root / (root + Number(1)), Number(1) / (root + Number(1))};
  } catch (const NumberError&) {
    throw ParameterError("epsilon", "the symmetric variant needs e^(epsilon/2), which for " + epsilon.to_string() +
                                        " cannot be written exactly; twice a level can, as in 2*log(2)");
  }
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Bits bits = bits_of(arguments);
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
          build};
}

}  // namespace oddsbound::mechanisms::unary_encoding
