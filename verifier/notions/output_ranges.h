// A summary of a claim's bare definition by ranges of outputs: the largest quotient of each range and where it is
// attained. Each range can be recomputed alone; the claim holds if no quotient exceeds its level. Certificates
// consist of these (reports/claim_certificate.h). Works for every notion with a definition, without its name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/model/definition.h"
#include "verifier/model/model.h"

namespace oddsbound::notions {

/// Where the quotient of two sides is largest.
struct LargestQuotient {
  std::string label;  // of the output
  Label from, to;
  Evidence given;
  Number p_from, p_to;  // P(output given either side)
};
/// The outputs [begin, end), by number. No quotient if all are 0/0 or nothing is compared.
struct RangeMaximum {
  OutputRange outputs;
  std::optional<LargestQuotient> largest;
};
/// For one side: the largest sum over outputs of max(p - e^level q, 0) against another side.
struct LargestExcess {
  Label from;
  Evidence given;
  Label to;
  Number sum;
};
/// Summarizes the comparisons about one coordinate, those at one level, or (both empty) all of them.
struct ComparedLevel {
  std::string coordinate;
  std::string level;                    // exact, in the grammar; equal levels have equal text
  std::vector<RangeMaximum> ranges;     // every output once, in order
  std::vector<LargestExcess> excesses;  // for a delta, in place of ranges: one per compared side
};

/// Returns the summaries. Throws LimitError if there are too many inputs and outputs, or pairs of them, and past
/// the subject's budget. No compared pair may exceed a claimed level infinitely: a quotient p/0 has no largest one
/// beside it.
std::vector<ComparedLevel> compared_levels(MeasuredModel& subject, const Definition& definition);

/// Returns the characters of the written form, or slightly more.
std::size_t written_size(const ComparedLevel& level);

}  // namespace oddsbound::notions
