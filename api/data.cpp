// Samples, estimates, searches.
#include <algorithm>

#include "api/errors_as_values.h"
#include "base/errors.h"
#include "oddsbound/oddsbound.h"
#include "runs/estimates.h"
#include "runs/samples.h"
#include "runs/search.h"

namespace oddsbound {

Expected<std::vector<std::string>> sample(const Spec& spec, std::uint64_t input, std::uint64_t count,
                                          std::optional<std::uint64_t> seed, const Context& context) {
  return as_expected(spec.file, [&] {
    Budget budget(context.limits);
    require_no_symbols(spec, "sampling");
    if (!spec.model.channel) throw ModelError("the outputs are continuous, and have no labels");
    if (input >= spec.model.domain.input_numbers())
      throw ModelError("there is no input number " + std::to_string(input));
    return draw_labels(spec, input, count, seed, budget);
  });
}

Expected<EstimateResult> estimate(const Spec& spec, const Text& outputs, const Context& context) {
  return as_expected(spec.file, [&] {
    Budget budget(context.limits);
    require_no_symbols(spec, "estimating");
    if (!spec.model.channel) {
      return estimate(spec, read_vector_table(outputs.name, outputs.text, spec.model.domain, budget));
    }
    return estimate(spec, read_output_table(outputs.name, outputs.text, *spec.model.channel, budget), budget);
  });
}

Expected<EstimateResult> estimate_error(const Spec& spec, std::uint64_t outputs, const Context& context) {
  return as_expected(spec.file, [&] {
    Budget budget(context.limits);
    require_no_symbols(spec, "estimating");
    if (!spec.model.channel) throw ModelError("--samples needs an exact channel, and the outputs are continuous");
    return plan(spec, outputs, budget);
  });
}

Expected<SearchResult> search(const std::string& property, const SearchSize& largest, const SmtOptions& smt,
                              const Context& context) {
  return as_expected("search", [&] {
    Budget budget(context.limits);
    const Property* found = find_property(property);
    if (found == nullptr) throw ModelError("there is no property '" + property + "'");
    std::string stem = property;
    std::replace(stem.begin(), stem.end(), ' ', '-');
    return search(*found, largest, stem, smt);
  });
}

}  // namespace oddsbound
