#include "verifier/notions/bcdp.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "base/errors.h"
#include "verifier/engine/decompose.h"
#include "verifier/exact/threads.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"
#include "verifier/notions/scope.h"
#include "verifier/notions/shuffled.h"
#include "verifier/notions/tolerance.h"

namespace oddsbound::notions {

namespace {

// Bounds an unfinished level also by composition_bound() (measures/tradeoff.h).
void tighten(MeasuredModel& subject, const std::vector<std::size_t>& coordinates, std::vector<GroupLevel>& levels) {
  Limits limits = subject.budget().limits();
  limits.max_seconds = subject.budget().seconds_left() / 2;  // the rest is for the work after the levels
  Budget budget(limits);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const std::size_t i = coordinates[k];
    GroupLevel& level = levels[k];
    if (!level.unfinished) continue;
    try {
      const Level shift = prior_shift(subject.domain(), subject.prior(), i, budget);
      const Level bound = composition_bound(cdp_levels(subject)[i].at_least, shift);
      if (bound == Level() && !level.shows_something()) continue;  // level 0 needs an output as its witness
      level.unfinished->at_most = std::min(level.unfinished->at_most, bound);
    } catch (const LimitError&) {
      return;  // the bound of the search remains
    }
    if (level.unfinished->at_most <= level.at_least) level.unfinished.reset();
  }
}

// direction: other than the default only with a single coordinate.
std::vector<GroupLevel> compute_bcdp(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                     double seconds, const AllowedPairs& direction = {}) {
  return levels_between_values(
      subject, coordinates, seconds, direction,
      [&](MeasuredModel& part, std::vector<GroupLevel>& levels) { tighten(part, coordinates, levels); });
}

MeasuredLevel measured_value(const MeasuredModel& subject, std::size_t coordinate, const GroupLevel& level) {
  const Coordinate& own = subject.domain().coordinate(coordinate);
  return measured(subject.model(), level, own.values[level.from], own.values[level.to], own.name);
}

// Returns the levels of these coordinates. If the scope has sides, there is one coordinate. sets: as for largest_given.
std::vector<MeasuredLevel> bcdp_in_scope(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                         const Scope& scope, std::size_t sets = 1) {
  const bool has_sides = scope.from || scope.to;
  const AllowedPairs direction =
      has_sides ? direction_of(scope, parties_of(subject.domain(), coordinates.at(0))) : AllowedPairs();
  return largest_given(
      subject, subject.prior(), scope.known,
      [&](MeasuredModel& part, double seconds) {
        std::vector<MeasuredLevel> levels;
        if (has_sides && !compares_any(part.prior().marginal_weights(coordinates[0], part.budget()), direction)) {
          levels.emplace_back().witness.update(
              [&](Witness& witness) { witness.coordinate = part.domain().coordinate(coordinates[0]).name; });
          return levels;
        }
        for (const GroupLevel& level : compute_bcdp(part, coordinates, seconds, direction)) {
          levels.push_back(measured_value(part, coordinates[levels.size()], level));
        }
        return levels;
      },
      sets);
}

// The coordinates that claims will ask about.
std::set<std::size_t>& announced(MeasuredModel& subject) {
  return *subject.remember("announced coordinates", [] { return std::make_shared<std::set<std::size_t>>(); });
}

constexpr const char* kAllLevels = "bcdp";
const std::string kAnnouncedLevels = kAllLevels + std::string(engine::kOfClaims);

struct LevelsOfClaims {
  std::map<std::size_t, GroupLevel> levels;  // by coordinate
  bool complete = true;                      // false: a limit left a level open, so it may be asked for again
};

const LevelsOfClaims& announced_levels(MeasuredModel& subject) {
  return subject.remember(kAnnouncedLevels, [&] {
    const std::vector<std::size_t> all(announced(subject).begin(), announced(subject).end());
    std::vector<GroupLevel> found = compute_bcdp(subject, all, seconds_to_search(subject.budget()));
    LevelsOfClaims result;
    for (std::size_t k = 0; k < all.size(); ++k) {
      result.complete = result.complete && !found[k].unfinished;
      result.levels.emplace(all[k], std::move(found[k]));
    }
    return result;
  });
}

// By coordinate; those that are not claimed may be missing. Where each level is a search of its own, only the announced
// ones are searched for.
std::vector<MeasuredLevel> claimed_levels(MeasuredModel& subject, const std::vector<std::size_t>& claimed) {
  const auto are_among = [&](const auto& coordinates) {
    return std::all_of(claimed.begin(), claimed.end(), [&](std::size_t i) { return coordinates.contains(i); });
  };
  // Known levels are asked for first: after a stop, nothing else can be asked of the model.
  const bool are_searched = subject.remembers(kAnnouncedLevels)
                                ? are_among(announced_levels(subject).levels)
                                : are_among(announced(subject)) && !subject.remembers(kAllLevels) &&
                                      engine::searches_each_coordinate(subject);
  if (!are_searched) return measured_bcdp(subject);
  std::vector<MeasuredLevel> measured(subject.domain().size());
  for (const auto& [i, level] : announced_levels(subject).levels) measured[i] = measured_value(subject, i, level);
  return measured;
}

// Decides a claim that holds and is not tight by bounds of the levels, if exact levels would be too long to write. All
// other claims need the exact levels: a refutation shows an output.
std::optional<Decision> decided_by_bounds(MeasuredModel& subject, const CoordinateLevels& claimed) {
  if (subject.remembers(kAllLevels)) return std::nullopt;
  const auto& bounds =
      subject.remember("bounds of long levels", [&] { return engine::bounds_of_long_levels(subject); });
  if (!bounds) return std::nullopt;
  std::vector<MeasuredLevel> levels;
  for (const GroupLevel& level : *bounds) levels.push_back(measured_value(subject, levels.size(), level));
  Decision decision = decide_coordinates(subject.domain(), levels, claimed);
  const bool decided = decision.holds == Answer::kYes && decision.tight != Answer::kOpen;
  return decided ? std::optional(std::move(decision)) : std::nullopt;
}

Decision decide_bcdp(MeasuredModel& subject, const Arguments& arguments) {
  const CoordinateLevels& claimed = arguments.get<CoordinateLevels>("epsilon");
  if (const auto* for_all = arguments.find_if<ForAll>(kForAll)) {
    std::vector<MeasuredLevel> measured(claimed.size());
    const std::vector<std::size_t> coordinates = claimed_coordinates(arguments);
    std::size_t to_come = coordinates.size();
    for (const std::size_t i : coordinates) {
      measured[i] = value_level_over(subject, *for_all->set, i, Scope(arguments), coordinates.size(), --to_come);
    }
    return decide_coordinates(subject.domain(), measured, claimed);
  }
  const Scope scope(arguments);
  if (scope.is_everything()) {
    if (auto decision = decided_by_bounds(subject, claimed)) return *std::move(decision);
    return decide_coordinates(subject.domain(), claimed_levels(subject, claimed_coordinates(arguments)), claimed);
  }
  const std::vector<std::size_t> coordinates = claimed_coordinates(arguments);
  std::vector<MeasuredLevel> measured(claimed.size());
  if (scope.any_known) {
    for (const std::size_t i : coordinates) {
      measured[i] = largest_of_known(subject, {i}, [&](const std::vector<std::size_t>& known, std::size_t left) {
        Scope one = scope;
        one.known = known;
        return bcdp_in_scope(subject, {i}, one, left)[0];
      });
    }
    return decide_coordinates(subject.domain(), measured, claimed);
  }
  std::vector<MeasuredLevel> found = bcdp_in_scope(subject, coordinates, scope);
  for (std::size_t k = 0; k < found.size(); ++k) measured[coordinates[k]] = std::move(found[k]);
  return decide_coordinates(subject.domain(), measured, claimed);
}

Definition define_bcdp(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const CoordinateLevels& levels = arguments.get<CoordinateLevels>("epsilon");
  Definition definition;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i]) continue;
    definition.push_back(
        within_scope(model.domain, inputs, comparison_of_values(model.domain, inputs, i, *levels[i]), arguments));
  }
  return definition;
}

}  // namespace

std::vector<MeasuredLevel> bcdp_given(MeasuredModel& subject, const std::vector<std::size_t>& known) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < subject.domain().size(); ++i) {
    if (std::find(known.begin(), known.end(), i) == known.end()) others.push_back(i);
  }
  Scope scope;
  scope.known = known;
  return bcdp_in_scope(subject, others, scope);
}

const std::vector<GroupLevel>& bcdp_levels(MeasuredModel& subject) {
  return subject.remember(kAllLevels, [&] {
    std::vector<std::size_t> missing = every_coordinate(subject.domain());
    std::vector<GroupLevel> levels(missing.size());
    if (subject.remembers(kAnnouncedLevels)) {
      const std::map<std::size_t, GroupLevel>& known = announced_levels(subject).levels;
      for (const auto& [i, level] : known) levels[i] = level;
      std::erase_if(missing, [&](std::size_t i) { return known.contains(i); });
    }
    if (missing.empty()) return levels;
    std::vector<GroupLevel> found = compute_bcdp(subject, missing, seconds_to_search(subject.budget()));
    for (std::size_t k = 0; k < missing.size(); ++k) levels[missing[k]] = std::move(found[k]);
    return levels;
  });
}

std::vector<MeasuredLevel> measured_bcdp(MeasuredModel& subject) {
  std::vector<MeasuredLevel> levels;
  for (const GroupLevel& level : bcdp_levels(subject)) {
    levels.push_back(measured_value(subject, levels.size(), level));
  }
  return levels;
}

void expect_bcdp(MeasuredModel& subject) { expect_between_values(subject, every_coordinate(subject.domain())); }

void expect_bcdp(MeasuredModel& subject, const std::vector<std::size_t>& coordinates) {
  announced(subject).insert(coordinates.begin(), coordinates.end());
  expect_bcdp(subject);
}

Notion bcdp_notion() {
  return {.name = "bcdp",
          .title = "Bayesian coordinate DP",
          .summary =
              "Bayesian coordinate differential privacy: what the output says about one coordinate, given how "
              "coordinates correlate",
          .source = "BCDP paper, Definition 4",
          .needs_prior = true,
          .fields = with_scope({compared({"epsilon", FieldKind::kCoordinateLevels}), field_for_all()}, true),
          .form = ClaimForm::kByCoordinate,
          .decide = decide_bcdp,
          .decide_shuffled = as_one_report(decide_bcdp, OtherPeople::kDraws),
          .define = define_bcdp,
          .measure = measured_bcdp,
          .measure_given = bcdp_given,
          .audited = true,
          .complaint = complaint_about_set,
          .large_proofs = {.by_bounds = true},
          .in_new_specs = "what all answers say about",
          .tolerates = true,
          .drawn = DrawnBeside::kValues,
          .expect = [](MeasuredModel& subject, const Arguments& arguments) {
            if (!Scope(arguments).is_everything() || arguments.has(kForAll)) return;
            arguments.has("epsilon") ? expect_bcdp(subject, claimed_coordinates(arguments)) : expect_bcdp(subject);
          }};
}

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
  const auto prove = [&](std::uint64_t k, std::size_t, Budget& own) {
    const std::size_t waiting = finite.size() - k;
    const double share = static_cast<double>(std::min(threads, waiting)) / static_cast<double>(waiting);
    ProofOutcome& outcome = outcomes[finite[k]];
    try {
      outcome.proof = proof_of(parts, finite[k], bounds[finite[k]], own, share * own.seconds_left());
    } catch (const LimitError& error) {
      outcome.reason = error.what();
    }
  };
  by_threads(threads, finite.size(), budget, prove, Starting::kAtOnce);
  return outcomes;
}

}  // namespace oddsbound::notions
