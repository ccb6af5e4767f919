#include "runs/compared_errors.h"

#include "base/errors.h"
#include "base/short_message.h"
#include "runs/estimates.h"

namespace oddsbound::runs {

namespace {

ComparedCell cell_of(const std::optional<Number>& error, std::optional<bool> unbiased, const std::string& bias,
                     EstimationErrors& errors) {
  if (!error) {
    ++errors.open;
    return {{}, "the channel is too large to check the estimator against it"};
  }
  return {Between<Number>{*error, *error}, unbiased == false ? "the estimator is biased: " + bias : ""};
}

ComparedCell whole_of(const EstimateResult& planned, const Spec& spec, EstimationErrors& errors) {
  if (!planned.by_marginals()) {
    if (!planned.shares) errors.quantity = kErrorOfMeans;
    return cell_of(planned.mean_squared_error, planned.unbiased, planned.bias, errors);
  }
  const MarginalEstimates& first = planned.marginals[0];
  if (first.coordinates.size() == spec.model.domain.size()) {
    return cell_of(first.mean_squared_error, first.unbiased, first.bias, errors);
  }
  return {{}, "the shares of whole inputs cannot be estimated, or are too many"};
}

// Designs are compared by errors of estimators that were checked: what a limit leaves of a plan is not enough.
EstimateResult whole_plan(const Spec& spec, std::uint64_t samples, Budget& budget, const Marginals& marginals = {}) {
  EstimateResult planned = plan(spec, samples, budget, marginals);
  if (!planned.open.empty()) throw LimitError(planned.open);
  return planned;
}

// The reason in place of an error, if there is no estimator, or a limit is reached.
template <typename Plan>
ComparedCell attempted(EstimationErrors& errors, Plan plan) {
  try {
    return plan();
  } catch (const ModelError& error) {
    return {{}, shortened(error.what())};
  } catch (const LimitError& error) {
    ++errors.open;
    return {{}, shortened(error.what())};
  }
}

}  // namespace

EstimationErrors errors_of(const Spec& spec, std::uint64_t samples, const Limits& limits) {
  EstimationErrors errors;
  if (!spec.model.channel) {
    const ComparedCell none{{}, "the outputs are " + spec.mechanism.outputs_word() + ": the error has no exact value"};
    errors.whole = none;
    errors.attributes.assign(spec.model.domain.size(), none);
    return errors;
  }
  Budget budget(limits);
  errors.whole = attempted(errors, [&] { return whole_of(whole_plan(spec, samples, budget), spec, errors); });
  for (std::size_t i = 0; i < spec.model.domain.size(); ++i) {
    errors.attributes.push_back(attempted(errors, [&] {
      const EstimateResult planned = whole_plan(spec, samples, budget, {{i}});
      const MarginalEstimates& marginal = planned.marginals.at(0);
      return cell_of(marginal.mean_squared_error, marginal.unbiased, marginal.bias, errors);
    }));
  }
  return errors;
}

}  // namespace oddsbound::runs
