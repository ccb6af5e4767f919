// Claims about shuffled reports (verifier/model/shuffle.h): n people send one report each, and the analyst sees how
// often each report occurs. The inputs of the spec are those of one person.
//
// Notions between inputs bound every pair of neighboring inputs of this person, whatever the inputs of the other people
// are. Notions under a prior suppose that the other people's inputs are independent draws from it. The engine is
// engine/shuffled_reports.h.
//
// Ratios of single outputs are those of one report: P(h given x) is a sum over reports y of P(y given x) times the
// probability of h without y, so ratios are at most those of reports. n reports y attain the ratio of y, if the other
// people have the same input, or are draws.
#pragma once

#include <cstdint>
#include <functional>

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

using DecideShuffled = std::function<Decision(MeasuredModel& local, std::uint64_t people, const Arguments&)>;

/// The other people of a comparison: they have the input of the first side, or are draws from the prior.
enum class OtherPeople { kSameInput, kDraws };

/// Decides a claim that compares ratios of outputs as that of one report. Witnesses are histograms of equal reports.
DecideShuffled as_one_report(std::function<Decision(MeasuredModel&, const Arguments&)> decide, OtherPeople others);

/// approximate_dp.
Decision decide_shuffled_delta(MeasuredModel& local, std::uint64_t people, const Arguments& arguments);

/// approximate_bcdp.
Decision decide_shuffled_delta_of_values(MeasuredModel& local, std::uint64_t people, const Arguments& arguments);

}  // namespace oddsbound::notions
