// The proof that uniform choices are uniform, for every n at once and words of full width: by induction on the number
// of words drawn, with Z3 for the steps.
//
// Let u be the real whose digits are the words, U_k the integer of the first k words, and W = 2^width. The state after
// k words with the carry open is (whole, fraction) with
//
//     n U_k = (whole + 1) W^k - W + fraction.                                                   (*)
//
// Since U_k <= W^k u < U_k + 1, the floor of n u is whole if n U_k + n <= (whole + 1) W^k and n U_k >= whole W^k, and
// it is whole + 1 if (whole + 1) W^k <= n U_k and n u < whole + 2. The lemmas, for all n, all states and all words:
//
//   first:  word n = whole W + fraction, which is (*) for k = 1; if it says that whole is certain, word n + n <= (whole
//   +
//           1) W; if not, word n + n <= (whole + 2) W, so that n u < whole + 2.
//   next:   with S = W fraction + word n, (*) makes n U_(k+1) = (whole + 1) W^(k+1) - W^2 + S. No carry: S + n <= W^2.
//           A carry: S >= W^2. Still open: S + W = W^2 + the new fraction, which is (*) for k + 1, and neither of the
//           others holds, so that at most one word in W leaves it open, and the words end with probability one.
//
// The lemmas are about UniformStep's code itself (features.h). That the floor of n u is uniform if u is, is all that is
// left.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "audits/features.h"
#include "audits/replay.h"
#include "base/budget.h"
#include "base/child.h"
#include "mechanisms/random/choice.h"

namespace oddsbound::audits {

struct InductionProof {
  bool proved = false;
  bool refuted = false;  // a lemma does not hold; else a limit was reached
  std::string reason;    // if not proved: the lemma, with values; or the limit
};

/// How a step is run on terms: it states what would contradict each lemma.
struct StepLemmas {
  TermRun run;
  std::vector<std::pair<std::string, std::string>> violations;  // a name, and the formula that must have no solution
  unsigned width;
};

/// Z3's answer to whether any violation has a solution; with n given, whether it has for this n alone.
InductionProof decide_lemmas(const StepLemmas& lemmas, std::optional<std::uint64_t> n, const ChildLimits& limits);

/// What contradicts the lemmas after a run of `first` or `next`.
void add_first(StepLemmas& lemmas, const std::string& whole, const std::string& fraction, bool certain);
void add_next(StepLemmas& lemmas, const std::string& fraction, Carry carry);

/// Proves the lemmas for the code of a step, which is UniformStep or like it.
template <class Step>
InductionProof prove_uniform(unsigned width, std::optional<std::uint64_t> n, const ChildLimits& limits) {
  StepLemmas lemmas;
  lemmas.width = width;
  const TermWord word(lemmas.run, "word"), count(lemmas.run, "n"), before(lemmas.run, "fraction");
  do {
    lemmas.run.restart();
    const auto begun = Step::template first<TermWord>(word, count, width);
    add_first(lemmas, begun.whole.text(), begun.fraction.text(), begun.certain);
  } while (lemmas.run.advance());
  do {
    lemmas.run.restart();
    TermWord fraction = before;
    const Carry carry = Step::template next<TermWord>(word, count, width, fraction);
    add_next(lemmas, fraction.text(), carry);
  } while (lemmas.run.advance());
  return decide_lemmas(lemmas, n, limits);
}

/// The proof for the step that runs, at the width of words that it runs with. Made once in a process, unless a limit
/// was reached.
InductionProof uniform_choices_proof(const ChildLimits& limits);

// Follows code that only compares the integers it draws (mechanisms/random/choice.h) along every branch. Each run
// stands for all integers that take it: a range of each, so its mass is a rational that is known exactly.

/// The mass of each outcome, the last that of all outcomes which the choice does not have, and of what was cut off.
struct BranchedDistribution {
  std::vector<Number> outcomes;
  Number cut;
  std::uint64_t runs = 0;
};

/// All branches of choice.compare; none if its code does more than compare. A run is cut off where it draws on with a
/// mass below 2^-cut_bits. Throws LimitError past the budget.
std::optional<BranchedDistribution> follow_branches(const Choice& choice, unsigned cut_bits, ChoiceRegistry& registry,
                                                    Budget& budget);

}  // namespace oddsbound::audits
