// Bayesian coordinate differential privacy (BCDP paper, Definition 4), and the Bayesian privacy of any secret.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/model/witness.h"
#include "verifier/notions/notion.h"
#include "verifier/ratios/measured_model.h"

namespace oddsbound::notions {

/// A level between two values of a coordinate (or two labels of a secret).
struct ValueLevel {
  Level level;
  std::vector<std::uint64_t> output;  // split as Channel::split does
  std::size_t from = 0;
  std::size_t to = 0;
  Number p_from;  // P(output given value `from`), under the prior
  Number p_to;
  Way way = Way::kDirect;
  std::optional<std::uint64_t> nodes{};    // of a search over outputs
  std::optional<Level> transport_bound{};  // that the search began with (ratios/transport_bound.h)
  std::optional<Unfinished> unfinished{};  // the level is what the output shows, and lies below that
};

/// For every coordinate, the exact BCDP level: the least d with P(y given x_i = a) <= e^d P(y given x_i = b) for all
/// outputs and all values a, b of positive prior mass.
///
/// Single values and outputs suffice: given an event, probabilities are mixtures of those given values.
/// Returns nats (as exponentials) and witnesses, in coordinate order; where outputs are searched and the time is over,
/// what is known of a level by then. Throws ModelError without a prior, LimitError past the budget.
const std::vector<ValueLevel>& bcdp_levels(MeasuredModel& subject);
std::vector<MeasuredLevel> measured_bcdp(MeasuredModel& subject);

/// The same for a function of the input: label_of[x] is the label of input x, below `labels`.
ValueLevel secret_level(MeasuredModel& subject, std::vector<std::uint32_t> label_of, std::size_t labels);

/// Announces what the BCDP levels ask of the columns, if anything: the next pass over them takes it along.
void expect_bcdp(MeasuredModel& subject);

Notion bcdp_notion();
Notion secret_notion();

}  // namespace oddsbound::notions
