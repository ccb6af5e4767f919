// Delta of approximate_dp for products with many outputs, from the loss distributions of the parts: exact where the
// sums of losses can be listed (engine/loss_distribution.h), otherwise between two bounds (engine/refined_losses.h).
#pragma once

#include <optional>
#include <vector>

#include "verifier/engine/neighbor_losses.h"
#include "verifier/model/definition.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// True if divergences between inputs come from loss distributions (engine/neighbor_losses.h): for a product with many
/// outputs from those of its parts, for a channel with many pairs of inputs from its declared classes of pairs.
bool has_losses_by_parts(const Channel& channel);
/// True if the outputs of an event are too many to name, so that a witness describes the event by its likelihoods.
bool has_described_events(const Channel& channel);
/// True for a product whose pairs of neighbors and outputs are so many that comparing all rows takes far longer than
/// the losses of its parts.
bool is_slow_to_compare_rows(const Model& model, const CoordinateGroups& groups);
/// The number of kinds of pairs of inputs above which the loss distributions of parts are not used.
std::size_t most_kinds(const MeasuredModel& subject);
/// Throws LimitError: the kinds of pairs are too many, and so are the outputs.
[[noreturn]] void refuse_kinds(const MeasuredModel& subject);

/// Returns the losses of all parts together; nullopt if these are too many to list, or too long. to_decide: with the
/// limits for a claim that nothing else decides. Throws LimitError past the budget.
std::optional<LossDistribution> listed_losses(const LossProduct& product, bool to_decide, Budget& budget);

/// Returns the result if nothing is compared: no divergence, of an input from itself.
MeasuredNumber no_delta(const Domain& domain);

/// Neighbors, with the losses of all parts together unless these are too many to list.
struct ListedNeighbors {
  std::vector<NeighborLosses> pairs;
  std::vector<std::optional<LossDistribution>> listed;  // [pair]
  std::optional<LossProduct> above;                     // if some pairs are left out: at least as bad as all of them
};

/// Returns the pairs of inputs that are worst within a group (worst_neighbors); nullopt if they are of too many kinds.
/// The subject remembers them: claims at several epsilon ask for the same distributions. Requires a product channel.
const std::optional<ListedNeighbors>& losses_within(MeasuredModel& subject, const std::vector<std::size_t>& group);

/// Returns the largest delta between inputs that differ only within one of the groups, for the epsilon of the claim.
/// Bounds are refined until they decide the claimed delta, if that is possible. The witness lists its event if it has
/// few outputs. Returns nullopt if listing the outputs is the better way. Throws LimitError past the budget.
std::optional<MeasuredNumber> delta_by_parts(MeasuredModel& subject, const Arguments& arguments,
                                             const CoordinateGroups& groups);

}  // namespace oddsbound::notions
