// The levels of a spec's report, as one list: all that `analyze` measures, with bounds from the literature. Text,
// Markdown, pages, figures and the lock take them from here.
#pragma once

#include <string>
#include <vector>

#include "reports/spec_result.h"

namespace oddsbound::reports {

inline constexpr const char* kProposition4 = "bound of Proposition 4";

struct Quantity {
  const Notion* notion;
  std::string coordinate;  // empty for a notion with a single level
  std::string beside{};    // "knowing class", "for all near": the assumption; of a bound: "bound"; empty: plain level
  std::string kind{};      // of a bound: "bound of Proposition 4"
  MeasuredLevel level;
  bool of_prior = false;    // depends on the prior
  bool is_bound = false;    // a bound that needs no search, next to the level
  bool for_others = false;  // decimals rounded up: computed in double, or confidential
  std::string basis{};      // of a bound: "Proposition 4, with correlation q = 1/2"
};

/// Returns the quantities in print order: levels of the whole input, then by coordinate, each followed by its related
/// levels and bounds.
std::vector<Quantity> quantities(const SpecResult& spec);
/// The levels given the public coordinates alone.
std::vector<Quantity> levels_given_public(const SpecResult& spec);
/// The same, followed by the levels over sets of priors.
std::vector<Quantity> levels_beside(const SpecResult& spec);

/// The output that attains the level (column "witness"), or the basis of a bound; and why a search is
/// unfinished.
std::string quantity_words(const Quantity& quantity, const SpecResult& spec);
/// Sentences about other priors: how wrong the prior may be, for each claimed level and kind of error; and which sets
/// have no result, with reasons.
std::vector<std::string> sentences_about_priors(const SpecResult& spec);
/// "knowing class"
std::string knowing_words(const SpecResult& spec);

/// True if some level, or the reason for its absence, belongs to a notion that needs a prior.
bool has_prior(const SpecResult& spec);
/// The first measured notion that is drawn this way: between inputs, or between values given the prior. Null if the
/// table of notions has none.
const Notion* notion_drawn(DrawnBeside what);
/// The coordinates that are not public.
std::vector<std::size_t> secret_coordinates(const SpecResult& spec);

}  // namespace oddsbound::reports
