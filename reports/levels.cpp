#include "reports/levels.h"

#include <algorithm>

#include "reports/words.h"
#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

Quantity level_of(const Notion* notion, const std::string& coordinate, const MeasuredLevel& level,
                  const std::string& beside = "") {
  return {.notion = notion,
          .coordinate = coordinate,
          .beside = beside,
          .level = level,
          .of_prior = !beside.empty() || notion->needs_prior,
          .for_others = level.rounded};
}

// The bounds on the level of a coordinate, Proposition 4's first.
void add_bounds(const SpecResult& spec, std::size_t i, std::vector<Quantity>& all) {
  const Analysis& analysis = spec.analysis;
  const auto add = [&](const char* name, const char* kind, const Level& bound, bool rounded, std::string basis) {
    all.push_back({.notion = notion_drawn(DrawnBeside::kValues),
                   .coordinate = spec.coordinates[i],
                   .beside = name,
                   .kind = kind,
                   .level = {bound, {}},
                   .of_prior = true,
                   .is_bound = true,
                   .for_others = rounded,
                   .basis = std::move(basis)});
  };
  const auto rounded = [&](const Level& bound) { return spec.rounded && !bound.is_zero() && !bound.is_infinite(); };
  if (analysis.proposition_4 && analysis.correlation) {
    const Number& q = (*analysis.correlation)[i];
    const Level& bound = (*analysis.proposition_4)[i];
    add("bound", kProposition4, bound, rounded(bound),
        "Proposition 4, with correlation q " + (spec.rounded ? "at most " + decimal_text(q) : "= " + number_text(q)));
  }
  if (analysis.composition) {
    const Level& bound = (*analysis.composition)[i];
    add("composed", "bound of all runs", bound, rounded(bound),
        "for all runs: CDP plus what " + printable(spec.coordinates[i], 40) + " reveals about the other attributes" +
            (bound.is_infinite() ? ", one of them without a bound" : ""));
  }
  if (analysis.transport_bound && (*analysis.transport_bound)[i]) {
    add("bound", "bound of the losses between rows", *(*analysis.transport_bound)[i], true,
        "from the privacy losses between rows, without a search");
  }
}

}  // namespace

std::vector<Quantity> levels_given_public(const SpecResult& spec) {
  std::vector<Quantity> all;
  if (!spec.analysis.given_public) return all;
  for (const auto& [name, measured] : spec.analysis.given_public->levels) {
    const Notion* notion = find_notion(name);
    if (const auto* level = std::get_if<MeasuredLevel>(&measured)) {
      all.push_back(level_of(notion, "", *level, knowing_words(spec)));
    }
    const auto* levels = std::get_if<std::vector<MeasuredLevel>>(&measured);
    for (std::size_t i = 0; levels != nullptr && i < levels->size(); ++i) {
      all.push_back(level_of(notion, spec.analysis.given_public->others[i], (*levels)[i], knowing_words(spec)));
    }
  }
  return all;
}

std::vector<Quantity> levels_beside(const SpecResult& spec) {
  std::vector<Quantity> all = levels_given_public(spec);
  for (const Analysis::OverSet& over : spec.analysis.over_sets) {
    const std::string confidence = over.scope.is_certain() ? "" : " (confidence " + over.scope.confidence + ")";
    for (const auto& [coordinate, level] : over.levels) {
      all.push_back(level_of(notion_drawn(DrawnBeside::kValues), coordinate, level,
                             "for all " + printable(over.name, 40) + confidence));
    }
  }
  return all;
}

std::vector<Quantity> quantities(const SpecResult& spec) {
  const std::vector<Quantity> beside = levels_beside(spec);
  std::vector<Quantity> all;
  const auto add = [&](const std::string& name, const std::string& coordinate, const MeasuredLevel& measured) {
    const Notion* notion = find_notion(name);
    all.push_back(level_of(notion, coordinate, measured));
    std::copy_if(beside.begin(), beside.end(), std::back_inserter(all),
                 [&](const Quantity& other) { return other.notion == notion && other.coordinate == coordinate; });
  };
  for (const auto& [notion, measured] : spec.analysis.levels) {
    if (const auto* level = std::get_if<MeasuredLevel>(&measured)) add(notion, "", *level);
  }
  for (std::size_t i = 0; i < spec.coordinates.size(); ++i) {
    for (const auto& [notion, measured] : spec.analysis.levels) {
      const auto* levels = std::get_if<std::vector<MeasuredLevel>>(&measured);
      if (levels != nullptr) add(notion, spec.coordinates[i], (*levels)[i]);
    }
    add_bounds(spec, i, all);
  }
  return all;
}

std::string quantity_words(const Quantity& quantity, const SpecResult& spec) {
  if (quantity.is_bound) return quantity.basis;
  if (quantity.beside.empty() && spec.is_public(quantity.coordinate)) return "public: everybody knows it";
  return shown_words(quantity.level, spec.coordinates) +
         (quantity.level.unfinished ? "; " + quantity.level.unfinished->reason : "");
}

bool has_prior(const SpecResult& spec) {
  return std::any_of(notion_table().begin(), notion_table().end(), [&](const Notion& notion) {
    return notion.measure && notion.needs_prior &&
           (spec.analysis.undecided.contains(notion.name) || spec.analysis.level(notion.name) != nullptr ||
            spec.analysis.by_coordinate(notion.name) != nullptr);
  });
}

const Notion* notion_drawn(DrawnBeside what) {
  const auto found = std::find_if(notion_table().begin(), notion_table().end(),
                                  [&](const Notion& notion) { return notion.measure && notion.drawn == what; });
  return found == notion_table().end() ? nullptr : &*found;
}

std::vector<std::size_t> secret_coordinates(const SpecResult& spec) {
  std::vector<std::size_t> secret;
  for (std::size_t i = 0; i < spec.coordinates.size(); ++i) {
    if (!spec.is_public(spec.coordinates[i])) secret.push_back(i);
  }
  return secret;
}

namespace {

// The text after "survived <= 1 holds".
std::string within_words(const Tolerance& tolerance, const Tolerance::Within& within) {
  const std::string size = decimal_text(within.holds);
  std::string words;
  switch (within.set) {
    case Growing::kWeights: words = "while no cell of the prior is wrong by more than a factor of " + size; break;
    case Growing::kContaminated:
      words = "while the prior is wrong for at most a fraction " + size + " of the people";
      break;
    case Growing::kTotalVariation: words = "for every prior within a total variation distance of " + size; break;
    case Growing::kCorrelation:
      words = "while the dependence of " + printable(tolerance.coordinate, 40) +
              " on the other attributes (maximum total variation distance) is at most " + size;
  }
  if (within.fails) return words + "; fails at " + decimal_text(*within.fails);
  return within.set == Growing::kWeights ? words + "; larger factors were not tried" : "for every prior";
}

}  // namespace

std::vector<std::string> sentences_about_priors(const SpecResult& spec) {
  std::vector<std::string> sentences;
  for (const Tolerance& tolerance : spec.analysis.tolerances) {
    const std::string claim = printable(tolerance.coordinate, 40) + " <= " + exact_text(tolerance.claimed);
    if (tolerance.within.empty()) sentences.push_back(claim + " does not hold for the prior itself");
    for (const Tolerance::Within& within : tolerance.within) {
      std::string sentence = claim + " holds " + within_words(tolerance, within);
      if (sentences.empty() || sentences.back() != sentence) sentences.push_back(std::move(sentence));
    }
  }
  for (const Analysis::OverSet& over : spec.analysis.over_sets) {
    for (const auto& [coordinate, reason] : over.without) {
      sentences.push_back(printable(over.name, 40) + " does not constrain " + printable(coordinate, 40) + ": " +
                          printable(reason, 200));
    }
  }
  return sentences;
}

std::string knowing_words(const SpecResult& spec) {
  std::vector<std::string> names;
  for (const std::string& name : spec.public_coordinates) names.push_back(printable(name, 40));
  return "knowing " + joined(names);
}

}  // namespace oddsbound::reports
