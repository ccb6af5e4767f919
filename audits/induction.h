// Proves that uniform choices are uniform, for every n and words of full width at once: by induction on the number of
// words drawn, with Z3 for the steps. Enumerating all words of full width is impossible.
//
// Let u be the real number in [0, 1) whose digits are the words, U_k the integer of the first k words, and W =
// 2^width. The state after k words with an open carry is (whole, fraction) with
//
//     n U_k = (whole + 1) W^k - W + fraction.                                                   (*)
//
// Since U_k <= W^k u < U_k + 1, the floor of n u is whole if n U_k + n <= (whole + 1) W^k and n U_k >= whole W^k. It
// is whole + 1 if (whole + 1) W^k <= n U_k and n u < whole + 2. The lemmas, for all n, all states and all words:
//
// - first: word n = whole W + fraction, which is (*) for k = 1. If the step reports whole as certain, then word n + n
//   <= (whole + 1) W. Otherwise word n + n <= (whole + 2) W, so that n u < whole + 2.
// - next: with S = W fraction + word n, (*) gives n U_(k+1) = (whole + 1) W^(k+1) - W^2 + S. No carry: S + n <= W^2.
//   Carry: S >= W^2. Still open: S + W = W^2 + the new fraction, which is (*) for k + 1, and neither other case
//   holds. So at most one word in W leaves the carry open, and the loop ends with probability 1.
//
// The lemmas are about the code of UniformStep itself, run on solver terms (features.h). The remaining step is
// elementary: the floor of n u is uniform if u is.
#pragma once

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
  std::string reason;    // if not proved: the lemma with values, or the limit
};

/// A run of the step on terms: collects the formulas that would contradict each lemma.
struct StepLemmas {
  TermRun run;
  std::vector<std::pair<std::string, std::string>> violations;  // name, and the formula that must be unsatisfiable
  unsigned width;
};

/// Returns Z3's answer whether any violation is satisfiable; for this n alone if n is given.
InductionProof decide_lemmas(const StepLemmas& lemmas, std::optional<std::uint64_t> n, const ChildLimits& limits);

/// Add what contradicts the lemmas after a run of `first` or `next`.
void add_first(StepLemmas& lemmas, const std::string& whole, const std::string& fraction, bool certain);
void add_next(StepLemmas& lemmas, const std::string& fraction, Carry carry);

/// Proves the lemmas for the code of a step with the interface of UniformStep.
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

/// Returns the proof for the step in use, at its width of words. Made once per process, unless a limit was reached.
InductionProof uniform_choices_proof(const ChildLimits& limits);

// Branch following, for code that only compares the integers it draws (mechanisms/random/choice.h). Each run stands
// for all integers that take the same branches: a range of each integer. So its mass is an exact rational.

/// The mass of each outcome and the mass cut off. The last entry of `outcomes` is the mass of all outcomes that the
/// choice does not have.
struct BranchedDistribution {
  std::vector<Number> outcomes;
  Number cut;
  std::uint64_t runs = 0;
};

/// Follows all branches of choice.compare. Returns nullopt if its code does more than compare. A run is cut off if it
/// draws again with a mass below 2^-cut_bits. Throws LimitError if the budget is exceeded.
std::optional<BranchedDistribution> follow_branches(const Choice& choice, unsigned cut_bits, ChoiceRegistry& registry,
                                                    Budget& budget);

}  // namespace oddsbound::audits
