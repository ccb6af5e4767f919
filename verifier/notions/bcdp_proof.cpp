#include "verifier/notions/bcdp_proof.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "base/errors.h"
#include "verifier/engine/decompose.h"
#include "verifier/exact/threads.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::notions {

namespace {

// The factors that a level depends on, as a separate model.
struct Part {
  Model model;
  std::vector<std::size_t> coordinates;  // of the whole model, in the order of the part's own domain
  std::vector<std::size_t> factors;      // of the whole channel
};

std::vector<std::size_t> first_numbers(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

// A channel that is not a product becomes one factor that sees all coordinates.
Part as_product(Part part) {
  if (!part.model.channel->factors().empty()) return part;
  Factor whole{part.model.channel, first_numbers(part.model.domain.size())};
  part.model.channel = std::make_shared<const ProductChannel>(part.model.domain, std::vector<Factor>{std::move(whole)});
  return part;
}

// One part per component if coordinates are independent: then the outputs of one component reveal nothing about
// the coordinates of another. Otherwise one part.
std::vector<Part> parts_of(const Model& model, Budget& budget) {
  std::vector<Part> parts;
  if (!model.prior->has_independent_coordinates() || is_connected(model)) {
    const std::size_t factors = std::max<std::size_t>(1, model.channel->factors().size());
    parts.push_back(as_product({model, first_numbers(model.domain.size()), first_numbers(factors)}));
    return parts;
  }
  for (Component& component : components_of(model, budget)) {
    parts.push_back(as_product({std::move(component.model), component.coordinates, component.factors}));
  }
  return parts;
}

CoordinateProof proof_within(const Part& part, std::size_t place, const Level& bound, Budget& budget, double seconds) {
  const ProjectedRows seen = rows_by_value(part.model, place, budget, WhichOutputs::kDifferent);
  LevelProof proof = prove_level(seen, bound, budget, seconds);
  CoordinateProof result;
  result.within = part.coordinates;
  result.root = std::move(proof.root);
  for (const std::size_t f : proof.order) {
    ProofStep& step = result.steps.emplace_back();
    for (const std::size_t own : seen.factors[f].factors) step.factors.push_back(part.factors[own]);
    step.outputs = seen.factors[f].outputs;
  }
  return result;
}

// For a coordinate that no output depends on: no factors, and both sides are 1.
CoordinateProof nothing_to_prove(std::size_t coordinate) {
  CoordinateProof result;
  result.within = {coordinate};
  result.root.enumerated = true;
  return result;
}

CoordinateProof proof_of(const std::vector<Part>& parts, std::size_t coordinate, const Level& bound, Budget& budget,
                         double seconds) {
  for (const Part& part : parts) {
    const auto own = std::find(part.coordinates.begin(), part.coordinates.end(), coordinate);
    if (own == part.coordinates.end()) continue;
    return proof_within(part, static_cast<std::size_t>(own - part.coordinates.begin()), bound, budget, seconds);
  }
  return nothing_to_prove(coordinate);
}

}  // namespace

std::vector<ProofOutcome> prove_bcdp(const Model& model, const std::vector<Level>& bounds, Budget& budget) {
  std::vector<ProofOutcome> outcomes(bounds.size());
  const bool rows_are_too_many =
      !model.prior->tables().empty() &&
      (!model.domain.is_countable() || model.domain.input_numbers() > budget.limits().max_inputs);
  std::vector<std::size_t> finite;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i].is_infinite()) {
      outcomes[i].reason = "its level is infinite, or nothing finite is known above it";
    } else if (rows_are_too_many) {
      outcomes[i].reason = "its level follows from a network, whose rows are too many to be listed";
    } else {
      finite.push_back(i);
    }
  }
  std::vector<Part> parts;
  try {
    parts = parts_of(model, budget);
  } catch (const LimitError& error) {
    for (const std::size_t i : finite) outcomes[i].reason = error.what();
    return outcomes;
  }
  const std::size_t threads = wanted_threads(budget.limits());
  by_threads(threads, finite.size(), budget, [&](std::uint64_t k, std::size_t, Budget& own) {
    const std::size_t waiting = finite.size() - k;
    const double share = static_cast<double>(std::min(threads, waiting)) / static_cast<double>(waiting);
    ProofOutcome& outcome = outcomes[finite[k]];
    try {
      outcome.proof = proof_of(parts, finite[k], bounds[finite[k]], own, share * own.seconds_left());
    } catch (const LimitError& error) {
      outcome.reason = error.what();
    }
  });
  return outcomes;
}

}  // namespace oddsbound::notions
