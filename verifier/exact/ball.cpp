#include "verifier/exact/ball.h"

#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

Ball::Ball(const Number& number, slong bits) : Ball() { enclose_number(value_, number, bits); }

double Ball::edge(bool upper) const {
  arf_t bound;
  arf_init(bound);
  (upper ? arb_get_ubound_arf : arb_get_lbound_arf)(bound, value_, kBits);
  const double result = arf_get_d(bound, upper ? ARF_RND_CEIL : ARF_RND_FLOOR);
  arf_clear(bound);
  return result;
}

void add_log(Ball& sum, std::int64_t weight, const Number& argument) {
  Ball term;
  enclose_number(term.get(), argument, Ball::kBits);
  arb_log(term.get(), term.get(), Ball::kBits);
  arb_addmul_si(sum.get(), term.get(), weight, Ball::kBits);
}

void add_log_likelihood(Ball& sum, std::uint64_t n, std::uint64_t c, double q) {
  Ball term, share(q);
  arb_log(term.get(), share.get(), Ball::kBits);
  arb_addmul_ui(sum.get(), term.get(), c, Ball::kBits);
  if (n == c) return;
  arb_sub_ui(term.get(), share.get(), 1, Ball::kBits);
  arb_neg(term.get(), term.get());
  arb_log(term.get(), term.get(), Ball::kBits);
  arb_addmul_ui(sum.get(), term.get(), n - c, Ball::kBits);
}

void log_gamma_of_half(Ball& result, std::uint64_t twice) {
  arb_set_ui(result.get(), twice);
  arb_mul_2exp_si(result.get(), result.get(), -1);
  arb_lgamma(result.get(), result.get(), Ball::kBits);
}

}  // namespace oddsbound::exact
