#include "app/compare.h"

#include <algorithm>
#include <set>

#include "app/compared_models.h"
#include "app/estimates.h"
#include "app/verify.h"
#include "base/errors.h"
#include "reports/levels.h"
#include "reports/words.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/table.h"

namespace oddsbound::app {

namespace {

ComparedCell missing(const std::string& reason) { return {{}, reason}; }

ComparedCell cell_of(const MeasuredLevel& measured) {
  return {Between<Level>{measured.at_least, measured.at_most()},
          measured.unfinished ? measured.unfinished->reason : ""};
}

ComparedCell cell_of(const Number& lower, const std::optional<Number>& upper) {
  return {Between<Number>{lower, upper.value_or(lower)}, ""};
}

// Rounded outward.
ComparedCell cell_of(const DecimalBounds& bounds) {
  return {Between<Number>{parse_number(bounds.lower), parse_number(bounds.upper)}, ""};
}

std::string outputs_without_channel(const MeasuredDesign& design) {
  return "the mechanism's outputs are " + design.spec.mechanism.outputs_word();
}

std::string why_no_level(const MeasuredDesign& design, const Notion& notion) {
  const auto& undecided = design.result.analysis.undecided;
  if (!design.spec.model.channel) return outputs_without_channel(design) + ": it has no exact levels";
  if (const auto reason = undecided.find(notion.name); reason != undecided.end()) return reason->second;
  return notion.needs_prior && !design.spec.model.prior ? "the spec has no prior" : "not measured";
}

std::string why_no_average(const MeasuredDesign& design) {
  if (!design.spec.model.channel) return outputs_without_channel(design);
  if (!design.spec.model.prior) return "the spec has no prior";
  const std::string& without = design.result.effects->without;
  return without.empty() ? "the outputs are too many to be gone through" : without;
}

// Builds the rows of the comparison, by quantity.
class Rows {
 public:
  explicit Rows(const std::vector<MeasuredDesign>& designs) : designs_(designs) {
    for (const MeasuredDesign& design : designs) {
      for (const std::string& name : design.result.coordinates) {
        if (std::find(coordinates_.begin(), coordinates_.end(), name) == coordinates_.end()) {
          coordinates_.push_back(name);
        }
      }
    }
  }

  std::vector<ComparedRow> take() {
    for (const Notion& notion : notion_table()) {
      if (notion.measure) add_level(notion);
    }
    for (const std::string& coordinate : coordinates_) {
      for (const Notion& notion : notion_table()) {
        if (notion.measure) add_level(notion, coordinate);
      }
    }
    add_levels_given_public();
    add_averages("");
    for (const std::string& coordinate : coordinates_) add_averages(coordinate);
    for (const char* quantity : {kErrorOfShares, kErrorOfMeans}) add_errors(quantity, "");
    for (const std::string& coordinate : coordinates_) add_errors(kErrorOfShares, coordinate);
    return std::move(rows_);
  }

 private:
  // of_design: the cell of a design that has the coordinate.
  template <typename OfDesign>
  ComparedRow row(ComparedRow::Kind kind, const std::string& quantity, const std::string& coordinate,
                  OfDesign of_design) {
    ComparedRow row{kind, quantity, coordinate, {}, ""};
    for (const MeasuredDesign& design : designs_) {
      const auto place = design.spec.model.domain.find(coordinate);
      row.cells.push_back(coordinate.empty() || place ? of_design(design, place.value_or(0))
                                                      : missing("it has no such attribute"));
      row.cells.back().confidential = row.cells.back().known() && design.spec.confidential_prior;
    }
    return row;
  }

  // Levels of notions that need no prior do not depend on a table.
  static ComparedRow by_notion(ComparedRow row, const Notion& notion) {
    for (ComparedCell& cell : row.cells) cell.confidential = cell.confidential && notion.needs_prior;
    return row;
  }

  void add(ComparedRow row) {
    // Levels are comparable for any values. Averages over different values are different quantities.
    if (row.kind != ComparedRow::Kind::kLevel) row.not_compared = why_not_comparable(designs_, row.coordinate);
    rows_.push_back(std::move(row));
  }

  bool is_by_coordinate(const Notion& notion) const {
    return std::any_of(designs_.begin(), designs_.end(), [&](const MeasuredDesign& design) {
      return design.result.analysis.by_coordinate(notion.name) != nullptr;
    });
  }

  void add_level(const Notion& notion) {
    const auto concerns = [&](const MeasuredDesign& design) {
      const Analysis& analysis = design.result.analysis;
      return analysis.level(notion.name) != nullptr || analysis.undecided.contains(notion.name);
    };
    if (std::none_of(designs_.begin(), designs_.end(), concerns)) return;
    if (is_by_coordinate(notion)) return;
    ComparedRow levels =
        row(ComparedRow::Kind::kLevel, notion.name, "", [&](const MeasuredDesign& design, std::size_t) {
          const MeasuredLevel* level = design.result.analysis.level(notion.name);
          return level == nullptr ? missing(why_no_level(design, notion)) : cell_of(*level);
        });
    add(by_notion(std::move(levels), notion));
  }

  void add_level(const Notion& notion, const std::string& coordinate) {
    if (!is_by_coordinate(notion)) return;
    ComparedRow levels =
        row(ComparedRow::Kind::kLevel, notion.name, coordinate, [&](const MeasuredDesign& design, std::size_t i) {
          const auto* measured = design.result.analysis.by_coordinate(notion.name);
          return measured == nullptr ? missing(why_no_level(design, notion)) : cell_of((*measured)[i]);
        });
    add(by_notion(std::move(levels), notion));
  }

  void add_levels_given_public() {
    std::set<std::pair<std::string, std::string>> done;
    for (const MeasuredDesign& with : designs_) {
      const std::string knowing = " " + knowing_words(with.result);
      for (const Quantity& given : levels_given_public(with.result)) {
        if (!done.emplace(given.notion->name + knowing, given.coordinate).second) continue;
        ComparedRow levels = row(ComparedRow::Kind::kLevel, given.notion->name + knowing, given.coordinate,
                                 [&](const MeasuredDesign& design, std::size_t) {
                                   if (design.result.public_coordinates != with.result.public_coordinates) {
                                     return missing("other attributes are public, or none");
                                   }
                                   for (const Quantity& own : levels_given_public(design.result)) {
                                     if (own.notion == given.notion && own.coordinate == given.coordinate)
                                       return cell_of(own.level);
                                   }
                                   return missing(why_no_level(design, *given.notion));
                                 });
        add(by_notion(std::move(levels), *given.notion));
      }
    }
  }

  // of_leakage: the cell for known averages.
  template <typename OfLeakage>
  void add_average(const std::string& quantity, const std::string& coordinate, OfLeakage of_leakage) {
    ComparedRow averages =
        row(ComparedRow::Kind::kAverage, quantity, coordinate, [&](const MeasuredDesign& design, std::size_t i) {
          const std::optional<Effects>& effects = design.result.effects;
          if (!effects || (!coordinate.empty() && effects->attributes.empty())) return missing(why_no_average(design));
          const auto& leakage = coordinate.empty() ? effects->record : effects->attributes[i].average;
          return leakage ? of_leakage(*leakage) : missing(why_no_average(design));
        });
    add(std::move(averages));
  }

  void add_averages(const std::string& coordinate) {
    add_average("right guesses", coordinate,
                [](const Leakage& leakage) { return cell_of(leakage.posterior, leakage.posterior_at_most); });
    add_average("bayes leakage", coordinate,
                [](const Leakage& leakage) { return cell_of(leakage.factor(), leakage.factor_at_most()); });
    add_average("information", coordinate, [](const Leakage& leakage) { return cell_of(leakage.information); });
    if (coordinate.empty()) return;
    add_average("total variation", coordinate, [](const Leakage& leakage) {
      if (!leakage.total_variation) return missing("not measured");
      return cell_of(*leakage.total_variation, leakage.total_variation_at_most);
    });
  }

  void add_errors(const std::string& quantity, const std::string& coordinate) {
    ComparedRow errors =
        row(ComparedRow::Kind::kError, quantity, coordinate, [&](const MeasuredDesign& design, std::size_t i) {
          if (!coordinate.empty()) return design.errors.attributes[i];
          return design.errors.quantity == quantity ? design.errors.whole
                                                    : missing("the estimator is one of something else");
        });
    // Estimators of means are rare: without any, there is no row.
    if (errors.known() > 0 || quantity == kErrorOfShares) add(std::move(errors));
  }

  const std::vector<MeasuredDesign>& designs_;
  std::vector<std::string> coordinates_;
  std::vector<ComparedRow> rows_;
};

const std::string& compared_file(const std::string& file) { return file; }
const std::string& compared_file(const Spec& spec) { return spec.file; }
Spec compared_spec(const std::string& file, Budget& budget) { return read_spec(file, budget); }
Spec compared_spec(const Spec& spec, Budget&) { return spec; }

template <typename Source>
MeasuredDesign measured(const Source& source, std::uint64_t samples, const Limits& limits) {
  Budget budget(limits);
  MeasuredDesign design{compared_spec(source, budget), {}, {}};
  require_no_symbols(design.spec, "comparing");
  VerifyOptions options;
  options.decide_claims = false;
  options.effects = true;
  design.result = evaluate(design.spec, budget, options);
  design.errors = errors_of(design.spec, samples, limits);
  return design;
}

ComparedDesign described(const MeasuredDesign& design) {
  const SpecResult& result = design.result;
  ComparedDesign described{result.name, result.file, result.name, result.coordinates, result.files, result.notes};
  described.tables = result.tables;
  described.confidential = result.confidential;
  for (const auto& [what, reason] : result.analysis.undecided) {
    const Notion* notion = find_notion(what);
    if (notion == nullptr || !notion->measure)
      described.notes.emplace_back(what).append(" is undecided: ").append(reason);
  }
  if (!design.spec.model.prior) {
    described.notes.push_back("the spec has no prior; errors are those of inputs that are all equally likely");
  }
  return described;
}

// Labels by name; by file if names repeat; with a number if files repeat.
void set_labels(std::vector<ComparedDesign>& designs) {
  const auto repeats = [&](const std::string& label) {
    return std::count_if(designs.begin(), designs.end(), [&](const auto& other) { return other.label == label; }) > 1;
  };
  for (std::string ComparedDesign::*text : {&ComparedDesign::name, &ComparedDesign::file}) {
    std::vector<std::size_t> alike;
    for (std::size_t i = 0; i < designs.size(); ++i) {
      if (designs[i].label == designs[i].*text && repeats(designs[i].label)) alike.push_back(i);
    }
    for (const std::size_t i : alike) {
      designs[i].label =
          text == &ComparedDesign::name ? designs[i].file : designs[i].file + " (" + std::to_string(i + 1) + ")";
    }
  }
}

// sources: files, or specs that were read.
template <typename Source>
DesignComparison compared(std::span<const Source> sources, std::uint64_t samples, const Context& context) {
  const Limits& limits = context.limits;
  DesignComparison comparison;
  comparison.samples = samples;
  std::vector<MeasuredDesign> designs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string& file = compared_file(sources[i]);
    if (context.progress) context.progress(i, sources.size(), file);
    try {
      if (limits.stop.stop_requested()) throw LimitError("the work was stopped before this was read");
      designs.push_back(measured(sources[i], samples, limits));
      comparison.open += designs.back().result.left_open + designs.back().errors.open;
      comparison.designs.push_back(described(designs.back()));
    } catch (const std::exception&) {
      add_errors(limits.stop.stop_requested() ? skipped(file) : file_error_in_flight(file), comparison.errors);
    }
  }
  set_labels(comparison.designs);
  comparison.notes = notes_on(designs, comparison.designs);
  if (designs.size() > 1) comparison.rows = Rows(designs).take();
  return comparison;
}

}  // namespace

DesignComparison compare(std::span<const std::string> files, std::uint64_t samples, const Context& context) {
  return compared(files, samples, context);
}

DesignComparison compare(std::span<const Spec> specs, std::uint64_t samples, const Context& context) {
  return compared(specs, samples, context);
}

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

// The error of an estimator that was not fully checked, because of a limit, is not used.
EstimateResult whole_plan(const Spec& spec, std::uint64_t samples, Budget& budget, const Marginals& marginals = {}) {
  EstimateResult planned = plan(spec, samples, budget, marginals);
  if (!planned.open.empty()) throw LimitError(planned.open);
  return planned;
}

// Returns the reason instead of an error if there is no estimator or a limit is reached.
template <typename Plan>
ComparedCell attempted(EstimationErrors& errors, Plan plan) {
  try {
    return plan();
  } catch (const ModelError& error) {
    return {{}, shortened(error.what())};
  } catch (const LimitError& error) {
    ++errors.open;
    return {{}, error.what()};
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

}  // namespace oddsbound::app
