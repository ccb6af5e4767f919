// Samples, estimates and searches (api.h).
#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "api/api.h"
#include "api/specs.h"
#include "app/decide_claim.h"
#include "app/estimates.h"
#include "app/regression.h"
#include "app/samples.h"
#include "app/search.h"
#include "base/errors.h"
#include "specs/spec_error.h"

namespace oddsbound::api {

namespace {

std::size_t place_of(const Domain& domain, const std::string& name) {
  if (const auto place = domain.find(name)) return *place;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < domain.size(); ++i) known.push_back(domain.coordinate(i).name);
  const std::string hint = suggestion(name, known);
  throw ModelError("there is no coordinate '" + printable(name) + "' (" +
                   (hint.empty() ? "coordinates: " + listing(known) : hint) + ")");
}

// The coordinates as indices in the domain.
Marginals marginals_of(const Domain& domain, const EstimateOptions& options) {
  Marginals marginals;
  for (const std::vector<std::string>& names : options.marginals) {
    std::vector<std::size_t>& places = marginals.emplace_back();
    for (const std::string& name : names) {
      const std::size_t place = place_of(domain, name);
      if (std::find(places.begin(), places.end(), place) != places.end()) {
        throw ModelError("the coordinate '" + printable(name) + "' is listed twice");
      }
      places.push_back(place);
    }
    if (places.empty()) throw ModelError("an estimate of no coordinates is asked for");
  }
  return marginals;
}

}  // namespace

Expected<InputList> find_input(const Spec& spec, const Text& values) {
  return as_expected(spec.file, [&] {
    InputList one(spec.model.domain);
    one.add(spec.model.domain, read_typed_input(values.name, values.text, spec.model.domain, 0, spec.mechanism.unread));
    return one;
  });
}

Expected<InputList> read_inputs(const Spec& spec, const Text& table, const Context& context) {
  return as_expected(spec.file, [&] {
    Budget budget(context.limits);
    return read_input_table(table.name, table.text, spec.model.domain, budget, spec.mechanism.unread);
  });
}

Expected<InputList> draw_inputs(const Spec& spec, std::uint64_t count, std::optional<std::uint64_t> seed,
                                const Context& context) {
  return as_expected(spec.file, [&] {
    Budget budget(context.limits);
    require_no_symbols(spec, "sampling");
    return inputs_from_prior(spec, count, seed, budget);
  });
}

Expected<bool> sample_in_pieces(const Spec& spec, const InputList& inputs,
                                const std::function<bool(const SampleResult& piece)>& take,
                                const SampleOptions& options, const Context& context) {
  return as_expected(spec.file, [&] {
    require_no_symbols(spec, "sampling");
    return draw_samples(spec, inputs, options, context, take);
  });
}

Expected<SampleResult> sample(const Spec& spec, const InputList& inputs, const SampleOptions& options,
                              const Context& context) {
  std::optional<SampleResult> whole;
  const auto add = [&](const SampleResult& piece) {
    if (!whole) {
      whole = piece;
      return true;
    }
    std::visit(
        [&](auto& outputs) {
          const auto& more = std::get<std::decay_t<decltype(outputs)>>(piece.outputs);
          outputs.insert(outputs.end(), more.begin(), more.end());
        },
        whole->outputs);
    return true;
  };
  const Expected<bool> done = sample_in_pieces(spec, inputs, add, options, context);
  if (!done) return done.error();
  return *std::move(whole);
}

Expected<bool> sample_numbers(const Spec& spec, const InputList& inputs, std::span<std::uint64_t> numbers,
                              const SampleOptions& options, const Context& context) {
  return as_expected(spec.file, [&] {
    require_no_symbols(spec, "sampling");
    draw_numbers(spec, inputs, options, context, numbers);
    return true;
  });
}

Expected<SampledParts> sampled_parts(const Spec& spec, const Context& context) {
  return as_expected(spec.file, [&] {
    Budget budget(context.limits);
    if (!spec.model.channel) {
      throw ModelError("the outputs are " + spec.mechanism.outputs_word() + ": they have no numbers");
    }
    SampledParts sampled;
    for (const Factor& factor : spec.model.channel->factors()) {
      sampled.parts.push_back({output_labels(*factor.channel, budget), factor.coordinates});
    }
    sampled.tuples = !sampled.parts.empty();
    if (!sampled.tuples) {
      sampled.parts.push_back({output_labels(*spec.model.channel, budget), every_coordinate(spec.model.domain)});
    }
    return sampled;
  });
}

Expected<EstimateResult> estimate(const Spec& spec, const Text& outputs, const Context& context) {
  return estimate(spec, outputs, EstimateOptions(), context);
}

Expected<EstimateResult> estimate(const Spec& spec, const Text& outputs, const EstimateOptions& options,
                                  const Context& context) {
  return as_expected(spec.file, [&] {
    Budget budget(context.limits);
    require_no_symbols(spec, "estimating");
    const Marginals marginals = marginals_of(spec.model.domain, options);
    if (spec.mechanism.unlisted) throw ModelError("the outputs are unlisted: nothing is estimated from them");
    if (!spec.model.channel) {
      if (!marginals.empty())
        throw ModelError("the outputs are continuous: only the means of all coordinates are estimated");
      const std::size_t copies = spec.mechanism.continuous->copies();
      return app::estimate(spec, read_vector_table(outputs.name, outputs.text, spec.model.domain, copies, budget));
    }
    return app::estimate(spec, read_output_table(outputs.name, outputs.text, *spec.model.channel, budget), budget,
                         marginals);
  });
}

Expected<LeastSquaresResult> least_squares(const Spec& spec, const Text& outputs, const LeastSquaresOptions& options,
                                           const Context& context) {
  return as_expected(spec.file, [&] {
    Budget budget(context.limits);
    require_no_symbols(spec, "estimating");
    const std::size_t label = place_of(spec.model.domain, options.label);
    return app::least_squares(spec, outputs.name, outputs.text, label, options.radius, budget);
  });
}

Expected<EstimateResult> estimate_error(const Spec& spec, std::uint64_t outputs, const Context& context) {
  return estimate_error(spec, outputs, EstimateOptions(), context);
}

Expected<EstimateResult> estimate_error(const Spec& spec, std::uint64_t outputs, const EstimateOptions& options,
                                        const Context& context) {
  return as_expected(spec.file, [&] {
    Budget budget(context.limits);
    require_no_symbols(spec, "estimating");
    if (!spec.model.channel) {
      throw ModelError("--samples needs an exact channel, and the outputs are " + spec.mechanism.outputs_word());
    }
    return plan(spec, outputs, budget, marginals_of(spec.model.domain, options));
  });
}

Expected<SearchResult> search(const std::string& property, const SearchOptions& options, const Context& context) {
  return as_expected("search", [&] {
    const Property* found = find_property(property);
    if (found == nullptr) {
      std::vector<std::string> known;
      for (const Property& one : properties()) known.push_back(one.name);
      const std::string hint = suggestion(property, known);
      throw ModelError("unknown property '" + property + "' (" + (hint.empty() ? "known: " + listing(known) : hint) +
                       ")");
    }
    // The only time limit is the solver's, for each size.
    Limits limits = context.limits;
    limits.max_seconds = 1e9;
    const std::unique_ptr<TaskScope> scope = begin_scope("search", property, limits);
    Budget budget(limits);
    return app::search(*found, options, budget, context.progress);
  });
}

}  // namespace oddsbound::api
