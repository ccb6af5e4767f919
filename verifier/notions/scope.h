// What claims about values of a coordinate, or labels of a secret, may leave out: values that concern nobody, and
// adversaries who do not know some other attributes of the person.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "verifier/model/definition.h"
#include "verifier/notions/value_levels.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/engine/measured_model.h"

namespace oddsbound::notions {

/// The fields of a claim that has a scope: "known", "from", "to".
std::vector<Field> with_scope(std::vector<Field> fields);

/// Coordinates whose values the adversary knows; of each side, which values or labels are meant.
struct Scope {
  std::vector<std::size_t> known;
  std::optional<Parties> from, to;

  Scope() = default;
  explicit Scope(const Arguments& arguments);
  bool is_everything() const { return known.empty() && !from && !to; }
};

/// A scope as it was claimed, by names.
struct ClaimedScope {
  std::string coordinate;  // where the claim names the only one
  std::vector<std::string> known;
  std::vector<Label> from, to;
  std::string for_all{};     // the set of priors over which it is meant
  std::string confidence{};  // with which the true prior is one of these, where that is not certain
  bool is_everything() const {
    return coordinate.empty() && known.empty() && from.empty() && to.empty() && for_all.empty();
  }
  bool is_certain() const { return confidence.empty(); }
  /// What holding is called: "holds", "holds with confidence 0.95". several: levels, of which all hold together.
  std::string holding(bool several) const;
  /// "knowing class, from yes to no, for all weak-links"; empty if it is neither.
  std::string words() const;
};
ClaimedScope claimed_scope(const Domain& domain, const Arguments& arguments);

/// The coordinates that a claim by values is about: that of its field "coordinate", or those that have a level.
std::vector<std::size_t> claimed_coordinates(const Arguments& arguments);

/// Its sides among the labels that it names; what it names is among them (complaint_about_scope).
AllowedPairs direction_of(const Scope& scope, const std::vector<Label>& labels);
/// The values of a coordinate as parties.
std::vector<Label> parties_of(const Domain& domain, std::size_t coordinate);

/// Narrows a comparison of labels to those that a scope means: sides know the same, and stand on the sides it names.
Comparison within_scope(const Domain& domain, const InputSubset& inputs, Comparison comparison,
                        const Arguments& arguments);

/// A model given some values of coordinates.
struct GivenModel {
  Evidence given;
  Model model;
};
/// For every combination of values of these coordinates that has mass under a prior, the model of who believes that
/// prior and knows it. Throws LimitError
/// past the budget.
std::vector<GivenModel> models_given(const Model& model, const Prior& prior, const std::vector<std::size_t>& known,
                                     Budget& budget);

/// The largest of levels; what is known of one that is unfinished covers both.
void take_larger_level(MeasuredLevel& largest, MeasuredLevel other);

/// Of each combination of what is known, measure(part, seconds), a list of levels; the largest of each.
template <typename Measure>
std::vector<MeasuredLevel> largest_given(MeasuredModel& subject, const Prior& prior,
                                         const std::vector<std::size_t>& known, Measure measure) {
  const std::vector<GivenModel> models = models_given(subject.model(), prior, known, subject.budget());
  std::vector<MeasuredLevel> largest;
  for (std::size_t m = 0; m < models.size(); ++m) {
    MeasuredModel part(models[m].model, subject.budget());
    const double seconds = seconds_to_search(subject.budget()) / static_cast<double>(models.size() - m);
    std::vector<MeasuredLevel> levels = measure(part, seconds);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      levels[k].witness.update([given = models[m].given](Witness& witness) { witness.given = given; });
      if (m == 0) {
        largest.push_back(std::move(levels[k]));
      } else {
        take_larger_level(largest[k], std::move(levels[k]));
      }
    }
  }
  return largest;
}

/// What is wrong with a claim's scope: the field, and what is wrong with it. What its sides name are labels of the
/// secret, else values of the one coordinate that the claim is about.
std::optional<std::pair<std::string, std::string>> complaint_about_scope(const Domain& domain,
                                                                         const Arguments& arguments);

}  // namespace oddsbound::notions
