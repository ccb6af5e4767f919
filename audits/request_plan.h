// In which requests the runs of a block are asked for. Most come in large requests. Some are asked for one, two or a
// few at a time, so that a sampler whose outputs depend on the size of the request or on their place in it can be seen
// (request_sizes.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "audits/runner.h"
#include "mechanisms/random/source.h"

namespace oddsbound::audits {

/// Small requests are for up to so many outputs.
constexpr std::uint64_t kLargestSmallRequest = 18;

struct PlannedRequest {
  Runs runs;
  bool small = false;   // one of those that are mixed in
  bool second = false;  // the second half of an input's other runs, which were cut in two
};

/// The same runs of each input, in random order: for up to four inputs, those with the most runs, one small request for
/// `runs_for_each` of its runs, but no more than 256 each. Of small requests 3/8 are for one output, 3/16 for two, 7/16
/// for 3 to 18. What is left of an input is one large request, or two equal ones, one right after the other for that
/// input, where it is `cut_from` runs or more. Nothing depends on outputs.
std::vector<PlannedRequest> plan_requests(std::span<const Runs> runs, std::uint64_t runs_for_each,
                                          std::uint64_t cut_from, RandomSource& source);

}  // namespace oddsbound::audits
