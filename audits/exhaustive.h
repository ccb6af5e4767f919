// The exhaustive check of a sampler: a proof, not statistics.
//
// The sampler's own code is replayed on every sequence of outcomes of its random choices. Each choice states its
// distribution. That distribution is proved from the choice's code in turn, down to random words: by the same replay,
// along every branch (follow_branches), or by induction (induction.h). The result is an interval per input and output
// that must contain the channel's entry.
//
// Rejection loops are replayed once and divided by the accepted mass. Other unbounded loops are cut off where less
// than a given mass remains.
#pragma once

#include <string>
#include <vector>

#include "audits/outcomes.h"
#include "audits/question.h"
#include "base/budget.h"
#include "mechanisms/sampler.h"

namespace oddsbound::audits {

/// One entry: the stated probability, and the interval that contains the probability of the code.
struct CheckedEntry {
  std::uint64_t input = 0;
  std::uint64_t output = 0;
  Number stated, lower, upper;
  bool contained() const { return lower <= stated && stated <= upper; }
};

/// A choice that the sampler makes, and the result of checking its code.
struct CheckedChoice {
  std::string what;
  ShownBy by = ShownBy::kNothing;
  std::string reason{};  // for kNothing
  std::uint64_t runs = 0;
  Number widest{};                      // the widest interval of a probability
  std::vector<CheckedEntry> differs{};  // outcomes with another probability than stated
};

struct ExhaustiveResult {
  std::uint64_t runs = 0;
  std::uint64_t entries = 0;
  Number widest;                      // the widest interval
  std::vector<CheckedEntry> differs;  // entries of the channel outside their intervals
  std::vector<CheckedEntry> intervals;
  std::vector<CheckedChoice> choices;  // all choices of the sampler, in the order they were met
  std::size_t parts = 0;               // parts of too large products that were replayed alone
  std::uint64_t inputs = 0;            // inputs of such products
  std::uint64_t composed = 0;          // inputs for which the composition was followed

  /// True if no difference was found.
  bool passed() const;
  /// The choices about which nothing was proved.
  std::vector<const CheckedChoice*> exceptions() const;
};

/// Replays the sampler for every input of the channel. Throws LimitError if the budget is exceeded, ModelError if the
/// sampler cannot be replayed.
ExhaustiveResult check_exhaustively(const Channel& channel, const Sampler& sampler, const ExhaustiveOptions& options,
                                    Budget& budget);

// Claims that the audit does not play against

/// Removes the questions without a claim that should hold. Returns the claims that are removed with them and the
/// claims without a question.
std::vector<ClaimLeftOut> leave_out(AskedClaims& asked, const Spec& spec);

/// Returns the claims that none of these questions is about. reasons: the known ones, by claim.
std::vector<ClaimLeftOut> unasked_claims(const std::vector<Question>& questions, const Spec& spec,
                                         const std::map<std::size_t, std::string>& reasons = {});

}  // namespace oddsbound::audits
