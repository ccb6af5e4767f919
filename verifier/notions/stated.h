// Statements of claims about pairs of distributions, for Z3 (verifier/smt/statement.h), and comparisons that follow
// from bounds on divergences, for audits.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/exact/interval.h"
#include "verifier/exact/level.h"
#include "verifier/model/definition.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

// The definition of a notion for one pair of distributions.
using DistributionView = const std::vector<Number>&;
/// Adds to the statement how P and Q violate the level, and how they attain it.
using StatePair = std::function<void(Statement&, DistributionView p, DistributionView q, const Level& level)>;

/// Visits the distributions of every ordered pair of neighbors.
void for_rows_of_neighbors(const Model& model, const CoordinateGroups& groups, Budget& budget,
                           const std::function<void(DistributionView p, DistributionView q)>& visit);

/// States a claim about every ordered pair of neighbors, at one level or at those of coordinates. levels: their field.
Statement state_neighbors(const Model& model, const Arguments& arguments, const std::string& levels,
                          const StatePair& pair, Budget& budget);
/// The same for the two distributions of every pair of sides that the comparison is about.
Statement state_sides(const Model& model, const Comparison& comparison, const StatePair& pair, Budget& budget);
/// Adds that the least level, 0, is always attained.
void add_least(Statement& statement, const Level& level);

/// One pair (epsilon, delta) that the claim implies.
struct ImpliedDelta {
  Level epsilon;
  Number delta;  // rounded up
};
/// Adds the comparison at each of these bounds. A delta of 1 or more bounds nothing and is left out.
void add_implied(Definition& definition, const Comparison& comparison, const std::vector<ImpliedDelta>& bounds);
/// Returns comparisons of neighbors that follow from a claimed level, or from those of coordinates. deltas: what
/// follows from a finite level. Deltas of 1 and more are left out.
Definition imply_neighbors(const Model& model, const Arguments& arguments, const InputSubset& inputs,
                           const std::string& levels,
                           const std::function<std::vector<ImpliedDelta>(const Level&)>& deltas);

/// Returns a short rational that is a little larger than every value in the ball.
Number short_above(const Ball& ball);
/// Returns epsilon as the logarithm of a short rational near e^nats.
Level short_epsilon(double nats);

/// The bound of p - q, for every event, that follows from a Kullback-Leibler divergence of at most this level: the
/// smaller of sqrt(D / 2) (Pinsker) and sqrt(1 - e^-D) (Bretagnolle and Huber).
ImpliedDelta distance_of_mean_loss(const Level& divergence);

/// The bounds that P and Q meet if the Renyi divergence of an order is at most order_bound; an order of 0: of every
/// order a > 1, at most order_bound a (zCDP). The epsilon are 0 and rho + 2 sqrt(2 rho), two
/// standard deviations beyond the mean loss of two normal distributions with this rho.
///
/// The smallest of these, with c = D_2 and E = e^epsilon: (sqrt(e^c - 1 + (E - 1)^2) - (E - 1)) / 2, since
/// (p - q)^2 <= (e^c - 1) q (1 - q); e^((a-1) (D_a - epsilon)) (1 - 1/a)^a / (a - 1) (Canonne, Kamath and Steinke 2020,
/// Proposition 12); at epsilon 0 also distance_of_mean_loss.
std::vector<ImpliedDelta> deltas_of_divergence(const Level& order_bound, std::int64_t order);

}  // namespace oddsbound::notions
