// How the least loss falls as limits get wider: the same program with one number t in place of e^level. A basis that is
// best at one t is so up to where an entry or a price would change its sign, and the best mechanism is a rational
// function of t until there. Whether a basis is best at a t is decided exactly.
#pragma once

#include <functional>

#include "verifier/optimal/program.h"

namespace oddsbound::optimal {

struct CurveStep {
  Number t, loss;
  bool turns = false;    // what was best for smaller t is not best beyond here: between the step before and this one
  bool exactly = false;  // it is best at this very t, and so is what is best beyond
};

/// Losses at rising t, the first and the last among them. Where what is best turns, steps on both sides are there, no
/// farther apart than 2^-20 of t; or the very t, where that is a fraction of few digits. The loss does not rise with t,
/// so between two steps it lies between theirs. at: what is wanted for t, of which limits' bounds alone depend on it.
/// Throws LimitError past the budget.
std::vector<CurveStep> loss_curve(const std::function<Wanted(const Number& t)>& at, const Number& from,
                                  const Number& to, Budget& budget);

}  // namespace oddsbound::optimal
