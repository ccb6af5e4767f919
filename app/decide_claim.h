// Who decides a claim: the exact engine, Z3 from the bare definition, or both, which must agree.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/task.h"
#include "reports/spec_result.h"
#include "specs/source_file.h"
#include "specs/spec.h"
#include "verifier/model/model.h"
#include "verifier/smt/solver.h"

namespace oddsbound::app {

/// A claim that nobody could decide.
ClaimResult undecided_claim(const Spec& spec, std::size_t index, const std::string& reason);

/// Decides a claim of the spec that the subject measures. Claims of specs with symbols are always Z3's, and what it
/// refutes is measured by the exact engine at the values it found. A disagreement is added to `disagreements`, and
/// leaves the claim undecided.
ClaimResult decide_claim(const Spec& spec, std::size_t index, MeasuredModel& subject, Engine engine,
                         const SmtOptions& options, std::vector<Disagreement>& disagreements);

/// The same for some claims of the spec, which share passes over the columns.
std::vector<ClaimResult> decide_claims(const Spec& spec, std::span<const std::size_t> which, MeasuredModel& subject,
                                       Engine engine, const SmtOptions& options,
                                       std::vector<Disagreement>& disagreements, bool timings = false);
/// The numbers of all of them.
std::vector<std::size_t> all_claims(const Spec& spec);

// A level as somebody would claim it.

struct MeasuredClaim {
  std::string epsilon;  // in the grammar of levels
  bool tight = false;   // it is the level itself, and not only above it
};

/// The level itself if that is short to write, else rounded up to four decimals; of one that is not known, what it is
/// at most.
MeasuredClaim claim_of(const MeasuredLevel& level);

// The tasks (base/task.h) of what a run works on.

/// Null if there is nobody to share with and nothing is kept; else the limits are those of work within it. `name` is
/// that of no other part of the run, and `content` what its questions are about. Throws std::runtime_error for a
/// checkpoint of other content.
std::unique_ptr<TaskScope> begin_scope(const std::string& name, const Bytes& content, Limits& limits);

/// What files hold that were read, by their hashes.
Bytes content_of(const std::vector<SourceFile>& files);

}  // namespace oddsbound::app
