// The exhaustive check of a sampler: proof, not statistics.
//
// The sampler's own code is replayed on every sequence of outcomes of the choices it makes. Each choice states its
// distribution, which is shown of its code in turn, down to random words: by replaying it in the same way, along every
// branch (branches.h), or by induction (induction.h). What results is, for every input and output, an interval that
// must contain the channel's entry. Loops that draw again until they accept are replayed once and divided by what they
// accept; other unbounded loops are cut off where less than a given mass remains.
#pragma once

#include <string>
#include <vector>

#include "audits/outcomes.h"
#include "audits/question.h"
#include "base/budget.h"
#include "base/child.h"
#include "mechanisms/sampler.h"

namespace oddsbound::audits {

/// One entry: the probability that is stated and the interval in which the code's probability lies.
struct CheckedEntry {
  std::uint64_t input = 0;
  std::uint64_t output = 0;
  Number stated, lower, upper;
  bool contained() const { return lower <= stated && stated <= upper; }
};

/// A choice that the sampler makes, and what became of checking its code.
struct CheckedChoice {
  std::string what;
  ShownBy by = ShownBy::kNothing;
  std::string reason{};  // of kNothing
  std::uint64_t runs = 0;
  Number widest{};                      // the widest interval of a probability
  std::vector<CheckedEntry> differs{};  // outcomes whose probability is not the stated one
};

struct ExhaustiveOptions {
  unsigned bound_bits = 60;  // what is cut off per input has mass below 2^-bound_bits
  ChildLimits induction{60, 2048};
  bool keep_intervals = false;  // keep the interval of every entry, not only of those that differ
};

struct ExhaustiveResult {
  std::uint64_t runs = 0;
  std::uint64_t entries = 0;
  Number widest;                      // the widest interval
  std::vector<CheckedEntry> differs;  // entries of the channel outside of their intervals
  std::vector<CheckedEntry> intervals;
  std::vector<CheckedChoice> choices;  // all choices the sampler makes, in the order they were met
  std::size_t parts = 0;               // of a product too large to replay as a whole: parts that were replayed alone
  std::uint64_t inputs = 0;            // of such a product, and of those among its parts
  std::uint64_t composed = 0;          // of these: inputs for which it was followed while it drew its parts

  /// Nothing was found that differs.
  bool passed() const;
  /// The choices of which nothing was shown.
  std::vector<const CheckedChoice*> exceptions() const;
};

/// Replays the sampler for every input of the channel. Throws LimitError past the budget, ModelError for a sampler that
/// cannot be replayed.
ExhaustiveResult check_exhaustively(const Channel& channel, const Sampler& sampler, const ExhaustiveOptions& options,
                                    Budget& budget);

// Claims that nobody plays against.

/// Takes the questions without a claim that should hold from the list, and says which claims go with them, and which no
/// question is about.
std::vector<ClaimLeftOut> leave_out(std::vector<Question>& questions, const Spec& spec);

/// Claims that none of these questions is about, and why.
std::vector<ClaimLeftOut> unasked_claims(const std::vector<Question>& questions, const Spec& spec);

}  // namespace oddsbound::audits
