// Audits in words, the same in every report.
#pragma once

#include <string>
#include <vector>

#include "results/audit_result.h"

namespace oddsbound::results {

/// What is said of an audit as a whole; lines without indentation.
std::vector<std::string> summary_lines(const AuditResult& audit);
/// For a terminal: what was audited, and all that was found.
std::string audit_text(const AuditResult& audit);
/// "120 of 200 guesses right, ...": what a bound rests on.
std::string game_words(const AuditedLevel& level, const StatisticalAudit& audit);
/// The exact level of the stated channel: as text, or rounded up where that is for others; empty if it is not known.
std::string exact_level_words(const AuditedLevel& level);
/// "built in", "the program ...", "recorded runs, file"
std::string sampler_words(const AuditResult& audit);
/// "99 %"
std::string confidence_words(double error);

/// An indented line about a claim that nobody plays against.
std::string left_out_words(const ClaimLeftOut& claim);

/// The parts of it, indented: how many runs there were, the bounds that they show, whether they agree with the stated
/// channel; what was derived from the code.
std::string runs_text(const AuditResult& audit);
std::string bounds_text(const StatisticalAudit& audit);
std::string agreement_text(const AuditResult& audit);
std::string derivation_text(const AuditResult& audit);

}  // namespace oddsbound::results
