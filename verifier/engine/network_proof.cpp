#include "verifier/engine/network_proof.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/errors.h"
#include "verifier/engine/network_messages.h"

namespace oddsbound::engine {

namespace {

// Returns an upper bound of log of the largest ratio of two values over products of the sets, in nats. Sets over
// no coordinate contribute a ratio of 1. Infinite or NaN if doubles give no bound.
double bound_between(const RaySets& sets, std::uint32_t from, std::uint32_t to) {
  double sum = 0;
  for (const RaySet* set : sets) {
    if (set->over.empty()) continue;
    double largest = 0;
    for (const Ray& ray : set->rays) {
      if (ray.shares[from] > 0) largest = std::max(largest, ray.shares[from] / ray.shares[to]);
    }
    // The errors: of the shares in the ratio, and of the left-out rays on both sides.
    sum += std::log(largest) + 2 * set->slack + 4 * set->error;
  }
  return sum;
}

double bound_of(const RaySets& sets, const std::vector<Number>& masses) {
  double most = 0;
  for (std::uint32_t from = 0; from < masses.size(); ++from) {
    for (std::uint32_t to = 0; to < masses.size(); ++to) {
      if (to == from || masses[from].is_zero() || masses[to].is_zero()) continue;
      const double bound = bound_between(sets, from, to) + std::log((masses[to] / masses[from]).approx());
      most = std::isnan(bound) ? std::numeric_limits<double>::infinity() : std::max(most, bound);
    }
  }
  return most;
}

// Converts ray sets to the form of the proof.
class Recorded {
 public:
  Recorded(const Model& model, const Network& network) : network_(network) {
    for (const WeightTable& table : model.prior->tables()) owners_.push_back(table.over.back());
  }

  ProofSet read(const RaySet& set, const std::map<const RaySet*, std::size_t>& number_of) const {
    ProofSet result;
    result.factor = set.factor;
    if (set.table != nullptr) result.tables = owners_of(*set.table);
    for (const RaySet* part : set.made_of) result.sets.push_back(number_of.at(part));
    result.over = set.over;
    result.keeps_all = set.left_out.empty();
    if (!result.keeps_all) result.kept = set.kept;
    result.left_out = set.left_out;
    return result;
  }

 private:
  // Returns the owners of the prior's tables in a clique's table. Tables come first among the scopes.
  std::vector<std::size_t> owners_of(const WeightTable& table) const {
    std::vector<std::size_t> owners;
    for (const std::size_t s : network_.cliques[static_cast<std::size_t>(&table - network_.tables.data())].scopes) {
      if (s < owners_.size()) owners.push_back(owners_[s]);
    }
    return owners;
  }

  const Network& network_;
  std::vector<std::size_t> owners_;
};

void mark(const RaySet& set, std::map<const RaySet*, std::size_t>& needed) {
  std::vector<const RaySet*> waiting{&set};
  while (!waiting.empty()) {
    const RaySet* next = waiting.back();
    waiting.pop_back();
    if (needed.emplace(next, 0).second) waiting.insert(waiting.end(), next->made_of.begin(), next->made_of.end());
  }
}

NetworkClaim claim_about(Messages& messages, const Model& model, std::size_t i, RaySets& sets, Budget& budget) {
  NetworkClaim claim;
  try {
    sets = messages.about(i);
    claim.upper = bound_of(sets, model.prior->marginal_weights(i, budget));
    if (!std::isfinite(claim.upper))
      claim.reason = "its level is infinite, or its proof is out of the range of doubles";
  } catch (const LimitError& error) {
    claim.reason = error.what();
  }
  if (!claim.reason.empty()) sets.clear();
  return claim;
}

}  // namespace

std::optional<NetworkProof> prove_network(const Model& model, Budget& budget) {
  constexpr PruneOptions kRecorded{2048, 1e-9, true};
  const std::optional<Network> network = network_of(model, budget, Parts::kAsTheyAre);
  if (!network) return std::nullopt;
  Messages messages(*network, kRecorded, budget);
  NetworkProof proof;
  std::vector<RaySets> about(network->shape.size());
  std::map<const RaySet*, std::size_t> number_of;
  for (std::size_t i = 0; i < about.size(); ++i) {
    proof.claims.push_back(claim_about(messages, model, i, about[i], budget));
    for (const RaySet* set : about[i]) mark(*set, number_of);
  }
  const Recorded recorded(model, *network);
  for (const RaySet& set : messages.likelihoods().sets()) {
    const auto own = number_of.find(&set);
    if (own == number_of.end()) continue;
    own->second = proof.sets.size();
    proof.sets.push_back(recorded.read(set, number_of));
  }
  for (std::size_t i = 0; i < about.size(); ++i) {
    for (const RaySet* set : about[i]) proof.claims[i].sets.push_back(number_of.at(set));
  }
  return proof;
}

}  // namespace oddsbound::engine
