#include "app/estimates.h"

#include <algorithm>
#include <cmath>

#include "base/errors.h"
#include "mechanisms/distance.h"
#include "mechanisms/marginals.h"

namespace oddsbound::app {

std::size_t place_of(const Domain& domain, const std::string& name) {
  if (const auto place = domain.find(name)) return *place;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < domain.size(); ++i) known.push_back(domain.coordinate(i).name);
  const std::string hint = suggestion(name, known);
  throw ModelError("there is no coordinate '" + printable(name) + "' (" +
                   (hint.empty() ? "coordinates: " + listing(known) : hint) + ")");
}

namespace {

// Appends an estimate of every target. domain: that of the estimated shares.
void add_estimates(std::vector<Estimate>& estimates, const Estimator& estimator, const Domain& domain,
                   const CollectedOutputs& collected, Budget& budget) {
  const auto total = static_cast<double>(collected.total);
  const std::vector<SumOfWeights> sums = estimator.sums_over(collected.counts, budget);
  for (std::uint64_t j = 0; j < sums.size(); ++j) {
    const Number value = sums[j].sum / Number(static_cast<std::int64_t>(collected.total));
    const double variance = std::max(0.0, sums[j].squares / total - value.approx() * value.approx());
    Estimate found{estimator.target(j), value, value.approx(), std::sqrt(variance / total)};
    if (estimator.estimates_shares()) found.values = domain.tuple(j);
    estimates.push_back(std::move(found));
  }
}

// The largest number of inputs whose proportions are estimated individually.
constexpr std::uint64_t kMostShares = std::uint64_t{1} << 16;
// The largest number of inputs for least squares (by elimination).
constexpr std::uint64_t kMostEliminated = 256;
// The largest joint domain of all identifiable coordinates, if nothing was requested.
constexpr double kMostTogether = 64;
constexpr double kMostOfMarginal = 0x1p20;

// The estimator for full inputs; nullptr if there are too many inputs or there is no estimator.
EstimatorPtr whole_estimator(const Spec& spec, Budget& budget) {
  const Domain& domain = spec.model.domain;
  const EstimatorPtr& known = spec.mechanism.estimator;
  if (known && (!known->estimates_shares() || (domain.is_countable() && domain.input_numbers() <= kMostShares))) {
    return known;
  }
  if (known || !domain.is_countable() || domain.input_numbers() > kMostEliminated) return nullptr;
  return least_squares_estimator(domain, *spec.model.channel, budget);
}

// Does the work. If a limit stops it, records the limit in `open` and keeps what is known so far.
template <typename Work>
void within_limits(EstimateResult& result, const Work& work) {
  if (!result.open.empty()) return;
  try {
    work();
  } catch (const LimitError& error) {
    result.open = error.what();
  }
}

// Throws LimitError if the result has neither estimates nor an error nor a check.
EstimateResult known(EstimateResult result) {
  const auto is_known = [](const auto& part) {
    return !part.estimates.empty() || part.unbiased || part.mean_squared_error;
  };
  if (!result.open.empty() && !is_known(result) &&
      std::none_of(result.marginals.begin(), result.marginals.end(), is_known)) {
    throw LimitError(result.open);
  }
  return result;
}

// The distance to plan for, if it is asked for: the number of outputs then follows from it.
using Wanted = std::optional<Number>;

// With a wanted distance: finds the number of outputs, and divides the error, which is for one output, by it. `shown`
// is the result, or a marginal of it.
template <typename Shown>
void add_distance(const std::optional<std::vector<mechanisms::ErrorMoments>>& moments, const Wanted& wanted,
                  const std::optional<mechanisms::DistanceBound>& bound, std::uint64_t outputs, Shown& shown) {
  if (!moments) {
    if (wanted) throw LimitError("the mechanism is too large for expected total variation distances");
    return;
  }
  std::uint64_t n = outputs;
  if (wanted) {
    const mechanisms::OutputsFor found = mechanisms::outputs_for(*moments, *wanted);
    n = found.enough;
    PeopleFor& people = shown.people_for.emplace(PeopleFor{*wanted, found.too_few, found.enough});
    if (bound) {
      people.bound = bound->source;
      people.by_bound = mechanisms::outputs_by_bound(bound->squares, *wanted);
    }
    if (shown.mean_squared_error) *shown.mean_squared_error /= Number(static_cast<std::int64_t>(n));
  }
  const mechanisms::DistanceBounds bounds = mechanisms::expected_distance(*moments, n);
  shown.total_variation = ExpectedDistance{bounds.at_least, bounds.at_most};
}

// Distances hold for unbiased estimates only: their moments are about the mean of the estimate, not about the truth.
template <typename Shown>
void forget_distance_if_biased(Shown& shown, const Wanted& wanted) {
  if (shown.unbiased != false) return;
  if (wanted) throw ModelError("the estimates are biased (" + shown.bias + "): no number of people is enough");
  shown.total_variation.reset();
}

// Checks whether the estimator is unbiased, and computes its expected error.
void check(const Estimator& estimator, const Spec& spec, EstimateResult& result, const Wanted& wanted, Budget& budget) {
  const Channel& channel = *spec.model.channel;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 24;
  const std::uint64_t pairs = channel.input_numbers() <= kMost ? channel.inputs() * estimator.targets() : kMost + 1;
  if (!estimator.knows_moments() && (pairs > kMost || channel.outputs() > kMost / std::max<std::uint64_t>(1, pairs))) {
    if (wanted) throw LimitError("the channel is too large for expected errors");
    return;
  }
  // The error first: it is what users ask for before collecting outputs, and usually takes less time.
  if (spec.model.prior) {
    within_limits(result, [&] {
      const Number n(static_cast<std::int64_t>(result.outputs));
      result.mean_squared_error = mean_squared_error(estimator, channel, *spec.model.prior, n, budget);
    });
  }
  if (spec.model.prior && (estimator.estimates_shares() || wanted)) {
    within_limits(result, [&] {
      if (!estimator.estimates_shares()) {
        throw ModelError("a total variation distance compares distributions, and this mechanism estimates means");
      }
      add_distance(error_moments(estimator, channel, *spec.model.prior, budget), wanted, spec.mechanism.distance_bound,
                   result.outputs, result);
    });
  }
  within_limits(result, [&] { result.unbiased = is_unbiased(estimator, channel, budget, result.bias); });
  forget_distance_if_biased(result, wanted);
}

std::vector<MechanismPart> parts_of(const Spec& spec) {
  if (!spec.mechanism.parts.empty()) return spec.mechanism.parts;
  return {{spec.model.channel, spec.mechanism.estimator, every_coordinate(spec.model.domain)}};
}

// Estimates of marginals from outputs, or their expected errors if there are no outputs yet.
class ByMarginals {
 public:
  ByMarginals(const Spec& spec, const CollectedOutputs* collected, std::uint64_t outputs, Wanted wanted, Budget& budget)
      : spec_(spec), collected_(collected), wanted_(std::move(wanted)), budget_(budget), parts_(parts_of(spec)) {
    result_.file = spec.file;
    result_.name = spec.name;
    result_.outputs = outputs;
    result_.confidential = spec.confidential_prior;
  }

  EstimateResult asked_for(const Marginals& marginals) {
    for (const std::vector<std::size_t>& coordinates : marginals) {
      within_limits(result_, [&] { add_asked_for(coordinates); });
    }
    return known(std::move(result_));
  }

  EstimateResult all_estimable() {
    std::vector<std::size_t> estimable;
    std::vector<mechanisms::Marginal> single;
    for (std::size_t i = 0; i < domain().size(); ++i) {
      single.push_back(marginal_of({i}));
      if (single.back().estimator) {
        estimable.push_back(i);
      } else {
        result_.not_estimated.push_back({domain().coordinate(i).name, why_not(i)});
      }
    }
    if (estimable.empty()) {
      throw ModelError(
          "no unbiased estimator exists: different distributions of the inputs give the same distribution of the "
          "outputs");
    }
    if (estimable.size() > 1 && domain().restricted_to(estimable).input_count().approx() <= kMostTogether) {
      if (const mechanisms::Marginal together = marginal_of(estimable); together.estimator) {
        within_limits(result_, [&] { add(estimable, together); });
        return known(std::move(result_));
      }
    }
    for (const std::size_t i : estimable) {
      within_limits(result_, [&] { add({i}, single[i]); });
    }
    return known(std::move(result_));
  }

 private:
  const Domain& domain() const { return spec_.model.domain; }

  void add_asked_for(const std::vector<std::size_t>& coordinates) {
    const mechanisms::Marginal marginal = marginal_of(coordinates);
    if (!marginal.missing.empty()) {
      const std::size_t i = marginal.missing[0];
      throw ModelError("coordinate '" + printable(domain().coordinate(i).name) +
                       "' cannot be estimated: " + why_not(i));
    }
    add(coordinates, marginal);
  }

  mechanisms::Marginal marginal_of(const std::vector<std::size_t>& coordinates) {
    if (domain().restricted_to(coordinates).input_count().approx() > kMostOfMarginal) {
      throw LimitError("the coordinates have more than 2^20 combinations of values, too many to estimate each");
    }
    return mechanisms::marginal_of(domain(), parts_, coordinates, budget_);
  }

  std::string why_not(std::size_t i) const {
    const auto sees = [&](const MechanismPart& part) {
      return std::find(part.coordinates.begin(), part.coordinates.end(), i) != part.coordinates.end();
    };
    if (std::none_of(parts_.begin(), parts_.end(), sees)) return "no part of the mechanism sees it";
    return "different distributions of it may give the same distribution of the outputs";
  }

  void add(const std::vector<std::size_t>& coordinates, const mechanisms::Marginal& marginal) {
    MarginalEstimates& found = result_.marginals.emplace_back();
    for (const std::size_t i : coordinates) found.coordinates.push_back(domain().coordinate(i).name);
    if (collected_ != nullptr) {
      const CollectedOutputs seen = seen_by(marginal);
      const Domain joint = domain().restricted_to(coordinates);
      add_estimates(found.estimates, *marginal.estimator, joint, seen, budget_);
    }
    if (spec_.model.prior) {
      const Number n(static_cast<std::int64_t>(result_.outputs));
      found.mean_squared_error = mean_squared_error(marginal, domain(), *spec_.model.prior, n, budget_);
      add_distance(error_moments(marginal, domain(), *spec_.model.prior, budget_), wanted_, {}, result_.outputs, found);
    }
    found.unbiased = is_unbiased(marginal, budget_, found.bias);
    forget_distance_if_biased(found, wanted_);
  }

  // Merges outputs that are equal in the parts that the marginal reads.
  CollectedOutputs seen_by(const mechanisms::Marginal& marginal) {
    CollectedOutputs seen;
    seen.total = collected_->total;
    for (const auto& [output, count] : collected_->counts) {
      std::vector<std::uint64_t> read(output.size(), 0);
      for (const SharesFromParts& factor : marginal.factors) {
        for (const PartShares& part : factor.parts) {
          for (std::size_t w = part.first_word; w < part.first_word + part.words; ++w) read[w] = output[w];
        }
      }
      seen.counts[std::move(read)] += count;
      budget_.check_every();
    }
    return seen;
  }

  const Spec& spec_;
  const CollectedOutputs* collected_;
  Wanted wanted_;
  Budget& budget_;
  std::vector<MechanismPart> parts_;
  EstimateResult result_;
};

// Uses an estimator for full inputs if there is one and no marginals were requested.
EstimateResult estimated(const Spec& spec, const CollectedOutputs* collected, std::uint64_t outputs,
                         const Marginals& marginals, const Wanted& wanted, Budget& budget) {
  budget.check();  // after a limit there is nothing to report
  ByMarginals by_marginals(spec, collected, outputs, wanted, budget);
  if (!marginals.empty()) return by_marginals.asked_for(marginals);
  const EstimatorPtr estimator = whole_estimator(spec, budget);
  if (!estimator) return by_marginals.all_estimable();
  EstimateResult result;
  result.file = spec.file;
  result.name = spec.name;
  result.shares = estimator->estimates_shares();
  result.outputs = outputs;
  result.confidential = spec.confidential_prior;
  if (result.shares) {
    for (std::size_t i = 0; i < spec.model.domain.size(); ++i) {
      result.coordinates.push_back(spec.model.domain.coordinate(i).name);
    }
  }
  // Estimates come before the check, which may use up the time.
  if (collected != nullptr) {
    within_limits(result, [&] { add_estimates(result.estimates, *estimator, spec.model.domain, *collected, budget); });
  }
  check(*estimator, spec, result, wanted, budget);
  return known(std::move(result));
}

}  // namespace

namespace {

EstimateResult planned(const Spec& spec, std::uint64_t outputs, const Wanted& wanted, const Marginals& marginals,
                       Budget& budget) {
  if (spec.model.prior) return estimated(spec, nullptr, outputs, marginals, wanted, budget);
  Spec uniform = spec;
  uniform.model.prior = Prior::uniform(spec.model.domain);
  EstimateResult result = estimated(uniform, nullptr, outputs, marginals, wanted, budget);
  result.assumed_uniform = true;
  return result;
}

}  // namespace

EstimateResult plan(const Spec& spec, std::uint64_t outputs, Budget& budget, const Marginals& marginals) {
  return planned(spec, outputs, {}, marginals, budget);
}

EstimateResult plan(const Spec& spec, std::uint64_t outputs) {
  EstimateResult result;
  result.file = spec.file;
  result.name = spec.name;
  result.continuous = true;
  result.shares = false;
  result.outputs = outputs;
  return result;
}

EstimateResult plan_for(const Spec& spec, const Number& distance, Budget& budget, const Marginals& marginals) {
  EstimateResult result = planned(spec, 1, distance, marginals, budget);
  std::uint64_t outputs = result.people_for ? result.people_for->enough : 0;
  for (MarginalEstimates& marginal : result.marginals) {
    if (!marginal.people_for) marginal.mean_squared_error.reset();  // a limit was reached: it is for one output
    if (marginal.people_for) outputs = std::max(outputs, marginal.people_for->enough);
  }
  if (outputs == 0) throw LimitError(result.open);
  result.outputs = outputs;
  return result;
}

EstimateResult estimate(const Spec& spec, const CollectedOutputs& collected, Budget& budget,
                        const Marginals& marginals) {
  return estimated(spec, &collected, collected.total, marginals, {}, budget);
}

EstimateResult estimate(const Spec& spec, const CollectedVectors& collected) {
  EstimateResult result = plan(spec, collected.total);
  const auto total = static_cast<double>(collected.total);
  for (std::size_t i = 0; i < collected.sum.size(); ++i) {
    const double mean = collected.sum[i] / total;
    const double variance = std::max(0.0, collected.square[i] / total - mean * mean);
    result.estimates.push_back({spec.model.domain.coordinate(i).name, std::nullopt, mean, std::sqrt(variance / total)});
  }
  return result;
}

}  // namespace oddsbound::app
