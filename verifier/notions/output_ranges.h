// What a claim's bare definition comes to, range of outputs by range: who reads the largest quotient of each range, and
// where it is attained, can recompute any of them alone, and the claim holds if none exceeds its level. Certificates
// are made of these (reports/claim_certificate.h). Every notion with a definition has them: none is known here by name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/model/definition.h"
#include "verifier/model/model.h"
#include "verifier/engine/measured_model.h"

namespace oddsbound::notions {

/// Where the quotient of two sides is largest.
struct LargestQuotient {
  std::string label;  // of the output
  Label from, to;
  Evidence given;
  Number p_from, p_to;  // P(output given either side)
};
/// The outputs [begin, end), by their numbers; no quotient where all are 0/0, or nothing is compared.
struct RangeMaximum {
  OutputRange outputs;
  std::optional<LargestQuotient> largest;
};
/// Of one side, over all outputs: the largest sum of max(p - e^level q, 0) against another side.
struct LargestExcess {
  Label from;
  Evidence given;
  Label to;
  Number sum;
};
/// Of the comparisons about one coordinate, of those at one level, or (neither) of all.
struct ComparedLevel {
  std::string coordinate;
  std::string level;                    // exact, in the grammar; levels that are written alike are equal
  std::vector<RangeMaximum> ranges;     // all outputs, each once, in their order
  std::vector<LargestExcess> excesses;  // of a delta: in place of ranges, each side that is compared
};

/// Throws LimitError where inputs and outputs, or pairs of them, are too many, and past the subject's budget. No level
/// that is claimed may be exceeded infinitely: a quotient p/0 has no largest one beside it.
std::vector<ComparedLevel> compared_levels(MeasuredModel& subject, const Definition& definition);

/// What of it is written, in characters or somewhat more.
std::size_t written_size(const ComparedLevel& level);

}  // namespace oddsbound::notions
